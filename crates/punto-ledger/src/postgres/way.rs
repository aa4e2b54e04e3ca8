//! The way to a PostgreSQL server: its address, TLS, and how soon a dead line is noticed.
//!
//! TLS is all or nothing: asked for, the server shows a certificate of the given root for the name in the address, or there
//! is no connection. There is no mode that encrypts for whoever answers.

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

use crate::Error;

/// How long to wait for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// After how long the system gives up on a server from which nothing comes back: while something was sent, and while only an
/// answer is waited for. A commit that takes longer on a living server is not cut off: a statement's time-out would end the
/// wait for a synchronous standby and call the commit done.
const UNANSWERED: Duration = Duration::from_secs(8);
const IDLE: Duration = Duration::from_secs(3);
const BETWEEN: Duration = Duration::from_secs(1);
const PROBES: u32 = 5;

/// How to come to a server.
pub(super) struct Way {
    pub(super) config: Config,
    pub(super) tls: Option<Tls>,
}

impl Way {
    /// Reads an address. `sslmode` is `disable` or `require` (`verify-full` is the same), `sslrootcert` the file with the root.
    pub(super) fn read(url: &str) -> Result<Way, Error> {
        let (rest, asked) = take_apart(url);
        // The reason is not repeated: it may quote a part of the password.
        let mut config: Config = rest.parse().map_err(|_| {
            Error::unsuitable("the database's address is not like `postgres://user@host/name`")
        })?;
        config
            .application_name("punto")
            .connect_timeout(PATIENCE)
            .tcp_user_timeout(UNANSWERED)
            .keepalives(true)
            .keepalives_idle(IDLE)
            .keepalives_interval(BETWEEN)
            .keepalives_retries(PROBES);
        let tls = match (asked.mode.as_deref(), asked.root) {
            (Some("require" | "verify-full"), Some(root)) => {
                config.ssl_mode(SslMode::Require);
                Some(Tls::with_root(&root)?)
            }
            (Some("require" | "verify-full"), None) => {
                return Err(Error::unsuitable(
                    "TLS needs the certificate that vouches for the server: sslrootcert=FILE in the database's address",
                ));
            }
            (Some("disable"), None) => {
                config.ssl_mode(SslMode::Disable);
                None
            }
            (None, None) if config.get_hosts().iter().all(is_here) => {
                config.ssl_mode(SslMode::Disable);
                None
            }
            (None, None) => {
                return Err(Error::unsuitable(
                    "the database is on another machine: add sslmode=require&sslrootcert=FILE to its address, or \
                     sslmode=disable if the way to it is protected otherwise",
                ));
            }
            (Some("disable") | None, Some(_)) | (Some(_), _) => {
                return Err(Error::unsuitable(
                    "sslmode is `disable` or `require`, and sslrootcert goes with `require`",
                ));
            }
        };
        Ok(Way { config, tls })
    }
}

/// Whether nobody is on the way to it.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
        Host::Unix(_) => true,
    }
}

/// What an address says about TLS.
#[derive(Default)]
struct Asked {
    mode: Option<String>,
    root: Option<PathBuf>,
}

/// The address without what it says about TLS, and that.
fn take_apart(url: &str) -> (String, Asked) {
    let mut asked = Asked::default();
    let Some((address, parameters)) = url.split_once('?') else { return (url.to_owned(), asked) };
    let mut others = Vec::new();
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some(("sslmode", mode)) => asked.mode = Some(mode.to_owned()),
            Some(("sslrootcert", path)) => asked.root = Some(decoded(path).into()),
            Some(_) | None => others.push(parameter),
        }
    }
    let rest = if others.is_empty() { address.to_owned() } else { format!("{address}?{}", others.join("&")) };
    (rest, asked)
}

/// Text with `%2F` for what cannot stand in an address.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = text_of(tail).filter(|_| *first == b'%');
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text_of(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits.get(..2)?).ok()?, 16).ok()
}

/// TLS to a server whose certificate a given root vouches for.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    fn with_root(root: &PathBuf) -> Result<Tls, Error> {
        let unusable = |error: String| {
            Error::unsuitable(format!("the root certificate {} cannot be used: {error}", root.display()))
        };
        let pem = std::fs::read(root).map_err(|error| unusable(error.to_string()))?;
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
            roots.add(certificate).map_err(|error| unusable(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(unusable("it is empty".to_owned()));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| unusable(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Tls(Arc::new(config)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, InvalidDnsNameError> {
        Ok(Handshake { tls: self.0.clone(), name: ServerName::try_from(host.to_owned())? })
    }
}

/// A handshake with a server of a name.
pub(super) struct Handshake {
    tls: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { TlsConnector::from(self.tls).connect(self.name, stream).await.map(Encrypted) })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        // The certificate was verified for its name; that is what a binding would add for those who do not.
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_say_whether_there_is_tls() {
        let read = |url: &str| Way::read(url).map(|way| way.tls.is_some());
        for here in [
            "postgres://p@localhost/x",
            "postgres://p@127.0.0.1:5432/x",
            "postgres://p@[::1]/x",
            "postgres://p@%2Frun/x",
        ] {
            assert_eq!(read(here), Ok(false), "{here}");
        }
        assert_eq!(read("postgres://p@db.example/x?sslmode=disable"), Ok(false));
        for not in [
            "postgres://p@db.example/x",
            "postgres://p@db.example/x?sslmode=prefer",
            "postgres://p@db.example/x?sslmode=require",
            "postgres://p@localhost/x?sslmode=require",
            "postgres://p@localhost/x?sslmode=verify-ca&sslrootcert=root.pem",
            "postgres://p@localhost/x?sslmode=disable&sslrootcert=root.pem",
            "postgres://p@localhost/x?sslrootcert=root.pem",
            "postgres://p@localhost,db.example/x",
            "postgres://p@localhost/x?sslmode=require&sslrootcert=%2Fno%2Fsuch%2Ffile",
        ] {
            assert!(matches!(read(not), Err(Error::Unsuitable(_))), "{not}");
        }
        assert_eq!(decoded("%2Fsrv%2froot%20ca.pem"), "/srv/root ca.pem");
        assert_eq!(decoded("100%"), "100%");
        let (rest, _) = take_apart("postgres://p@h/x?sslmode=require&options=-c%20a%3Db&sslrootcert=r");
        assert_eq!(rest, "postgres://p@h/x?options=-c%20a%3Db");
    }
}
