//! Answers: JSON, never kept by anybody, and errors of one closed list that tell nothing of the inside.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::register::{self, Refusal};

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Nobody is signed in, or person and password do not belong together.
    NotSignedIn,
    /// Whoever is signed in, it is not theirs to do.
    NotAllowed,
    /// Whoever is signed in must set up a second factor before they do anything else.
    FactorNeeded,
    /// The page did not show the token of its session.
    Csrf,
    /// The page comes from somewhere else.
    ForeignOrigin,
    /// The request names another server.
    ForeignHost,
    /// There is nothing of that name.
    NotFound,
    /// Not with that method.
    NoSuchMethod,
    /// It cannot be read; where and why.
    Malformed(String),
    /// The body is no JSON.
    NotJson,
    /// The body is too long.
    TooLong,
    /// The body did not come in time.
    TooSlow,
    /// Too often; come again after so many seconds.
    TooOften(u64),
    /// Too much is waiting.
    Busy,
    /// What was asked for cannot be.
    Refused(Refusal),
    /// What was asked for cannot be, for a reason of the route's own: its word, and in words.
    Conflict(&'static str, String),
    /// Something failed. What, is in the log under this number.
    Internal(u64),
}

/// An error, as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Failure")]
pub struct Told {
    /// What went wrong.
    pub error: Fault,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub words: String,
}

impl Problem {
    /// Something failed that is nobody's business outside: it is logged, and gets a number.
    pub fn internal(what: impl std::fmt::Display) -> Problem {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::error!(number, "{what}");
        Problem::Internal(number)
    }

    /// Its status.
    pub const fn status(&self) -> StatusCode {
        match self {
            Problem::NotSignedIn => StatusCode::UNAUTHORIZED,
            Problem::NotAllowed | Problem::FactorNeeded | Problem::Csrf | Problem::ForeignOrigin => {
                StatusCode::FORBIDDEN
            }
            Problem::ForeignHost => StatusCode::MISDIRECTED_REQUEST,
            Problem::NotFound | Problem::Refused(Refusal::NoSuchPerson | Refusal::NoSuchDevice) => {
                StatusCode::NOT_FOUND
            }
            Problem::NoSuchMethod => StatusCode::METHOD_NOT_ALLOWED,
            Problem::Malformed(_) => StatusCode::BAD_REQUEST,
            Problem::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Problem::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Problem::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Problem::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Problem::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Problem::Refused(_) | Problem::Conflict(..) => StatusCode::CONFLICT,
            Problem::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Its word.
    pub const fn code(&self) -> &'static str {
        match self {
            Problem::NotSignedIn => "not-signed-in",
            Problem::NotAllowed => "not-allowed",
            Problem::FactorNeeded => "factor-needed",
            Problem::Csrf => "csrf",
            Problem::ForeignOrigin => "foreign-origin",
            Problem::ForeignHost => "foreign-host",
            Problem::NotFound => "not-found",
            Problem::NoSuchMethod => "no-such-method",
            Problem::Malformed(_) => "malformed",
            Problem::NotJson => "not-json",
            Problem::TooLong => "too-long",
            Problem::TooSlow => "too-slow",
            Problem::TooOften(_) => "too-often",
            Problem::Busy => "busy",
            Problem::Refused(refusal) => refusal.id(),
            Problem::Conflict(code, _) => code,
            Problem::Internal(_) => "internal",
        }
    }

    fn words(&self) -> String {
        match self {
            // The same for a wrong password, an unknown person and a locked one: it must not tell who works here.
            Problem::NotSignedIn => {
                "not signed in: the credential is no longer good, or person, password and code do not \
                belong together, or there were too many attempts in the last quarter of an hour"
                    .to_owned()
            }
            Problem::NotAllowed => "that is not yours to do".to_owned(),
            Problem::FactorNeeded => {
                "in this role nobody works here without a second factor; set one up first, at /account"
                    .to_owned()
            }
            Problem::Csrf => "the header x-punto-csrf is missing or of another session".to_owned(),
            Problem::ForeignOrigin => "this page may not speak to this server".to_owned(),
            Problem::ForeignHost => {
                "the header `host` names another server; `punto serve --origin` adds a name".to_owned()
            }
            Problem::NotFound => "there is nothing here".to_owned(),
            Problem::NoSuchMethod => "not with this method".to_owned(),
            Problem::Malformed(words) | Problem::Conflict(_, words) => words.clone(),
            Problem::NotJson => "the body must be application/json".to_owned(),
            Problem::TooLong => "the body is too long".to_owned(),
            Problem::TooSlow => "the body did not come in time".to_owned(),
            Problem::TooOften(seconds) => format!("too often; come again in {seconds} seconds"),
            Problem::Busy => "too much is waiting; come again".to_owned(),
            Problem::Refused(refusal) => refusal.to_string(),
            Problem::Internal(number) => {
                format!("something failed; the log knows what, under number {number}")
            }
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let error = Fault { code: self.code().to_owned(), words: self.words() };
        let mut response = (self.status(), Json(Told { error })).into_response();
        if let Problem::TooOften(seconds) = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self == Problem::NotSignedIn {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<register::Error> for Problem {
    fn from(error: register::Error) -> Problem {
        match error {
            register::Error::NotSignedIn(_) => Problem::NotSignedIn,
            register::Error::Refused(refusal) => Problem::Refused(refusal),
            register::Error::Ledger(error) => error.into(),
            register::Error::Failed(_) => Problem::internal(error),
        }
    }
}

impl From<punto_ledger::Error> for Problem {
    fn from(error: punto_ledger::Error) -> Problem {
        // What the record does not take is told in its own words: they say who and what is missing.
        if let punto_ledger::Error::NotAllowed(words) = error {
            return Problem::Conflict("not-recorded", words.to_owned());
        }
        if let punto_ledger::Error::Unfit(_) | punto_ledger::Error::Unnameable(_) = error {
            return Problem::Malformed(error.to_string());
        }
        Problem::internal(error)
    }
}
