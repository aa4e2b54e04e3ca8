//! One socket: hello and welcome, orders out, what the server tells in.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use punto_record::{Actor, Command, DeviceId, Order, OrderId, RoundNo, Timestamp};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::shown::Shown;
use super::{Error, authority};
use crate::pending::PendingOrder;
use crate::wire::{Approved, Hello, Said, Told, Welcome};

/// How long opening may take, and sending.
const PATIENCE: Duration = Duration::from_secs(10);

/// The buffers of a connection: small, for there may be thousands.
const BUFFER: usize = 4 * 1024;

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A screen's socket, after its hello.
#[derive(Debug)]
pub struct Socket {
    stream: Stream,
    by: Actor,
    welcome: Welcome,
    n: u64,
    shown: Shown,
}

impl Socket {
    /// Opens a socket and says hello. `by`: in whose name orders are given.
    ///
    /// # Errors
    /// If the server cannot be reached or does not want to talk.
    pub async fn open(base_url: &str, hello: Hello, by: Actor) -> Result<Socket, Error> {
        let address = format!("ws://{}/api/socket", authority(base_url)?);
        let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(BUFFER);
        let opened = timeout(PATIENCE, connect_async_with_config(address.as_str(), Some(config), true)).await;
        let opened = opened.map_err(|_| Error::Unreachable("no answer in time".to_owned()))?;
        let (mut stream, _) = opened.map_err(|error| Error::Unreachable(error.to_string()))?;
        say(&mut stream, &Said::Hello(hello)).await?;
        let first = timeout(PATIENCE, hear(&mut stream)).await.map_err(|_| Error::Gone)??;
        let welcome = match parse(&first)? {
            Told::Welcome(welcome) => welcome,
            Told::Goodbye(why) => return Err(Error::Goodbye(why)),
            Told::View(_) | Told::Frame(_) | Told::Reply(_) | Told::Status(_) | Told::Pong(_) => {
                return Err(Error::Unreadable("no welcome".to_owned()));
            }
        };
        let n = welcome.last;
        Ok(Socket { stream, by, welcome, n, shown: Shown::default() })
    }

    /// The answer to the hello.
    pub const fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// What the screen shows.
    pub const fn view(&self) -> &Shown {
        &self.shown
    }

    /// The last number that was given to an order; the next one is above it, also after numbers that another socket of
    /// this device has used.
    pub const fn last(&self) -> u64 {
        self.n
    }

    /// Numbers up to this one are used.
    pub fn used(&mut self, n: u64) {
        self.n = self.n.max(n);
    }

    /// An order with the next number, not yet sent.
    pub fn numbered(&mut self, command: Command, round: Option<RoundNo>) -> Order {
        self.n += 1;
        // Who gives no orders has no device to count them by; the server denies such an order.
        let device = DeviceId::as_recorded(self.welcome.device.as_deref().unwrap_or_default());
        let id = OrderId { device, n: self.n };
        Order { id, by: self.by.clone(), at: Timestamp(0), round, command }
    }

    /// Gives an order.
    ///
    /// # Errors
    /// If the connection is gone; whether the order arrived is then unknown.
    pub async fn order(&mut self, command: Command, round: Option<RoundNo>) -> Result<OrderId, Error> {
        let order = self.numbered(command, round);
        let id = order.id.clone();
        self.say(&Said::Order(order)).await.map(|()| id)
    }

    /// An order that was signed for, with the next number, not yet sent.
    pub fn signed(&mut self, pending: &str, signed: &PendingOrder) -> Approved {
        let id = self.numbered(signed.command.clone(), signed.round).id;
        Approved { order: signed.numbered(id), pending: Some(pending.to_owned()), approvals: Vec::new() }
    }

    /// Says something.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn say(&mut self, said: &Said) -> Result<(), Error> {
        say(&mut self.stream, said).await
    }

    /// Says something that need not mean anything.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn say_text(&mut self, text: String) -> Result<(), Error> {
        send(&mut self.stream, text).await
    }

    /// The next message, taken into what is shown.
    ///
    /// # Errors
    /// If the connection is gone or the server said goodbye.
    pub async fn next(&mut self) -> Result<Told, Error> {
        let told = parse(&self.next_text().await?)?;
        if let Told::Goodbye(why) = told {
            return Err(Error::Goodbye(why));
        }
        self.shown.take(&told);
        Ok(told)
    }

    /// The next message as it came, for those who read only a little of it.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn next_text(&mut self) -> Result<Utf8Bytes, Error> {
        hear(&mut self.stream).await
    }

    /// Hangs up.
    pub async fn hang_up(&mut self) {
        // Whoever is gone already need not be told.
        let _ = timeout(PATIENCE, self.stream.close(None)).await;
    }
}

async fn say(stream: &mut Stream, said: &Said) -> Result<(), Error> {
    let text = serde_json::to_string(said).map_err(|error| Error::Unreadable(error.to_string()))?;
    send(stream, text).await
}

async fn send(stream: &mut Stream, text: String) -> Result<(), Error> {
    match timeout(PATIENCE, stream.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Error::Gone),
    }
}

async fn hear(stream: &mut Stream) -> Result<Utf8Bytes, Error> {
    loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => return Ok(text),
            // Pings are answered by the library while it reads.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Error::Gone),
        }
    }
}

fn parse(text: &str) -> Result<Told, Error> {
    serde_json::from_str(text).map_err(|error| Error::Unreadable(error.to_string()))
}
