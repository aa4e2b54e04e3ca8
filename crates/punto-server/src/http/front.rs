//! The screens: pages and what belongs to them, built from `web/` into this binary.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use super::answer::Problem;
use super::route::{Route, Who};

/// What `vite build` made; nothing where it was not run.
#[derive(Embed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The page for receipts.
const RECEIPT: &str = "receipt.html";

/// What is shown instead of screens that were not built.
const NOT_BUILT: &str = include_str!("pages/welcome.html");

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let page = |path, summary, file: &'static str| {
        Route::get(path, summary, Who::Anyone, async move |headers: HeaderMap| page(file, &headers))
    };
    vec![
        page("/", "The way in", "index.html"),
        page("/terminal", "The Player Terminal", "terminal.html"),
        page("/console", "The Game Console", "console.html"),
        page("/board", "The display board", "board.html"),
        page("/account", "One's own account: second factor, recovery codes", "account.html"),
        page("/invitation", "Choose a password by invitation, and set up a second factor", "account.html"),
        page("/device", "Set up a device that two people enrolled", "device.html"),
        Route::get("/receipt", "The page on which a patron checks a receipt", Who::Anyone, receipt),
        Route::get("/assets/{file}", "What belongs to the screens", Who::Anyone, asset),
    ]
}

fn page(file: &str, headers: &HeaderMap) -> Response {
    match found(file, headers) {
        Some(response) => response,
        None => {
            let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))];
            (StatusCode::OK, kind, NOT_BUILT).into_response()
        }
    }
}

/// One file, script and style included: it brings a policy of its own, which lets these run and no request leave.
async fn receipt(headers: HeaderMap) -> Response {
    let mut response = page(RECEIPT, &headers);
    let own = Dist::get(RECEIPT).and_then(|file| policy(&String::from_utf8_lossy(&file.data)));
    if let Some(policy) = own {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The policy that a page names in itself; in a header it can also say that nobody may put the page into a frame.
fn policy(page: &str) -> Option<HeaderValue> {
    let (_, from) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = from.split_once('"')?;
    HeaderValue::from_str(&format!("{policy}; frame-ancestors 'none'")).ok()
}

async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let mut response = found(&format!("assets/{file}"), &headers).ok_or(Problem::NotFound)?;
    // Its name has a digest of what is in it, so it can be kept for ever.
    let for_ever = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(header::CACHE_CONTROL, for_ever);
    Ok(response)
}

/// A file as the browser likes it best: compressed when the screens were built, if it understands that.
fn found(path: &str, headers: &HeaderMap) -> Option<Response> {
    let plain = Dist::get(path)?;
    let accepts =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let brotli = accepts.split(',').any(|it| it.trim().split(';').next() == Some("br"));
    let compressed = brotli.then(|| Dist::get(&format!("{path}.br"))).flatten();
    let mut answer = HeaderMap::new();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if compressed.is_some() {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    let EmbeddedFile { data, .. } = compressed.unwrap_or(plain);
    Some((answer, data).into_response())
}

/// What kind of file it is; `vite build` makes no others.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
