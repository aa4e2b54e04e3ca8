//! Connections that say nothing, too little, or read nothing; more of them than allowed; and requests that mean another
//! server. Whatever strangers do to the port, those who are there go on.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::caller::{House, PASSWORD, Who, door};
use axum::http::Method;
use punto_server::app::Door;
use punto_server::http::limit::Limit;
use punto_server::listen::{Caps, Listen, Times, Tls};
use punto_server::register::Cost;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// Short, so that tests are; and long enough for a machine that does much else.
const SHORT: Duration = Duration::from_millis(700);
/// How long something may take that must happen.
const PATIENCE: Duration = Duration::from_secs(30);

const HEALTH: &[u8] = b"GET /api/health HTTP/1.1\r\nhost: floor.example\r\n\r\n";

async fn house(caps: Caps) -> House {
    let mut house = House::closed(door(), Cost::trifling()).await;
    let times = Times { handshake: SHORT, head: SHORT, write: SHORT };
    house.serve_by(Listen { caps, times, tls: None }).await;
    house
}

async fn knock(house: &House) -> TcpStream {
    TcpStream::connect(house.address).await.expect("connected")
}

/// Everything until the server hangs up, and how long that took.
async fn until_the_end(stream: &mut TcpStream) -> (Vec<u8>, Duration) {
    let (since, mut heard) = (Instant::now(), Vec::new());
    // A reset is an end as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut heard)).await.expect("the server hangs up");
    (heard, since.elapsed())
}

async fn one_answer(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    while !heard.ends_with(b"}") {
        let read = timeout(PATIENCE, stream.read(&mut buffer)).await.expect("an answer").expect("an answer");
        assert!(read > 0, "hung up after {:?}", String::from_utf8_lossy(&heard));
        heard.extend(&buffer[..read]);
    }
    String::from_utf8(heard).expect("text")
}

#[tokio::test]
async fn whoever_says_nothing_or_too_slowly_is_cut_off() {
    let house = house(Caps::default()).await;
    // Nothing at all.
    let (heard, took) = until_the_end(&mut knock(&house).await).await;
    assert!(heard.is_empty() && took >= SHORT / 2, "{took:?}");
    // A head that never ends, a few bytes at a time: what counts is the whole.
    let stream = knock(&house).await;
    let (mut read, mut write) = stream.into_split();
    let dripping = tokio::spawn(async move {
        write.write_all(b"GET /api/health HTTP/1.1\r\nhost: floor.example\r\n").await.expect("said");
        for n in 0.. {
            sleep(SHORT / 10).await;
            if write.write_all(format!("x-{n}: 1\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    });
    let since = Instant::now();
    let mut heard = Vec::new();
    let _ = timeout(PATIENCE, read.read_to_end(&mut heard)).await.expect("the server hangs up");
    assert!(!String::from_utf8_lossy(&heard).starts_with("HTTP/1.1 200"), "the head never ended");
    assert!(since.elapsed() >= SHORT / 2);
    timeout(PATIENCE, dripping).await.expect("nobody listens any more").expect("no panic");
    // Idle after an answer.
    let mut idle = knock(&house).await;
    idle.write_all(HEALTH).await.expect("said");
    assert!(one_answer(&mut idle).await.starts_with("HTTP/1.1 200"));
    idle.write_all(HEALTH).await.expect("kept alive");
    assert!(one_answer(&mut idle).await.starts_with("HTTP/1.1 200"));
    let (heard, _) = until_the_end(&mut idle).await;
    assert!(heard.is_empty());
    // A head without end, as quickly as it can be said.
    let mut long = knock(&house).await;
    let _ = long.write_all(b"GET / HTTP/1.1\r\nhost: floor.example\r\nx: ").await;
    for _ in 0..64 {
        if long.write_all(&[b'x'; 16 * 1024]).await.is_err() {
            break;
        }
    }
    let (heard, _) = until_the_end(&mut long).await;
    assert!(heard.is_empty() || heard.starts_with(b"HTTP/1.1 431"), "{:?}", String::from_utf8_lossy(&heard));
}

/// Many requests, and no answer is ever read: the buffers of the system fill, and then the time runs.
#[tokio::test]
async fn whoever_does_not_read_is_cut_off() {
    let caps = Caps::default();
    let house = house(caps.clone()).await;
    let mut stream = knock(&house).await;
    // The requests fit into the buffers of the system; the answers, some tens of megabytes, do not.
    let asked = b"GET /api/openapi.json HTTP/1.1\r\nhost: floor.example\r\n\r\n".repeat(128);
    stream.write_all(&asked).await.expect("said");
    timeout(PATIENCE, async {
        while caps.open() == 0 {
            tokio::task::yield_now().await;
        }
        while caps.open() > 0 {
            sleep(SHORT / 10).await;
        }
    })
    .await
    .expect("nothing is left of it");
    assert_eq!(house.get("/api/health", &Who::Nobody).await.status, 200);
}

#[tokio::test]
async fn one_address_and_all_together_have_only_so_many() {
    let caps = Caps::new(8, 3, Vec::new());
    let house = house(caps.clone()).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = knock(&house).await;
        stream.write_all(HEALTH).await.expect("said");
        assert!(one_answer(&mut stream).await.starts_with("HTTP/1.1 200"));
        held.push(stream);
    }
    let (heard, took) = until_the_end(&mut knock(&house).await).await;
    assert!(heard.is_empty() && took < SHORT / 2, "at once: {took:?}");
    // Those who are there go on, and a place that was given back is free.
    held[0].write_all(HEALTH).await.expect("said");
    assert!(one_answer(&mut held[0]).await.starts_with("HTTP/1.1 200"));
    held.pop();
    let free = timeout(PATIENCE, async {
        while caps.open() > 2 {
            sleep(Duration::from_millis(5)).await;
        }
    });
    free.await.expect("given back");
    assert_eq!(house.get("/api/health", &Who::Nobody).await.status, 200);
}

/// A socket counts as long as it is open, not only until it was upgraded.
#[tokio::test]
async fn sockets_count_as_long_as_they_are_open() {
    let caps = Caps::new(8, 2, Vec::new());
    let house = house(caps.clone()).await;
    let url = format!("ws://{}/api/socket", house.address);
    let mut request = url.into_client_request().expect("a request");
    request.headers_mut().insert("host", "floor.example".parse().expect("a value"));
    let (first, _) = tokio_tungstenite::connect_async(request.clone()).await.expect("a socket");
    let (second, _) = tokio_tungstenite::connect_async(request.clone()).await.expect("a socket");
    sleep(SHORT * 2).await;
    assert_eq!(caps.open(), 2, "an open socket is not idle HTTP");
    assert!(tokio_tungstenite::connect_async(request).await.is_err(), "no third one");
    drop((first, second));
    timeout(PATIENCE, async {
        while caps.open() > 0 {
            sleep(SHORT / 10).await;
        }
    })
    .await
    .expect("given back");
}

/// HTTP/2 is not spoken, neither from the start nor by an upgrade.
#[tokio::test]
async fn there_is_no_http_2() {
    let house = house(Caps::default()).await;
    let mut stream = knock(&house).await;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("said");
    let (heard, _) = until_the_end(&mut stream).await;
    assert!(heard.is_empty() || heard.starts_with(b"HTTP/1.1 400"), "{:?}", String::from_utf8_lossy(&heard));
    let settings =
        [("connection", "upgrade, http2-settings"), ("upgrade", "h2c"), ("http2-settings", "AAMAAABk")];
    let answer = house.ask(Method::GET, "/api/health", &settings, None).await;
    assert_eq!(answer.status, 200, "it is answered in the language it came in");
}

#[tokio::test]
async fn a_request_that_names_another_server_is_refused() {
    let house = house(Caps::default()).await;
    let ask = async |head: &str| {
        let mut stream = knock(&house).await;
        stream.write_all(format!("{head}\r\nconnection: close\r\n\r\n").as_bytes()).await.expect("said");
        let (heard, _) = until_the_end(&mut stream).await;
        let heard = String::from_utf8(heard).expect("text");
        heard.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok()).unwrap_or(0)
    };
    for (path, status) in [("/api/health", 200), ("/", 200), ("/api/nothing", 404), ("/api/session", 401)] {
        assert_eq!(ask(&format!("GET {path} HTTP/1.1\r\nhost: floor.example:8080")).await, status, "{path}");
        for foreign in ["rebound.example", "rebound.example:8080", "127.0.0.1.rebound.example", "localhost"] {
            let asked = format!("GET {path} HTTP/1.1\r\nhost: {foreign}");
            assert_eq!(ask(&asked).await, 421, "{path} at {foreign}");
        }
    }
    let absolute = "GET http://rebound.example/api/health HTTP/1.1\r\nhost: floor.example";
    assert_eq!(ask(absolute).await, 421);
    assert_eq!(ask("GET /api/health HTTP/1.1\r\nx: y").await, 400);
    assert_eq!(ask("GET /api/health HTTP/1.1\r\nhost: floor.example\r\nhost: rebound.example").await, 400);
    assert_eq!(ask("GET /api/health HTTP/1.1\r\nhost: floor.example/..").await, 400);
}

/// Whoever hides behind a made-up address is counted where they are; behind a proxy of ours everybody is counted alone.
#[tokio::test]
async fn addresses_are_believed_only_of_our_proxies() {
    let guess = json!({"invitation": "0".repeat(64), "password": PASSWORD}).to_string();
    for (proxies, expected) in [(vec![], [409, 429, 429]), (vec!["127.0.0.1"], [409, 409, 429])] {
        let proxies = proxies.into_iter().map(|it| it.parse().expect("an address")).collect();
        let mut house = House::closed(Door { proxies, ..door() }, Cost::trifling()).await;
        house.app.limit = Limit::new(1, 60_000).into();
        house.serve().await;
        let mut heard = Vec::new();
        for from in ["198.51.100.1", "198.51.100.2", "198.51.100.2"] {
            let headers = [("content-type", "application/json"), ("x-forwarded-for", from)];
            heard.push(
                house.ask(Method::POST, "/api/password", &headers, Some(guess.as_bytes())).await.status,
            );
        }
        assert_eq!(heard, expected);
    }
}

fn certify(folder: &std::path::Path) -> (Arc<Tls>, rustls::pki_types::CertificateDer<'static>) {
    let der = write_certificate(folder);
    let tls = Tls::read(folder.join("tls.pem"), folder.join("tls.key")).expect("certificate and key");
    (Arc::new(tls), der)
}

fn write_certificate(folder: &std::path::Path) -> rustls::pki_types::CertificateDer<'static> {
    let certified = rcgen::generate_simple_self_signed(vec!["floor.example".to_owned()]).expect("certified");
    std::fs::write(folder.join("tls.pem"), certified.cert.pem()).expect("written");
    let key = folder.join("tls.key");
    std::fs::write(&key, certified.signing_key.serialize_pem()).expect("written");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o640)).expect("permitted");
    certified.cert.der().clone()
}

/// One request over TLS by somebody who trusts only this certificate.
fn ask_over_tls(
    address: std::net::SocketAddr,
    trusted: &rustls::pki_types::CertificateDer<'_>,
) -> std::io::Result<String> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(trusted.clone().into_owned()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let name = "floor.example".try_into().expect("a name");
    let client = rustls::ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut stream = rustls::StreamOwned::new(client, std::net::TcpStream::connect(address)?);
    stream.write_all(b"GET /api/health HTTP/1.1\r\nhost: floor.example\r\nconnection: close\r\n\r\n")?;
    let mut heard = String::new();
    stream.read_to_string(&mut heard)?;
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));
    Ok(heard)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_is_renewed_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tls, first) = certify(folder.path());
    let mut house = House::closed(door(), Cost::trifling()).await;
    let times = Times { handshake: SHORT, ..Times::default() };
    house.serve_by(Listen { tls: Some(tls.clone()), times, ..Listen::default() }).await;
    let address = house.address;
    let ask = async |trusted: &rustls::pki_types::CertificateDer<'static>| {
        let trusted = trusted.clone();
        tokio::task::spawn_blocking(move || ask_over_tls(address, &trusted)).await.expect("no panic")
    };
    assert!(ask(&first).await.expect("an answer").starts_with("HTTP/1.1 200"));
    // Half of a handshake is no connection for long, and HTTP in clear is none at all.
    let mut half = knock(&house).await;
    half.write_all(&[0x16, 3, 1, 2, 0, 1]).await.expect("said");
    until_the_end(&mut half).await;
    let mut clear = knock(&house).await;
    clear.write_all(HEALTH).await.expect("said");
    let (heard, _) = until_the_end(&mut clear).await;
    assert!(!heard.starts_with(b"HTTP"), "{heard:?}");

    assert!(!tls.read_again().expect("readable"), "nothing changed");
    // Written half, missing, or not what it should be: the one before stays in use.
    std::fs::write(folder.path().join("tls.pem"), "nonsense").expect("written");
    assert!(tls.read_again().is_err());
    std::fs::remove_file(folder.path().join("tls.pem")).expect("removed");
    assert!(tls.read_again().is_err());
    let second = write_certificate(folder.path());
    let key = std::fs::read(folder.path().join("tls.key")).expect("a key");
    write_certificate(folder.path());
    let other = std::fs::read(folder.path().join("tls.key")).expect("a key");
    let third = std::fs::read(folder.path().join("tls.pem")).expect("a certificate");
    std::fs::write(folder.path().join("tls.key"), &key).expect("written");
    assert!(tls.read_again().is_err(), "the key is of another certificate");
    assert!(ask(&first).await.expect("an answer").starts_with("HTTP/1.1 200"));
    std::fs::write(folder.path().join("tls.key"), &other).expect("written");
    std::fs::write(folder.path().join("tls.pem"), &third).expect("written");
    let permit = |mode| {
        let permitted = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.path().join("tls.key"), permitted).expect("permitted");
    };
    permit(0o644);
    let public = tls.read_again().expect_err("everybody can read the key").to_string();
    assert!(public.contains("chmod o="), "{public}");
    permit(0o600);
    assert!(tls.read_again().expect("good"));
    assert!(ask(&first).await.is_err() && ask(&second).await.is_err(), "the third is in use");
    assert!(!format!("{tls:?}").contains("PRIVATE"));
}
