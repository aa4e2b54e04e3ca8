//! The other end of the wire: what a terminal, a console or a program says to a server. The demonstration and the load
//! generator speak through it and have no other way in.

pub mod authenticator;
pub mod http;
pub mod line;
pub mod shown;
pub mod socket;

use std::time::Duration;

pub use http::Http;
pub use line::Line;
pub use shown::Shown;
pub use socket::Socket;

use crate::wire::Goodbye;

/// Why a server could not be asked, or did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No address.
    #[error("`{0}` is no address of a server; it is written http://127.0.0.1:8080")]
    Address(String),
    /// TLS.
    #[error("`{0}`: this client knows no TLS; ask the server on its own machine, by http://")]
    Tls(String),
    /// Nobody answers there, or not in time.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server said no.
    #[error("{words} ({code})")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// The word for programs.
        code: String,
        /// The sentence for people.
        words: String,
        /// After how many seconds it may be tried again, if the server says so.
        again: Option<u64>,
    },
    /// The server said something that cannot be read.
    #[error("the server's answer cannot be read: {0}")]
    Unreadable(String),
    /// The server hung up and said why.
    #[error("the server hung up: {0:?}")]
    Goodbye(Goodbye),
    /// The connection is gone, or nothing came over it for too long.
    #[error("the connection is gone")]
    Gone,
}

impl Error {
    /// Whether it may pass by itself: the server is restarted, the network comes back.
    pub fn passes(&self) -> bool {
        match self {
            Error::Unreachable(_) | Error::Gone => true,
            Error::Goodbye(why) => match why {
                Goodbye::TooFast | Goodbye::Replaced | Goodbye::Closing => true,
                Goodbye::NoHello
                | Goodbye::Malformed
                | Goodbye::TooLong
                | Goodbye::NotSignedIn
                | Goodbye::NotAllowed
                | Goodbye::NoSuchTable => false,
            },
            Error::Refused { status, .. } => matches!(status, 429 | 503),
            Error::Address(_) | Error::Tls(_) | Error::Unreadable(_) => false,
        }
    }

    /// Whether the server says that it is there already.
    pub const fn is_conflict(&self) -> bool {
        matches!(self, Error::Refused { status: 409, .. })
    }

    /// Whether the server says that there is nothing of the kind.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Error::Refused { status: 404, .. })
    }

    /// Whether a session or a credential is no longer good.
    pub const fn is_not_signed_in(&self) -> bool {
        matches!(self, Error::Refused { status: 401, .. } | Error::Goodbye(Goodbye::NotSignedIn))
    }
}

/// The host and port of `http://HOST:PORT`.
fn authority(base_url: &str) -> Result<&str, Error> {
    if base_url.starts_with("https://") || base_url.starts_with("wss://") {
        return Err(Error::Tls(base_url.to_owned()));
    }
    let rest = base_url.strip_prefix("http://").unwrap_or_default().trim_end_matches('/');
    let is_authority = !rest.is_empty() && !rest.contains(['/', '?', '#', '@', ' ']);
    is_authority.then_some(rest).ok_or_else(|| Error::Address(base_url.to_owned()))
}

/// How long to wait before the next attempt: longer each time, two seconds at most.
pub(crate) fn pause(failures: u32) -> Duration {
    Duration::from_millis(50 << failures.min(5)).min(Duration::from_secs(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_with_nothing_behind_it() {
        assert_eq!(authority("http://127.0.0.1:8080/"), Ok("127.0.0.1:8080"));
        assert_eq!(authority("http://[::1]:80"), Ok("[::1]:80"));
        for text in ["", "127.0.0.1:80", "http://", "http://a/b", "http://me@a", "ftp://a"] {
            assert_eq!(authority(text), Err(Error::Address(text.to_owned())), "{text}");
        }
        let error = authority("https://floor.example").expect_err("no TLS here");
        assert!(error.to_string().contains("no TLS"), "{error}");
    }

    #[test]
    fn pauses_grow_and_end() {
        assert_eq!(pause(0), Duration::from_millis(50));
        assert!(pause(1) > pause(0));
        assert!(pause(u32::MAX) <= Duration::from_secs(2));
    }
}
