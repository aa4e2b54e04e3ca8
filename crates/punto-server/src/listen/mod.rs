//! The listening port: accepts connections, within limits of number and time, and hands their requests to the router.
//!
//! HTTP/1.1 only, in clear and over TLS: WebSockets need nothing newer, and what is not spoken cannot be attacked.

mod caps;
mod seldom;
mod stream;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

pub use caps::{Caps, Full, PER_ADDRESS, Slot, TOTAL};
pub use tls::{Tls, TlsError};

use seldom::Seldom;
use stream::Paced;

/// The longest head of a request, in bytes. Also how much of an answer is buffered before the socket takes it.
const HEAD: usize = 64 * 1024;

/// How long to wait when the system refuses to accept: the reason, usually too few file descriptors, does not pass at once.
const PAUSE: Duration = Duration::from_millis(100);

/// How often the log mentions connections that were refused.
const MENTION: Duration = Duration::from_secs(60);

/// How long each part of a connection may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The TLS handshake.
    pub handshake: Duration,
    /// The whole head of a request, and so also an idle connection between two requests.
    pub head: Duration,
    /// While an answer waits to be sent: the reader takes it, or a good part of it, within this time.
    pub write: Duration,
}

impl Default for Times {
    fn default() -> Times {
        let seconds = Duration::from_secs;
        Times { handshake: seconds(10), head: seconds(30), write: seconds(30) }
    }
}

/// How a port is listened on.
#[derive(Clone, Debug, Default)]
pub struct Listen {
    /// How many connections.
    pub caps: Caps,
    /// How long they may take.
    pub times: Times,
    /// TLS; in clear, if none.
    pub tls: Option<Arc<Tls>>,
}

/// Serves connections until `stop` says so; then waits for requests in flight, but no longer than `last`. Dropped, it ends
/// every connection at once; only upgraded sockets have a life of their own.
pub async fn listen(
    listener: TcpListener,
    router: Router,
    how: Listen,
    mut stop: watch::Receiver<bool>,
    last: Duration,
) {
    let mut connections = JoinSet::new();
    let (mut failures, mut refusals) = (Seldom::new(MENTION), Seldom::new(MENTION));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener, &mut failures) => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        match how.caps.take(peer.ip()) {
            Ok(slot) => {
                let connection =
                    Connection { peer, how: how.clone(), router: router.clone(), stop: stop.clone() };
                connections.spawn(connection.run(stream, slot));
            }
            Err(full) => {
                if let Some(unmentioned) = refusals.mention() {
                    tracing::warn!(%full, address = %peer.ip(), unmentioned, "a connection was refused");
                }
            }
        }
    }
    drop(listener);
    let _ = timeout(last, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection. Whatever keeps the system from giving one, those that exist go on and the port stays open.
async fn accept(listener: &TcpListener, failures: &mut Seldom) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // That one client gave up while it waited says nothing about the next.
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                if let Some(unmentioned) = failures.mention() {
                    tracing::error!(%error, unmentioned, "no connection can be accepted; trying again");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// One connection.
struct Connection {
    peer: SocketAddr,
    how: Listen,
    router: Router,
    stop: watch::Receiver<bool>,
}

impl Connection {
    async fn run(self, stream: TcpStream, slot: Slot) {
        // Answers are small and somebody waits for each.
        let _ = stream.set_nodelay(true);
        let Times { handshake, write, .. } = self.how.times;
        let stream = Paced::new(stream, slot, write);
        match self.how.tls.clone() {
            None => self.serve(stream).await,
            Some(tls) => {
                if let Ok(Ok(stream)) = timeout(handshake, tls.acceptor().accept(stream)).await {
                    self.serve(stream).await;
                }
            }
        }
    }

    async fn serve(mut self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let (peer, router) = (self.peer, TowerToHyperService::new(self.router));
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.call(request)
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.how.times.head).max_buf_size(HEAD);
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            // What went wrong on the way is for the client to notice.
            _ = connection.as_mut() => return,
            _ = self.stop.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}
