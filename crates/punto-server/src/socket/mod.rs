//! One WebSocket per screen: hello, then orders in, answers and frames out.

mod admit;
mod lag;
mod orders;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt as _;
use punto_record::OrderId;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::app::App;
use crate::floor::{IN_FLIGHT, Out, Queued, SeatNo, TableWanted, reply_text};
use crate::register::Gone;
use crate::wire::{Answer, Goodbye, Pong, Reply, Said, Told};
use admit::{Admitted, admit};
use lag::FeedLag;
pub(crate) use lag::Feeds;
use orders::Caller;

/// The buffers of a connection. The default of 128 KiB each would cost more than everything else together.
pub(crate) const BUFFER: usize = 4 * 1024;

/// How long each part of a conversation may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketTimes {
    /// A hello.
    pub hello: Duration,
    /// How often a silent screen is asked whether it is there, and its session looked at.
    pub ping: Duration,
    /// How long it may stay silent.
    pub silent: Duration,
    /// How long it may take to accept what is sent to it.
    pub stuck: Duration,
}

impl Default for SocketTimes {
    fn default() -> SocketTimes {
        let seconds = Duration::from_secs;
        SocketTimes { hello: seconds(10), ping: seconds(20), silent: seconds(65), stuck: seconds(30) }
    }
}

/// Messages that a screen may send in a second.
const A_SECOND: u32 = 10_000;

/// Talks with a screen until it hangs up. `session`: from a cookie, if a page of ours opened the socket.
pub(crate) async fn talk(app: App, mut socket: WebSocket, session: Option<String>) {
    let why = match greet(&app, &mut socket, session).await {
        Ok(talk) => talk.run(&app, &mut socket).await,
        Err(why) => Some(why),
    };
    if let Some(why) = why {
        let last = Message::Text(told(&Told::Goodbye(why)));
        // Whoever does not listen any more need not be told.
        let _ = timeout(app.socket_times.stuck, async {
            socket.send(last).await?;
            socket.send(Message::Close(None)).await
        })
        .await;
    }
}

fn told(told: &Told) -> Utf8Bytes {
    serde_json::to_string(told).expect("a message is always JSON").into()
}

/// A conversation after its hello.
struct Talk {
    caller: Caller,
    table: mpsc::Sender<TableWanted>,
    seat: SeatNo,
    out: mpsc::Receiver<Queued>,
    lag: Arc<FeedLag>,
    behind: Arc<AtomicBool>,
    gone: broadcast::Receiver<Gone>,
    in_flight: usize,
    heard: Instant,
    /// The second that is running, and how many messages came in it.
    second: Instant,
    messages: u32,
}

async fn greet(app: &App, socket: &mut WebSocket, session: Option<String>) -> Result<Talk, Goodbye> {
    let first = timeout(app.socket_times.hello, socket.recv()).await.map_err(|_| Goodbye::NoHello)?;
    let Some(Ok(Message::Text(text))) = first else { return Err(Goodbye::NoHello) };
    let Ok(Said::Hello(hello)) = serde_json::from_str(&text) else { return Err(Goodbye::NoHello) };
    // Listening before looking: who is revoked in between is noticed.
    let gone = app.register.gone();
    let after = hello.after;
    let Admitted { caller, seat, table, out, behind } = admit(app, hello, session)?;
    let (no, joined) = oneshot::channel();
    let join = TableWanted::Join(Box::new(seat), after, no);
    table.send(join).await.map_err(|_| Goodbye::Closing)?;
    let seat = joined.await.map_err(|_| Goodbye::Closing)?;
    let (heard, lag) = (Instant::now(), app.feeds.connect());
    Ok(Talk { caller, table, seat, out, lag, behind, gone, in_flight: 0, heard, second: heard, messages: 0 })
}

impl Talk {
    /// Until somebody hangs up; why, if it is us.
    async fn run(mut self, app: &App, socket: &mut WebSocket) -> Option<Goodbye> {
        let mut ping = interval(app.socket_times.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let why = loop {
            tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(message)) => {
                        self.count();
                        if let Err(why) = self.hear(app, socket, message).await {
                            break why;
                        }
                    }
                    Some(Err(error)) => break too_long(&error).then_some(Goodbye::TooLong),
                    None => break None,
                },
                out = self.out.recv() => match out {
                    Some(out) => if let Err(why) = self.send_all(app, socket, out).await { break why },
                    None => break Some(Goodbye::Replaced),
                },
                gone = self.gone.recv() => if self.concerns(app, gone) {
                    break Some(Goodbye::NotSignedIn);
                },
                _ = ping.tick() => {
                    if self.heard.elapsed() > app.socket_times.silent {
                        break None;
                    }
                    if self.heard.elapsed() >= app.socket_times.ping
                        && !matches!(timeout(app.socket_times.stuck, socket.send(Message::Ping(Default::default()))).await, Ok(Ok(())))
                    {
                        break None;
                    }
                    if !self.caller.goes_on(app) {
                        break Some(Goodbye::NotSignedIn);
                    }
                }
            }
        };
        let _ = self.table.send(TableWanted::Leave(self.seat)).await;
        why
    }

    fn count(&mut self) {
        self.heard = Instant::now();
        if self.heard.duration_since(self.second) >= Duration::from_secs(1) {
            (self.second, self.messages) = (self.heard, 0);
        }
        self.messages += 1;
    }

    /// A message from the screen. An error ends the conversation.
    async fn hear(
        &mut self,
        app: &App,
        socket: &mut WebSocket,
        message: Message,
    ) -> Result<(), Option<Goodbye>> {
        if self.messages > A_SECOND {
            return Err(Some(Goodbye::TooFast));
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => return Err(Some(Goodbye::Malformed)),
            Message::Close(_) => return Err(None),
        };
        let said = serde_json::from_str(&text).map_err(|_| Some(Goodbye::Malformed))?;
        let (order, approved) = match said {
            Said::Order(order) => (order, None),
            Said::Approved(approved) => (approved.order, Some(approved.pending)),
            Said::Ping(n) => {
                let pong = Told::Pong(Pong { n, now: app.clock.now() });
                return say(app, socket, told(&pong)).await;
            }
            Said::Hello(_) => return Err(Some(Goodbye::Malformed)),
        };
        let to = order.id.clone();
        let leave = match self.caller.check(app, &order, approved.as_ref().map(|it| it.as_deref())) {
            Ok(leave) => leave,
            Err(denial) => return answer(app, socket, to, Answer::Denied(denial)).await,
        };
        let wanted = TableWanted::Order(Box::new(order), leave);
        let is_taken = self.in_flight < IN_FLIGHT && self.table.try_send(wanted).is_ok();
        if !is_taken {
            return answer(app, socket, to, Answer::Busy).await;
        }
        self.in_flight += 1;
        Ok(())
    }

    /// Everything that is waiting goes out in one go.
    async fn send_all(
        &mut self,
        app: &App,
        socket: &mut WebSocket,
        first: Queued,
    ) -> Result<(), Option<Goodbye>> {
        self.lag.sending(first.since);
        let mut next = Some(first.out);
        let sending = async {
            while let Some(out) = next.take() {
                match out {
                    Out::Text(text) => socket.feed(Message::Text(text)).await?,
                    Out::Replies(replies, texts) => {
                        self.in_flight = self.in_flight.saturating_sub(replies);
                        for text in texts {
                            socket.feed(Message::Text(text)).await?;
                        }
                    }
                    Out::Goodbye(why) => return Ok(Some(why)),
                }
                next = self.out.try_recv().ok().map(|queued| queued.out);
            }
            socket.flush().await?;
            Ok::<_, axum::Error>(None)
        };
        match timeout(app.socket_times.stuck, sending).await {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(why))) => return Err(Some(why)),
            Ok(Err(_)) | Err(_) => return Err(None),
        }
        self.lag.sent();
        if self.behind.swap(false, Ordering::AcqRel) {
            let _ = self.table.send(TableWanted::ShowAgain(self.seat)).await;
        }
        Ok(())
    }

    /// Whether what was revoked or ended is what this conversation lives by.
    fn concerns(&self, app: &App, gone: Result<Gone, RecvError>) -> bool {
        match gone {
            Ok(gone) => self.caller.lives_by(&gone),
            // Too many at once to be told one by one: look for oneself.
            Err(RecvError::Lagged(_)) => !self.caller.is_still_good(app),
            Err(RecvError::Closed) => true,
        }
    }
}

async fn say(app: &App, socket: &mut WebSocket, text: Utf8Bytes) -> Result<(), Option<Goodbye>> {
    match timeout(app.socket_times.stuck, socket.send(Message::Text(text))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(None),
    }
}

async fn answer(
    app: &App,
    socket: &mut WebSocket,
    to: OrderId,
    answer: Answer,
) -> Result<(), Option<Goodbye>> {
    say(app, socket, reply_text(&Reply { to, answer, printed: None })).await
}

fn too_long(error: &axum::Error) -> bool {
    let words = error.to_string();
    words.contains("too long") || words.contains("Space limit")
}
