//! The guard at every route: who is it, may they, and does the page that asks belong to this server.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq as _;

use super::answer::Problem;
use super::forwarded;
use super::route::{Route, Who};
use crate::app::App;
use crate::register::{Device, Register, Secret, Staff};

/// The cookie of a session.
pub const COOKIE: &str = "punto-session";

/// The header with the token of the session, which only a page of this server can know.
pub const CSRF: &str = "x-punto-csrf";

/// Who is calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody that is known.
    Nobody,
    /// An enrolled device.
    Device(Device),
    /// A member of staff, and what they showed for it.
    Staff(Staff, Secret),
}

impl Caller {
    fn may(&self, who: Who) -> Result<(), Problem> {
        match (self, who) {
            (_, Who::Anyone) => Ok(()),
            (Caller::Nobody, Who::Device(_) | Who::Staff(_) | Who::DeviceOrStaff(..)) => {
                Err(Problem::NotSignedIn)
            }
            (Caller::Device(device), who) if who.admits_device(device.kind.screen()) => Ok(()),
            (Caller::Staff(staff, _), who) if who.admits_staff(staff.role) => Ok(()),
            (
                Caller::Device(_) | Caller::Staff(..),
                Who::Device(_) | Who::Staff(_) | Who::DeviceOrStaff(..),
            ) => Err(Problem::NotAllowed),
        }
    }

    /// The member of staff, if it is one.
    pub const fn staff(&self) -> Option<&Staff> {
        match self {
            Caller::Staff(staff, _) => Some(staff),
            Caller::Nobody | Caller::Device(_) => None,
        }
    }
}

/// What the guard found out, for handlers.
impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Problem> {
        let found = parts.extensions.get::<Caller>().cloned();
        found.ok_or_else(|| Problem::internal("a route without a guard"))
    }
}

/// The member of staff who is signed in, for handlers of routes that nobody else comes in by.
impl<S: Sync> FromRequestParts<S> for Staff {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Staff, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        caller.staff().cloned().ok_or(Problem::NotSignedIn)
    }
}

/// Lets a request in, or not.
pub(super) async fn guard(app: App, route: Route, request: Request, next: Next) -> Response {
    match admit(&app, &route, request).await {
        Ok(request) if request.method().is_safe() => next.run(request).await,
        // Whoever hangs up in the middle does not stop what was begun: a change without its deed.
        Ok(request) => match tokio::spawn(async move { next.run(request).await }).await {
            Ok(response) => response,
            Err(error) => Problem::internal(error).into_response(),
        },
        Err(problem) => problem.into_response(),
    }
}

async fn admit(app: &App, route: &Route, mut request: Request<Body>) -> Result<Request, Problem> {
    let safe = request.method().is_safe();
    if !safe && let Some(origin) = request.headers().get(header::ORIGIN) {
        let admitted = origin.to_str().is_ok_and(|origin| app.door.admits(origin));
        if !admitted {
            return Err(Problem::ForeignOrigin);
        }
    }
    let (caller, by_cookie) = caller(app, request.headers(), route.unattended).await?;
    if route.guessable {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        let from = peer.map(|peer| forwarded::client(peer, request.headers(), &app.door.proxies));
        let counted = app.counted(request.headers(), &caller, from).await?;
        app.limit.take(counted, app.clock.now()).map_err(Problem::TooOften)?;
    }
    caller.may(route.who)?;
    // What anybody may do, they may do as nobody.
    if caller.staff().is_some_and(|staff| staff.must_enrol) && !route.enrols && route.who != Who::Anyone {
        return Err(Problem::FactorNeeded);
    }
    if by_cookie && !safe {
        shows_token(&caller, request.headers())?;
    }
    request.extensions_mut().insert(caller);
    Ok(request)
}

/// Who it is, and whether only a cookie says so: browsers send those by themselves, whoever made them ask. What stands in
/// `Authorization` was put there on purpose, so a cookie beside it is not looked at.
async fn caller(app: &App, headers: &HeaderMap, unattended: bool) -> Result<(Caller, bool), Problem> {
    if let Some(authorization) = headers.get(header::AUTHORIZATION) {
        let token = authorization.to_str().ok().and_then(|it| it.strip_prefix("Bearer ")).map(str::to_owned);
        return Ok((app.bearer(token.unwrap_or_default(), unattended).await?, false));
    }
    match cookie(headers) {
        Some(token) => Ok((app.session(token, unattended).await?, true)),
        None => Ok((Caller::Nobody, false)),
    }
}

/// The cookie of the session.
pub fn cookie(headers: &HeaderMap) -> Option<String> {
    cookie_named(headers, COOKIE)
}

/// A cookie by its name. Of two that differ neither counts: somebody has set one for a whole domain.
pub(super) fn cookie_named(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut found = cookies(headers).filter_map(|(it, value)| (it == name).then_some(value));
    let first = found.next()?;
    found.all(|other| other == first).then(|| first.to_owned())
}

/// All cookies: name and value.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

fn shows_token(caller: &Caller, headers: &HeaderMap) -> Result<(), Problem> {
    let Caller::Staff(_, secret) = caller else { return Ok(()) };
    let shown = headers.get(CSRF).map_or(&b""[..], |value| value.as_bytes());
    if shown.ct_eq(secret.csrf().as_bytes()).into() { Ok(()) } else { Err(Problem::Csrf) }
}

impl App {
    async fn session(&self, token: String, unattended: bool) -> Result<Caller, Problem> {
        let Some(secret) = Secret::parse(&token) else { return Ok(Caller::Nobody) };
        let whose = move |register: &Register, now| match unattended {
            true => register.whose_unused(&token, now),
            false => register.whose(&token, now),
        };
        let staff = self.ask(whose).await?;
        Ok(staff.map_or(Caller::Nobody, |staff| Caller::Staff(staff, secret)))
    }

    async fn bearer(&self, token: String, unattended: bool) -> Result<Caller, Problem> {
        let credential = token.clone();
        match self.ask(move |register, _| register.device(&credential)).await? {
            Some(device) => Ok(Caller::Device(device)),
            None => self.session(token, unattended).await,
        }
    }
}
