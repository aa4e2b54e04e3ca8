//! What a request says: a body that is JSON, short, in time, and with nothing in it that nobody knows; names in its path;
//! questions behind the `?`.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use super::answer::Problem;

/// The longest body, in bytes.
pub const LONGEST: usize = 64 * 1024;

/// How long it may take to come.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body, read strictly. Types that come this way deny unknown fields.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Body<T>, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::NotJson);
        }
        let read = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), LONGEST));
        let bytes = read.await.map_err(|_| Problem::TooSlow)?.map_err(|_| Problem::TooLong)?;
        serde_json::from_slice(&bytes).map(Body).map_err(|error| Problem::Malformed(error.to_string()))
    }
}

/// What stands in the path.
#[derive(Clone, Copy, Debug)]
pub struct Named<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named<T>, Problem> {
        let named = Path::<T>::from_request_parts(parts, state).await;
        named.map(|Path(named)| Named(named)).map_err(|error| Problem::Malformed(error.body_text()))
    }
}

/// What stands behind the `?`. Types that come this way deny unknown fields.
#[derive(Clone, Copy, Debug)]
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Problem> {
        let asked = Query::<T>::from_request_parts(parts, state).await;
        asked.map(|Query(asked)| Asked(asked)).map_err(|error| Problem::Malformed(error.body_text()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, parameters) = kind.split_once(';').unwrap_or((kind, ""));
    let charset = parameters.trim();
    kind.trim().eq_ignore_ascii_case("application/json")
        && (charset.is_empty() || charset.eq_ignore_ascii_case("charset=utf-8"))
}
