//! One terminal that bets, with one order in flight.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use punto_record::{Actor, Command, DeviceId, RoundNo, Seq, TableId, Timestamp};
use punto_rules::{Money, PatronNo};
use tokio::time::{Instant, sleep, timeout_at};

use super::Run;
use super::heard::{Heard, Parts};
use crate::client::line::AWAY;
use crate::client::{Error, Socket, pause};
use crate::wire::{Answer, Hello, Said, Screen};

/// What is bet on, in turn.
const BETS: [&str; 5] = ["player", "banker", "tie", "player-pair", "banker-pair"];

/// Stakes are this and up to so many times it, so that amounts tell wagers apart.
pub(super) const STAKE: u64 = 100;
const TIMES: u64 = 7;

/// How long an answer may take before the connection is taken for dead, and how often an order is said.
const ANSWER: Duration = Duration::from_secs(30);
const ATTEMPTS: u32 = 60;

/// How long to listen at once where bets are closed, and after a refusal.
const CLOSED: Duration = Duration::from_millis(100);
const REFUSED: Duration = Duration::from_millis(20);

/// A wager that was sent, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) n: u64,
    pub(super) stake: Money,
    pub(super) fate: Fate,
}

/// What became of a wager, as the terminal was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It got no answer.
    Open,
    Registered,
    Refused,
}

/// A terminal.
#[derive(Debug)]
pub(super) struct Terminal {
    pub(super) device: DeviceId,
    pub(super) patron: PatronNo,
    pub(super) sent: Vec<Sent>,
    /// Its credits as it was shown them last, and the record up to which that held.
    pub(super) shown: Option<(Seq, Money)>,
    /// Why it could not go on.
    pub(super) lost: Option<Error>,
    base: Arc<str>,
    table: TableId,
    credential: String,
    socket: Socket,
    round: RoundNo,
    betting: bool,
}

impl Terminal {
    /// Connects an enrolled terminal.
    pub(super) async fn open(
        base: Arc<str>,
        table: TableId,
        patron: PatronNo,
        credential: String,
    ) -> Result<Terminal, Error> {
        let socket = Terminal::connect(&base, &table, patron, &credential).await?;
        let device = DeviceId::as_recorded(socket.welcome().device.as_deref().unwrap_or_default());
        let (sent, shown, lost) = (Vec::new(), None, None);
        let (round, betting) = (RoundNo(0), false);
        let mut terminal =
            Terminal { device, patron, sent, shown, lost, base, table, credential, socket, round, betting };
        terminal.see().await?;
        Ok(terminal)
    }

    async fn connect(
        base: &str,
        table: &TableId,
        patron: PatronNo,
        credential: &str,
    ) -> Result<Socket, Error> {
        let (screen, device) = (Screen::Terminal, Some(credential.to_owned()));
        let hello = Hello { table: table.clone(), screen, device, session: None, after: None };
        Socket::open(base, hello, Actor::Patron { patron }).await
    }

    pub(super) const fn table(&self) -> &TableId {
        &self.table
    }

    /// Bets until it is enough.
    pub(super) async fn run(mut self, index: u32, run: Arc<Run>) -> Terminal {
        if let Err(error) = self.bet(index, &run).await {
            self.lost = Some(error);
        }
        self
    }

    async fn bet(&mut self, index: u32, run: &Run) -> Result<(), Error> {
        let mut due = run.start + run.every.map_or(Duration::ZERO, |(_, apart)| apart * index);
        while !run.is_over() {
            if let Some((every, _)) = run.every {
                while Instant::now() < due && !run.is_over() {
                    self.hear(run, due).await?;
                }
                // Who was kept waiting does not make up for it.
                due = (due + every).max(Instant::now());
            }
            if self.betting {
                self.wager(run).await?;
            } else {
                let since = Instant::now();
                self.hear(run, since + CLOSED).await?;
                run.note(|figures| figures.closed += since.elapsed());
            }
        }
        Ok(())
    }

    /// Places one wager and waits for what becomes of it. An order without an answer is said again with the same id.
    async fn wager(&mut self, run: &Run) -> Result<(), Error> {
        let n = self.socket.last() + 1;
        let stake = Money::new(STAKE * (1 + n % TIMES)).expect("a small stake");
        let bet = BETS[(n % BETS.len() as u64) as usize].into();
        let command = Command::PlaceWager { patron: self.patron, box_no: None, stance: None, bet, stake };
        let order = self.socket.numbered(command, Some(self.round));
        let said = Said::Order(order);
        self.sent.push(Sent { n, stake, fate: Fate::Open });
        let started = Instant::now();
        for attempt in 0..ATTEMPTS {
            match self.ask(run, &said, n).await {
                Ok(Answer::Done(_) | Answer::Before(_)) => {
                    self.fate(Fate::Registered);
                    run.registered.fetch_add(1, Ordering::Relaxed);
                    run.note(|figures| {
                        figures.registered += 1;
                        // What had to be said twice tells nothing about how quickly orders are answered.
                        if attempt == 0 {
                            figures.acknowledged(started.elapsed());
                        }
                    });
                    return Ok(());
                }
                Ok(Answer::Refused(rejection)) => {
                    self.fate(Fate::Refused);
                    run.note(|figures| figures.refused(rejection.reason.kind().id()));
                    return self.hear(run, Instant::now() + REFUSED).await;
                }
                Ok(Answer::Denied(denial)) => {
                    self.fate(Fate::Refused);
                    run.note(|figures| figures.refused(&format!("{denial:?}")));
                    return self.hear(run, Instant::now() + REFUSED).await;
                }
                Ok(Answer::Busy) => {
                    run.note(|figures| figures.busy += 1);
                    sleep(pause(attempt)).await;
                }
                Ok(Answer::Unknown) => {
                    run.note(|figures| figures.unknown += 1);
                    sleep(pause(attempt)).await;
                }
                Err(error) => self.heal(run, error).await?,
            }
        }
        Err(Error::Unreachable("an order got no answer".to_owned()))
    }

    fn fate(&mut self, fate: Fate) {
        self.sent.last_mut().expect("it was just sent").fate = fate;
    }

    async fn ask(&mut self, run: &Run, said: &Said, n: u64) -> Result<Answer, Error> {
        self.socket.say(said).await?;
        let until = Instant::now() + ANSWER;
        loop {
            let text = timeout_at(until, self.socket.next_text()).await.map_err(|_| Error::Gone)??;
            if let Some((to, answer)) = self.take(&text, Some(run))?
                && to == n
            {
                return Ok(answer);
            }
        }
    }

    /// Hears one message, or none in time.
    async fn hear(&mut self, run: &Run, until: Instant) -> Result<(), Error> {
        match timeout_at(until, self.socket.next_text()).await {
            Err(_) => Ok(()),
            Ok(Ok(text)) => match self.take(&text, Some(run)) {
                Ok(_) => Ok(()),
                Err(error) => self.heal(run, error).await,
            },
            Ok(Err(error)) => self.heal(run, error).await,
        }
    }

    /// Takes in what was told; an answer, if it is one.
    fn take(&mut self, text: &str, run: Option<&Run>) -> Result<Option<(u64, Answer)>, Error> {
        match serde_json::from_str(text).map_err(|error| Error::Unreadable(error.to_string()))? {
            Heard::Reply(reply) => return Ok(Some((reply.to.n, reply.answer))),
            Heard::Frame(frame) => {
                if let Some(run) = run {
                    let age = since(frame.now);
                    run.note(|figures| figures.feed.saturating_record(age));
                }
                self.show(frame.seq, &frame.view);
            }
            Heard::View(view) => self.show(view.seq, &view.parts),
            Heard::Goodbye(why) => return Err(Error::Goodbye(why)),
            Heard::Welcome(_) | Heard::Status(_) | Heard::Pong(_) => {}
        }
        Ok(None)
    }

    fn show(&mut self, seq: Seq, parts: &Parts<'_>) {
        if let Some(phase) = &parts.phase {
            self.betting = phase == "betting";
        }
        if let Some(round) = parts.round {
            self.round = round;
        }
        if let Some(own) = &parts.own {
            self.shown = Some((seq, own.credits));
        }
    }

    /// Reads until there is a view.
    async fn see(&mut self) -> Result<(), Error> {
        let until = Instant::now() + ANSWER;
        self.shown = None;
        while self.shown.is_none() {
            let text = timeout_at(until, self.socket.next_text()).await.map_err(|_| Error::Gone)??;
            self.take(&text, None)?;
        }
        Ok(())
    }

    /// Opens the connection again, with a pause after every failure.
    async fn heal(&mut self, run: &Run, error: Error) -> Result<(), Error> {
        let since = Instant::now();
        self.open_again(error).await?;
        run.note(|figures| {
            figures.reconnected += 1;
            figures.closed += since.elapsed();
        });
        Ok(())
    }

    async fn open_again(&mut self, mut error: Error) -> Result<(), Error> {
        let (since, mut failures) = (Instant::now(), 0);
        while error.passes() && since.elapsed() < AWAY {
            sleep(pause(failures)).await;
            failures += 1;
            match Terminal::connect(&self.base, &self.table, self.patron, &self.credential).await {
                Ok(mut socket) => {
                    socket.used(self.socket.last());
                    self.socket = socket;
                    match self.see().await {
                        Ok(()) => return Ok(()),
                        Err(again) => error = again,
                    }
                }
                Err(again) => error = again,
            }
        }
        Err(error)
    }

    /// Its credits as a new connection shows them, and the record up to which that holds.
    pub(super) async fn shown_anew(&mut self) -> Result<(Seq, Money), Error> {
        self.socket.hang_up().await;
        self.open_again(Error::Gone).await?;
        self.shown.ok_or(Error::Gone)
    }
}

/// Microseconds since then, by the clock of this machine.
fn since(then: Timestamp) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX).saturating_sub(then.0 * 1000)
}
