//! A witness: another Punto that signs checkpoints of ledgers elsewhere, by c2sp.org/tlog-witness.
//!
//! Of each history it keeps the notes that it has signed. It signs a further one only if that goes on from the last, and only
//! after it is durable here.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use ed25519_dalek::SigningKey;
use punto_audit::is_consistent;
use punto_record::{AddCheckpoint, Note, Origin, PublicKey, WitnessKey};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::notes::{Notes, origins};
use crate::listen::{Caps, Listen, PER_ADDRESS, TOTAL, Times, Tls, TlsError, listen};
use crate::system;

/// The longest request that is read: a proof of 63 digests and a note.
const LONGEST: usize = 32 * 1024;

/// How long requests in flight may take when it goes down.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// What a witness is started with.
#[derive(Debug)]
pub struct WitnessOptions {
    /// Where to listen.
    pub address: SocketAddr,
    /// Where the notes are kept.
    pub folder: PathBuf,
    /// The name that stands in its signatures.
    pub name: Arc<str>,
    /// What it signs with.
    pub key: SigningKey,
    /// The ledgers that it witnesses, by the origin of their first history, and the keys that each signs with.
    pub logs: BTreeMap<Origin, Vec<PublicKey>>,
    /// Certificate and key, as PEM files.
    pub tls: Option<(PathBuf, PathBuf)>,
}

/// The witness is ready.
#[derive(Clone, Debug)]
pub struct WitnessReady {
    /// Where it listens.
    pub url: String,
    /// What signatures are checked with.
    pub key: WitnessKey,
}

/// Why a witness could not run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WitnessError {
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error("{what}: {error}")]
    Io { what: &'static str, error: std::io::Error },
    #[error("another witness keeps its notes in this folder")]
    FolderInUse,
}

fn io(what: &'static str) -> impl FnOnce(std::io::Error) -> WitnessError {
    move |error| WitnessError::Io { what, error }
}

#[derive(Debug)]
struct Keeper {
    folder: PathBuf,
    name: Arc<str>,
    key: SigningKey,
    logs: BTreeMap<Origin, Vec<PublicKey>>,
    /// Comparing with the latest note and keeping the next one is one step.
    one: Mutex<()>,
}

/// Runs a witness until `stop` says so.
///
/// # Errors
/// If it cannot start.
pub fn serve_witness(
    options: WitnessOptions,
    ready: impl FnOnce(&WitnessReady) + Send,
    mut stop: watch::Receiver<bool>,
) -> Result<(), WitnessError> {
    system::warn_as_root();
    let WitnessOptions { address, folder, name, key, logs, tls } = options;
    std::fs::create_dir_all(&folder).map_err(io("the folder of notes"))?;
    let _lock = lock(&folder)?;
    let tls = tls.map(|(certificate, key)| Tls::read(certificate, key)).transpose()?.map(Arc::new);
    let told = WitnessKey { name: name.clone(), key: PublicKey::of(&key) };
    let keeper = Arc::new(Keeper { folder, name, key, logs, one: Mutex::new(()) });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(io("the threads of the witness"))?;
    let done = runtime.block_on(async move {
        let listener = TcpListener::bind(address).await.map_err(io("the address to listen on"))?;
        let address = listener.local_addr().map_err(io("the address to listen on"))?;
        let url = format!("{}://{address}", if tls.is_some() { "https" } else { "http" });
        let (close, closing) = watch::channel(false);
        let shared = vec![IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
        let caps = Caps::new(system::connections(None, TOTAL, system::descriptors()), PER_ADDRESS, shared);
        let how = Listen { caps, times: Times::default(), tls };
        let server = tokio::spawn(listen(listener, router(keeper), how, closing, LAST_REQUESTS));
        ready(&WitnessReady { url, key: told });
        let _ = stop.wait_for(|stop| *stop).await;
        close.send_replace(true);
        let _ = server.await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(2));
    done
}

/// Held while this process keeps notes there: two witnesses in one folder would each compare with its own latest note.
fn lock(folder: &std::path::Path) -> Result<File, WitnessError> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(".lock"));
    let file = opened.map_err(io("the folder of notes"))?;
    file.try_lock().map_err(|_| WitnessError::FolderInUse)?;
    Ok(file)
}

fn router(keeper: Arc<Keeper>) -> Router {
    Router::new()
        .route("/add-checkpoint", post(add))
        .route("/checkpoint/{*origin}", get(latest))
        .route("/", get(list))
        .layer(DefaultBodyLimit::max(LONGEST))
        .with_state(keeper)
}

/// Why a note is not signed.
enum Refusal {
    /// It cannot be read.
    Malformed(&'static str),
    /// This ledger is not witnessed here.
    UnknownLog,
    /// None of its keys signed.
    UnknownKey,
    /// This many entries were signed for last.
    Conflict(u64),
    /// It does not go on from what was signed last.
    Inconsistent,
    /// It cannot be kept.
    Failed(std::io::Error),
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Malformed(expected) => {
                (StatusCode::BAD_REQUEST, format!("expected {expected}\n")).into_response()
            }
            Refusal::UnknownLog => (StatusCode::NOT_FOUND, "unknown origin\n").into_response(),
            Refusal::UnknownKey => (StatusCode::FORBIDDEN, "not signed by a known key\n").into_response(),
            Refusal::Conflict(size) => {
                let head = [(header::CONTENT_TYPE, "text/x.tlog.size")];
                (StatusCode::CONFLICT, head, format!("{size}\n")).into_response()
            }
            Refusal::Inconsistent => {
                (StatusCode::UNPROCESSABLE_ENTITY, "the proof does not hold\n").into_response()
            }
            Refusal::Failed(error) => {
                tracing::error!(%error, "a note could not be kept");
                (StatusCode::INTERNAL_SERVER_ERROR, "it could not be kept\n").into_response()
            }
        }
    }
}

async fn add(State(keeper): State<Arc<Keeper>>, body: String) -> Response {
    let done = tokio::task::spawn_blocking(move || keeper.add(&body)).await;
    match done {
        Ok(Ok(signature)) => signature.into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Keeper {
    /// Signs a note that goes on from the last one; the signature line.
    fn add(&self, body: &str) -> Result<String, Refusal> {
        let AddCheckpoint { old, path, note } =
            body.parse().map_err(|error: punto_record::NoteError| Refusal::Malformed(error.0))?;
        let head = note.head;
        let keys = self.logs.get(&head.origin.first()).ok_or(Refusal::UnknownLog)?;
        if !keys.iter().any(|key| note.is_signed_by(*key)) {
            return Err(Refusal::UnknownKey);
        }
        if old > head.size || head.size == 0 {
            return Err(Refusal::Malformed("a size that is not smaller than the old one, and not 0"));
        }
        let _one = self.one.lock().unwrap_or_else(PoisonError::into_inner);
        let notes = Notes::of(&self.folder, head.origin);
        let latest = notes.latest().map_err(Refusal::Failed)?.map(|note| note.head);
        let has = latest.map_or(0, |latest| latest.size);
        if has != old {
            return Err(Refusal::Conflict(has));
        }
        let goes_on = match latest {
            Some(latest) if latest.size == head.size && latest.root != head.root => {
                tracing::error!(origin = %head.origin, size = head.size, "another root for the same size: a fork");
                return Err(Refusal::Conflict(has));
            }
            Some(latest) => is_consistent((latest.size, latest.root), (head.size, head.root), &path),
            None => path.is_empty(),
        };
        if !goes_on {
            tracing::error!(origin = %head.origin, old, size = head.size, "a fork, or a proof that does not hold");
            return Err(Refusal::Inconsistent);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let signature = head.cosign(&self.name, &self.key, now);
        if has < head.size {
            if has == 0 && head.origin.after_loss.is_some() {
                tracing::warn!(origin = %head.origin, "a ledger begins another history after a declared loss");
            }
            // Signatures of others are nothing that was checked here.
            let name = head.origin.to_string();
            let own = note.signatures.into_iter().filter(|it| *it.name == *name);
            let signatures = own.chain([signature.clone()]).collect();
            notes.keep(&Note { head, signatures }).map_err(Refusal::Failed)?;
        }
        Ok(signature.to_string())
    }
}

/// The latest note of one history, for whoever wants to compare it.
async fn latest(State(keeper): State<Arc<Keeper>>, Path(origin): Path<String>) -> Response {
    let Ok(origin) = origin.parse::<Origin>() else { return StatusCode::NOT_FOUND.into_response() };
    let read = tokio::task::spawn_blocking(move || Notes::of(&keeper.folder, origin).latest()).await;
    match read {
        Ok(Ok(Some(note))) => note.to_string().into_response(),
        Ok(Ok(None)) => StatusCode::NOT_FOUND.into_response(),
        Ok(Err(error)) => Refusal::Failed(error).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Every history and how many entries it has here, a line each. A second history of a ledger is a declared loss.
async fn list(State(keeper): State<Arc<Keeper>>) -> Response {
    let read = tokio::task::spawn_blocking(move || {
        let mut lines = String::new();
        for origin in origins(&keeper.folder)? {
            let size = Notes::of(&keeper.folder, origin).sizes()?.last().copied().unwrap_or(0);
            lines.push_str(&format!("{origin} {size}\n"));
        }
        Ok::<_, std::io::Error>(lines)
    });
    match read.await {
        Ok(Ok(lines)) => lines.into_response(),
        Ok(Err(error)) => Refusal::Failed(error).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
