//! One request to a server elsewhere: bounded in time and in size, and never led on to another address.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, Uri, header};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// The longest answer that is read: a note with a great many signatures.
const LONGEST: usize = 64 * 1024;

/// Whose certificates are believed.
#[derive(Clone, Default)]
pub enum Roots {
    /// Those that the system believes. They are read when they are first needed.
    #[default]
    System,
    /// Those that were given, and no others.
    Given(Arc<ClientConfig>),
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Roots::System => "System",
            Roots::Given(_) => "Given",
        })
    }
}

static SYSTEM: OnceLock<Result<Arc<ClientConfig>, String>> = OnceLock::new();

impl Roots {
    /// Those of a PEM file.
    ///
    /// # Errors
    /// If it cannot be used, in words.
    pub fn from_pem(pem: &[u8]) -> Result<Roots, String> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            roots.add(certificate.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
        }
        match roots.is_empty() {
            true => Err("it holds no certificate".to_owned()),
            false => config(roots).map(Roots::Given),
        }
    }

    fn config(&self) -> Result<Arc<ClientConfig>, String> {
        let of_the_system = || {
            let mut roots = RootCertStore::empty();
            // Where there are none, no certificate is believed, and a witness over TLS cannot be reached.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            config(roots)
        };
        match self {
            Roots::System => SYSTEM.get_or_init(of_the_system).clone(),
            Roots::Given(config) => Ok(config.clone()),
        }
    }
}

fn config(roots: RootCertStore) -> Result<Arc<ClientConfig>, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// What was answered.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) text: String,
}

/// Sends a request and reads the answer, all within a time; a body makes it a `POST`.
///
/// # Errors
/// Why there is no answer, in words.
pub(super) async fn call(
    url: &str,
    body: Option<String>,
    roots: &Roots,
    patience: Duration,
) -> Result<Reply, String> {
    match timeout(patience, call_at_leisure(url, body, roots)).await {
        Ok(reply) => reply,
        Err(_) => Err("no answer in time".to_owned()),
    }
}

async fn call_at_leisure(url: &str, body: Option<String>, roots: &Roots) -> Result<Reply, String> {
    let uri: Uri = url.parse().map_err(|_| "the address cannot be read".to_owned())?;
    let host = uri.host().ok_or("the address has no host")?.trim_matches(['[', ']']).to_owned();
    let is_secure = uri.scheme_str() == Some("https");
    let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
    let stream = TcpStream::connect((&*host, port)).await.map_err(|error| error.to_string())?;
    if !is_secure {
        return exchange(stream, &uri, body).await;
    }
    let name = ServerName::try_from(host).map_err(|error| error.to_string())?;
    let stream = TlsConnector::from(roots.config()?).connect(name, stream).await;
    exchange(stream.map_err(|error| error.to_string())?, &uri, body).await
}

/// Ends its connection's task with the request, however that ends.
struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn exchange<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    uri: &Uri,
    body: Option<String>,
) -> Result<Reply, String> {
    let words = |error: hyper::Error| error.to_string();
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(words)?;
    let _connection = AbortOnDrop(tokio::spawn(async move { drop(connection.await) }).abort_handle());
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::builder()
        .method(if body.is_some() { "POST" } else { "GET" })
        .uri(path)
        .header(header::HOST, authority)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(body.map_or_else(Body::empty, Body::from));
    let reply = sender.send_request(request.map_err(|error| error.to_string())?).await.map_err(words)?;
    let status = reply.status().as_u16();
    let bytes =
        to_bytes(Body::new(reply.into_body()), LONGEST).await.map_err(|_| "the answer is too long")?;
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| "the answer is not text".to_owned())?;
    Ok(Reply { status, text })
}
