//! Where a request comes from, if a proxy of ours handed it on. What anybody else says about it is worth nothing.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that a request comes from.
///
/// Each proxy writes down, at the end, whom it heard; so the last address that is not a proxy's is the one that a proxy of
/// ours has seen. All before it may be made up. A proxy that keeps one of the two headers may hand on the other as the
/// client wrote it: where they disagree, the proxy's own address counts, which all such clients share.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
    let peer = peer.to_canonical();
    if !proxies.contains(&peer) {
        return peer;
    }
    let forwarded = last_foreign(elements(headers, &header::FORWARDED).map(for_of), proxies);
    let x_forwarded = last_foreign(elements(headers, &X_FORWARDED_FOR).map(Some), proxies);
    match (forwarded, x_forwarded) {
        (Said::Nothing, Said::Address(address)) | (Said::Address(address), Said::Nothing) => address,
        (Said::Address(one), Said::Address(other)) if one == other => one,
        (Said::Address(_) | Said::Nothing | Said::Unreadable, _) => peer,
    }
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Address(IpAddr),
    Unreadable,
}

/// The elements of a list that may stand in several lines, the last first.
fn elements<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines: Vec<&str> = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or("?")).collect();
    lines.into_iter().rev().flat_map(|line| line.rsplit(',')).map(str::trim)
}

/// `for=192.0.2.60;proto=http` without its other parts.
fn for_of(element: &str) -> Option<&str> {
    let mut parts = element.split(';').filter_map(|part| part.trim().split_once('='));
    parts.find(|(name, _)| name.eq_ignore_ascii_case("for")).map(|(_, value)| value)
}

fn last_foreign<'a>(elements: impl Iterator<Item = Option<&'a str>>, proxies: &[IpAddr]) -> Said {
    let mut said = Said::Nothing;
    for element in elements {
        match element.and_then(address) {
            Some(address) if proxies.contains(&address) => said = Said::Address(address),
            Some(address) => return Said::Address(address),
            None => return Said::Unreadable,
        }
    }
    said
}

/// An address with or without a port, IPv6 with or without brackets, quoted or not.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse::<IpAddr>().ok().or_else(with_port).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(peer: &str, lines: &[(&'static str, &str)]) -> String {
        let proxies: Vec<IpAddr> =
            ["10.0.0.1", "10.0.0.2"].iter().map(|it| it.parse().expect("one")).collect();
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().expect("a value"));
        }
        client(peer.parse().expect("an address"), &headers, &proxies).to_string()
    }

    #[test]
    fn only_our_proxies_are_believed_and_only_about_whom_they_heard() {
        let (x, f) = ("x-forwarded-for", "forwarded");
        type Case<'a> = (&'a str, &'a [(&'static str, &'a str)], &'a str);
        let cases: [Case<'_>; 17] = [
            ("192.0.2.7", &[], "192.0.2.7"),
            ("192.0.2.7", &[(x, "198.51.100.1")], "192.0.2.7"),
            ("192.0.2.7", &[(f, "for=198.51.100.1")], "192.0.2.7"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("::ffff:10.0.0.1", &[(x, "198.51.100.1")], "198.51.100.1"),
            // What the client made up stands before what the proxy wrote.
            ("10.0.0.1", &[(x, "203.0.113.9, 198.51.100.1")], "198.51.100.1"),
            ("10.0.0.1", &[(x, "203.0.113.9"), (x, "198.51.100.1")], "198.51.100.1"),
            ("10.0.0.1", &[(x, "203.0.113.9, 198.51.100.1, 10.0.0.2")], "198.51.100.1"),
            ("10.0.0.1", &[(x, "10.0.0.2")], "10.0.0.2"),
            ("10.0.0.1", &[(f, "for=203.0.113.9, For=\"[2001:db8::7]:4711\";proto=https")], "2001:db8::7"),
            ("10.0.0.1", &[(f, "proto=https;for=198.51.100.1:80")], "198.51.100.1"),
            ("10.0.0.1", &[(f, "for=198.51.100.1, for=unknown")], "10.0.0.1"),
            ("10.0.0.1", &[(f, "for=198.51.100.1, proto=http")], "10.0.0.1"),
            ("10.0.0.1", &[(x, "198.51.100.1, nonsense")], "10.0.0.1"),
            ("10.0.0.1", &[(x, "198.51.100.1"), (f, "for=203.0.113.9")], "10.0.0.1"),
            ("10.0.0.1", &[(x, "198.51.100.1"), (f, "for=198.51.100.1")], "198.51.100.1"),
            ("10.0.0.1", &[(x, "198.51.100.1"), (f, "nonsense")], "10.0.0.1"),
        ];
        for (peer, lines, expected) in cases {
            assert_eq!(client_of(peer, lines), expected, "{peer} {lines:?}");
        }
    }
}
