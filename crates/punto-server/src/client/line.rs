//! A socket that heals: dropped, it is opened again from where the feed was; an order that got no answer is said again
//! with the same id.

use std::time::Duration;

use punto_record::{Actor, Command, Event, RoundNo};
use tokio::time::{Instant, sleep, timeout};

use super::shown::Shown;
use super::socket::Socket;
use super::{Error, pause};
use crate::pending::PendingOrder;
use crate::wire::{Answer, Approved, Hello, PrintedTicket, Said, Told};

/// How long an answer may take before the connection is taken for dead.
const ANSWER: Duration = Duration::from_secs(30);

/// How long a server may be away.
pub const AWAY: Duration = Duration::from_secs(120);

/// How often an order is said.
const ATTEMPTS: u32 = 40;

/// A screen that somebody sits at, whatever happens to its connection.
#[derive(Debug)]
pub struct Line {
    base: String,
    hello: Hello,
    by: Actor,
    socket: Socket,
    events: Vec<Event>,
    printed: Vec<PrintedTicket>,
    healed: u64,
}

impl Line {
    /// Opens a socket. `by`: in whose name orders are given.
    ///
    /// # Errors
    /// If the server cannot be reached or does not want to talk.
    pub async fn open(base_url: &str, hello: Hello, by: Actor) -> Result<Line, Error> {
        let socket = Socket::open(base_url, hello.clone(), by.clone()).await?;
        let mut line = Line {
            base: base_url.to_owned(),
            hello,
            by,
            socket,
            events: Vec::new(),
            printed: Vec::new(),
            healed: 0,
        };
        line.first_view().await?;
        Ok(line)
    }

    /// What the screen shows.
    pub const fn view(&self) -> &Shown {
        self.socket.view()
    }

    /// What has happened since this was last asked.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Tickets that were printed since this was last asked.
    pub fn printed(&mut self) -> Vec<PrintedTicket> {
        std::mem::take(&mut self.printed)
    }

    /// How often the connection was opened again.
    pub const fn healed(&self) -> u64 {
        self.healed
    }

    /// Gives an order and waits for what becomes of it. `Busy` and `Unknown` are asked again, so are dropped connections.
    ///
    /// # Errors
    /// If the server stays away or does not want to talk.
    pub async fn ask(&mut self, command: Command, round: Option<RoundNo>) -> Result<Answer, Error> {
        let order = self.socket.numbered(command, round);
        self.put(Said::Order(order)).await
    }

    /// Gives an order that was signed for.
    ///
    /// # Errors
    /// If the server stays away or does not want to talk.
    pub async fn ask_signed(&mut self, pending: &str, signed: &PendingOrder) -> Result<Answer, Error> {
        let approved = self.socket.signed(pending, signed);
        self.put(Said::Approved(approved)).await
    }

    /// Listens until something comes, but not longer than this. Whether something came.
    ///
    /// # Errors
    /// If the server stays away or does not want to talk.
    pub async fn listen(&mut self, most: Duration) -> Result<bool, Error> {
        match timeout(most, self.next()).await {
            Err(_) => Ok(false),
            Ok(Ok(_)) => Ok(true),
            Ok(Err(error)) => self.heal(error).await.map(|()| true),
        }
    }

    /// Listens for so long.
    ///
    /// # Errors
    /// If the server stays away or does not want to talk.
    pub async fn rest(&mut self, time: Duration) -> Result<(), Error> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.listen(until - Instant::now()).await?;
        }
        Ok(())
    }

    /// Pulls the plug, and puts it back after a while.
    ///
    /// # Errors
    /// If the server stays away or does not want to talk.
    pub async fn drop_for(&mut self, time: Duration) -> Result<(), Error> {
        self.socket.hang_up().await;
        sleep(time).await;
        self.heal(Error::Gone).await
    }

    async fn put(&mut self, said: Said) -> Result<Answer, Error> {
        for attempt in 0..ATTEMPTS {
            match self.put_once(&said).await {
                Ok(Answer::Busy | Answer::Unknown) => sleep(pause(attempt)).await,
                Ok(answer) => return Ok(answer),
                Err(error) => self.heal(error).await?,
            }
        }
        Err(Error::Unreachable("an order got no answer".to_owned()))
    }

    async fn put_once(&mut self, said: &Said) -> Result<Answer, Error> {
        let (Said::Order(order) | Said::Approved(Approved { order, .. })) = said else {
            unreachable!("only orders are answered")
        };
        self.socket.say(said).await?;
        let answered = async {
            loop {
                if let Told::Reply(reply) = self.next().await?
                    && reply.to == order.id
                {
                    return Ok(reply.answer);
                }
            }
        };
        timeout(ANSWER, answered).await.map_err(|_| Error::Gone)?
    }

    async fn next(&mut self) -> Result<Told, Error> {
        let mut told = self.socket.next().await?;
        if let Told::Frame(frame) = &mut told {
            self.events.append(&mut frame.events);
        } else if let Told::Reply(reply) = &mut told {
            self.printed.extend(reply.printed.take());
        }
        Ok(told)
    }

    /// The view follows the welcome; nobody acts before they see something.
    async fn first_view(&mut self) -> Result<(), Error> {
        let seen = async {
            while !matches!(self.next().await?, Told::View(_)) {}
            Ok(())
        };
        timeout(ANSWER, seen).await.map_err(|_| Error::Gone)?
    }

    /// Opens the connection again, with a pause after every failure. Gives up on what does not pass by itself, and on a
    /// server that stays away.
    async fn heal(&mut self, mut error: Error) -> Result<(), Error> {
        let (since, mut failures) = (Instant::now(), 0);
        while error.passes() && since.elapsed() < AWAY {
            sleep(pause(failures)).await;
            failures += 1;
            let after = Some(self.view().seq()).filter(|seq| seq.0 > 0);
            let hello = Hello { after, ..self.hello.clone() };
            match Socket::open(&self.base, hello, self.by.clone()).await {
                Ok(mut socket) => {
                    socket.used(self.socket.last());
                    self.socket = socket;
                    self.healed += 1;
                    match self.first_view().await {
                        Ok(()) => return Ok(()),
                        Err(again) => error = again,
                    }
                }
                Err(again) => error = again,
            }
        }
        Err(error)
    }
}
