//! Whether a request means this server. A page from elsewhere can have its own name point here (DNS rebinding) and then
//! counts as ours to the browser; the name that it uses is in `Host`.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::answer::Problem;
use crate::app::{App, Door};

/// Lets a request in that names this server.
pub(super) async fn check(app: App, request: Request, next: Next) -> Response {
    match names_us(&app.door, request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn names_us(door: &Door, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let malformed = || Problem::Malformed("a request has one header `host`".to_owned());
    let mut named = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else { return Err(malformed()) };
    let host: Authority = host.as_bytes().try_into().map_err(|_| malformed())?;
    // A request line may name a server as well, and then it is the one that is meant.
    let admitted = std::iter::once(host.host()).chain(uri.host()).all(|host| admits(door, host));
    if admitted { Ok(()) } else { Err(Problem::ForeignHost) }
}

/// Ports are left out: who forwards one chooses another, and a name that points here is foreign at any.
fn admits(door: &Door, host: &str) -> bool {
    let own = |origin: &String| {
        let uri: Option<Uri> = origin.parse().ok();
        uri.is_some_and(|uri| uri.host().is_some_and(|own| own.eq_ignore_ascii_case(host)))
    };
    if door.origins.iter().any(own) {
        return true;
    }
    let Some(listens) = door.listens else { return false };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    match address.parse::<IpAddr>() {
        // An address cannot be made to point elsewhere.
        Ok(address) => {
            let address = address.to_canonical();
            address == listens || listens.is_unspecified() || (address.is_loopback() && listens.is_loopback())
        }
        Err(_) => {
            host.eq_ignore_ascii_case("localhost") && (listens.is_loopback() || listens.is_unspecified())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_of_this_server_and_no_others() {
        let origins = vec!["https://floor.example:8443".to_owned(), "https://other.example".to_owned()];
        let listening =
            |on: &str| Door { origins: origins.clone(), listens: on.parse().ok(), ..Door::default() };
        type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);
        let cases: [Case<'_>; 4] = [
            (
                "127.0.0.1",
                &[
                    "127.0.0.1",
                    "127.0.0.2",
                    "[::1]",
                    "localhost",
                    "LocalHost",
                    "Floor.Example",
                    "other.example",
                ],
                &["10.0.0.1", "[2001:db8::1]", "rebound.example", "floor.example.rebound.example", "0.0.0.0"],
            ),
            (
                "10.1.2.3",
                &["10.1.2.3", "[::ffff:10.1.2.3]", "floor.example"],
                &["localhost", "127.0.0.1", "10.1.2.4"],
            ),
            (
                "0.0.0.0",
                &["10.1.2.3", "[2001:db8::1]", "localhost", "127.0.0.1"],
                &["rebound.example", "0x7f.1"],
            ),
            ("::", &["10.1.2.3", "[::1]", "localhost"], &["rebound.example", "xn--localhost"]),
        ];
        for (on, ours, others) in cases {
            for host in ours {
                assert!(admits(&listening(on), host), "{host} at {on}");
            }
            for host in others {
                assert!(!admits(&listening(on), host), "{host} at {on}");
            }
        }
    }
}
