//! The few pages that need no front end, and the descriptions of the API.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::route::{Route, Who};

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let page = |path, summary, kind: &'static str, text: &'static str| {
        Route::get(path, summary, Who::Anyone, async move || of_kind(kind, text))
    };
    vec![
        page(
            "/page.css",
            "The looks of plain pages",
            "text/css; charset=utf-8",
            include_str!("pages/page.css"),
        ),
        Route::get("/api/openapi.json", "This description", Who::Anyone, openapi),
        Route::get("/api/protocol.json", "The messages of the socket, as JSON Schema", Who::Anyone, protocol),
    ]
}

fn of_kind(kind: &'static str, text: impl IntoResponse) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

async fn openapi() -> Response {
    of_kind("application/json", crate::schema::openapi(&super::routes()).to_string())
}

async fn protocol() -> Response {
    of_kind("application/schema+json", crate::schema::protocol(&super::routes()).to_string())
}
