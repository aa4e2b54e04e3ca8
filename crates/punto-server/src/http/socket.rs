//! The way to the socket: from a page of ours, or from a program.

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, header};
use axum::response::Response;

use super::answer::Problem;
use super::guard::cookie;
use super::route::{Route, Who};
use crate::app::App;
use crate::socket::{BUFFER, talk};
use crate::wire::LONGEST;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let summary = "The socket of a screen: orders and feed. Who it is, its first message says";
    vec![Route::get("/api/socket", summary, Who::Anyone, socket)]
}

async fn socket(
    State(app): State<App>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|_| Problem::Malformed("this is the way to a WebSocket".to_owned()))?;
    // A browser says where the page comes from. Only a page of ours may use the session that its cookie shows.
    let session = match headers.get(header::ORIGIN) {
        None => None,
        Some(origin) if origin.to_str().is_ok_and(|origin| app.door.admits(origin)) => cookie(&headers),
        Some(_) => return Err(Problem::ForeignOrigin),
    };
    let upgrade = upgrade
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(usize::MAX);
    Ok(upgrade.on_upgrade(move |socket| talk(app, socket, session)))
}
