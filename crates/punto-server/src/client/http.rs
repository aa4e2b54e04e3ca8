//! Asking over HTTP: JSON out, JSON back, errors as the server words them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use punto_record::{Command, RoundNo, TableId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};

use super::{Error, authority, pause};
use crate::http::answer::Told;
use crate::http::approvals::{Approve, Propose};
use crate::http::session::{Session, SignIn};
use crate::pending::Pending;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest answer that is read.
const LONGEST: usize = 64 * 1024 * 1024;

/// How often something is asked again that may pass by itself, and how long a pause the server may ask for.
const ATTEMPTS: u32 = 8;
const LONGEST_PAUSE: u64 = 10;

/// A way to ask a server, in somebody's name or nobody's. Cloned, it shares its connections.
#[derive(Clone)]
pub struct Http {
    base: Arc<str>,
    client: Client<HttpConnector, Body>,
    session: Option<Arc<str>>,
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Http({})", self.base)
    }
}

impl Http {
    /// A server, as `http://HOST:PORT`.
    ///
    /// # Errors
    /// If that is no address, or asks for TLS.
    pub fn new(base_url: &str) -> Result<Http, Error> {
        let base = format!("http://{}", authority(base_url)?).into();
        Ok(Http { base, client: Client::builder(TokioExecutor::new()).build_http(), session: None })
    }

    /// The same, in a session that was begun elsewhere.
    ///
    /// # Errors
    /// As [`Http::new`].
    pub fn with_session(base_url: &str, session: &str) -> Result<Http, Error> {
        Ok(Http { session: Some(session.into()), ..Http::new(base_url)? })
    }

    /// The address.
    pub fn base(&self) -> &Arc<str> {
        &self.base
    }

    /// The session that it asks in.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Signs in: the same server, asked in their name.
    ///
    /// # Errors
    /// If person and password do not belong together, or the server cannot be reached.
    pub async fn sign_in(&self, person: &str, password: &str) -> Result<Http, Error> {
        self.sign_in_with(person, password, None).await
    }

    /// Signs in with a code of a second factor, or a recovery code.
    ///
    /// # Errors
    /// As [`Http::sign_in`].
    pub async fn sign_in_with(
        &self,
        person: &str,
        password: &str,
        code: Option<&str>,
    ) -> Result<Http, Error> {
        let (person, password, code) = (person.to_owned(), password.to_owned(), code.map(str::to_owned));
        let asked = SignIn { person, password, code, token: true };
        let session: Session = self.insist("/api/session", &asked).await?;
        let token = session.token.ok_or_else(|| Error::Unreadable("a session without a token".to_owned()))?;
        Ok(Http { session: Some(token.as_str().into()), ..self.clone() })
    }

    /// Has an order wait for the signatures of whoever gives it and of the second person that it names.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn propose(
        &self,
        table: &TableId,
        by: &str,
        round: Option<RoundNo>,
        command: Command,
    ) -> Result<Pending, Error> {
        let asked = Propose { by: by.to_owned(), round, command };
        self.insist(&format!("/api/tables/{table}/pending"), &asked).await
    }

    /// Somebody signs what waits, with their password.
    ///
    /// # Errors
    /// As for signing in, or that it no longer waits.
    pub async fn sign(&self, pending: &str, person: &str, password: &str) -> Result<Pending, Error> {
        self.sign_with(pending, person, password, None).await
    }

    /// The same, with a code of a second factor, or a recovery code.
    ///
    /// # Errors
    /// As [`Http::sign`].
    pub async fn sign_with(
        &self,
        pending: &str,
        person: &str,
        password: &str,
        code: Option<&str>,
    ) -> Result<Pending, Error> {
        let (pending, person, password) = (pending.to_owned(), person.to_owned(), password.to_owned());
        let asked = Approve { pending, person, password, code: code.map(str::to_owned) };
        self.insist("/api/approvals", &asked).await
    }

    /// Reads something.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        read(&self.ask(Method::GET, path, None).await?)
    }

    /// Has something done that is answered with something.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Error> {
        read(&self.ask(Method::POST, path, Some(json(body)?)).await?)
    }

    /// Puts something in the place of something else.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Error> {
        read(&self.ask(Method::PUT, path, Some(json(body)?)).await?)
    }

    /// Changes a part of something.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn patch<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Error> {
        read(&self.ask(Method::PATCH, path, Some(json(body)?)).await?)
    }

    /// Ends something.
    ///
    /// # Errors
    /// What the server says, or that it cannot be reached.
    pub async fn delete(&self, path: &str) -> Result<(), Error> {
        self.ask(Method::DELETE, path, None).await.map(|_| ())
    }

    /// Asks again where the server only says "not so fast".
    async fn insist<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            match self.post(path, body).await {
                Err(Error::Refused { status: 429 | 503, again, .. }) if failures + 1 < ATTEMPTS => {
                    let asked = again.map(|seconds| Duration::from_secs(seconds.min(LONGEST_PAUSE)));
                    sleep(asked.unwrap_or_default().max(pause(failures))).await;
                    failures += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Result<Vec<u8>, Error> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        if let Some(session) = &self.session {
            request = request.header(header::AUTHORIZATION, format!("Bearer {session}"));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let request = request.body(body.map_or_else(Body::empty, Body::from));
        let request = request.map_err(|error| Error::Address(error.to_string()))?;
        let asked = async {
            let response =
                self.client.request(request).await.map_err(|error| Error::Unreachable(words(&error)))?;
            let (head, body) = response.into_parts();
            let read = to_bytes(Body::new(body), LONGEST).await;
            Ok((head, read.map_err(|error| Error::Unreachable(words(&error)))?))
        };
        let silent = |_| Error::Unreachable("no answer in time".to_owned());
        let (head, bytes) = timeout(PATIENCE, asked).await.map_err(silent)??;
        if head.status.is_success() {
            return Ok(bytes.to_vec());
        }
        let again = head.headers.get(header::RETRY_AFTER).and_then(|it| it.to_str().ok()?.parse().ok());
        let status = head.status.as_u16();
        Err(match serde_json::from_slice::<Told>(&bytes) {
            Ok(Told { error }) => Error::Refused { status, code: error.code, words: error.words, again },
            Err(_) => {
                Error::Refused { status, code: "http".to_owned(), words: head.status.to_string(), again }
            }
        })
    }
}

fn json(body: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(body).map_err(|error| Error::Unreadable(error.to_string()))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    // An answer without a body is nothing.
    let bytes = if bytes.is_empty() { b"null" } else { bytes };
    serde_json::from_slice(bytes).map_err(|error| Error::Unreadable(error.to_string()))
}

/// An error with its causes, which is where the reason is.
fn words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |words, cause| format!("{words}: {cause}"))
}
