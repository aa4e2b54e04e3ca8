//! The HTTP door: everything administrative, and reading. What there is stands in one table of routes.

pub mod answer;
pub mod approvals;
pub mod body;
pub mod clock;
pub mod devices;
pub mod factor;
mod forwarded;
pub mod front;
pub mod guard;
mod host;
pub mod house;
pub mod known;
pub mod limit;
pub mod metrics;
pub mod pages;
pub mod password;
pub mod receipts;
pub mod register;
pub mod reports;
pub mod rounds;
pub mod route;
pub mod rules;
pub mod session;
pub mod socket;
pub mod staff;
pub mod staffing;
pub mod study;
pub mod tables;
pub mod tickets;
pub mod witnesses;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::Response;

use crate::app::App;
use answer::Problem;
use route::Route;

/// Everything that there is.
pub fn routes() -> Vec<Route> {
    [
        session::routes(),
        password::routes(),
        factor::routes(),
        approvals::routes(),
        staff::routes(),
        staffing::routes(),
        devices::routes(),
        tables::routes(),
        rules::routes(),
        rounds::routes(),
        receipts::routes(),
        tickets::routes(),
        study::routes(),
        reports::routes(),
        house::routes(),
        clock::routes(),
        register::routes(),
        witnesses::routes(),
        metrics::routes(),
        socket::routes(),
        front::routes(),
        pages::routes(),
    ]
    .concat()
}

/// The router: each route behind its guard, and nothing without one.
pub fn router(app: App) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let (to, path, service) = (app.clone(), route.path, route.service.clone());
        let guard =
            move |request: Request, next: Next| guard::guard(to.clone(), route.clone(), request, next);
        router = router.route(path, service.layer(from_fn(guard)));
    }
    let (secure, to) = (app.door.secure, app.clone());
    let names_us = move |request: Request, next: Next| host::check(to.clone(), request, next);
    router
        .fallback(async || Problem::NotFound)
        .method_not_allowed_fallback(async || Problem::NoSuchMethod)
        .layer(DefaultBodyLimit::max(body::LONGEST))
        .layer(from_fn(names_us))
        .layer(map_response(move |response: Response| std::future::ready(with_headers(response, secure))))
        .with_state(app)
}

/// What every answer says to browsers: nothing from elsewhere, in nobody's frame, kept by nobody. A page that wants to be
/// kept says so itself.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

fn with_headers(mut response: Response, secure: bool) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if secure {
        let a_year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, a_year);
    }
    response
}
