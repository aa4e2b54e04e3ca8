//! What only a PostgreSQL can do to a ledger: other sessions, lost connections, a commit that fails.

use std::thread;
use std::time::{Duration, Instant};

use crate::ledgers::*;
use crate::postgres_server::{Server, ask, database, run, server};
use punto_ledger::{Error, Place, Reader, Receipt, Vault, fingerprint};
use punto_record::{Chain, Commit, Seq};

fn url(place: &Place) -> &str {
    match place {
        Place::Database(url) => url,
        Place::File(_) | Place::Memory => unreachable!("these tests are about databases"),
    }
}

fn size(vault: &mut Vault) -> u64 {
    fingerprint(&mut vault.reader(), &mut |_| {}).expect("chains").size
}

/// Puts an entry in without asking for the fence.
fn insert(leaf: u64, volume: i64, seq: u64) -> String {
    format!("INSERT INTO punto.entry VALUES ({leaf}, {volume}, {seq}, '', decode(repeat('00', 32), 'hex'))")
}

type Append = fn(&mut Vault) -> Result<Receipt, Error>;

/// The three ways that a batch takes to the database: alone, with tickets, with a new volume.
const WAYS: [Append; 3] = [
    |vault| {
        let append = batch(vault, &table(1), 2);
        vault.append(&[append]).remove(0)
    },
    |vault| {
        // Another ticket each time: one that was issued is refused before anything is sent.
        let n = vault.head(&table(1)).seq.0;
        let append = batch_with(vault, &table(1), 2, vec![issued(n)]);
        vault.append(&[append]).remove(0)
    },
    |vault| {
        let append = batch(vault, &table(9), 2);
        vault.append(&[append]).remove(0)
    },
];

#[test]
fn another_ones_entry_is_a_conflict_and_the_rest_is_written() {
    let place = database();
    let mut vault = found(&place);
    append(&mut vault, &table(1), 3);
    append(&mut vault, &table(2), 3);
    run(url(&place), &insert(900, 2, 4)).expect("somebody else's entry");
    let group = [batch(&vault, &table(1), 1), batch(&vault, &table(2), 1)];
    let results = vault.append(&group);
    let conflict = Error::Conflict { volume: table(1), expect: Seq(3), found: Seq(4) };
    assert_eq!(results[0], Err(conflict));
    assert_eq!(results[1].as_ref().map(Receipt::leaf), Ok(9));
}

#[test]
fn another_ones_leaf_stops_the_writer() {
    for write in WAYS {
        let place = database();
        let mut vault = found(&place);
        append(&mut vault, &table(1), 3);
        run(url(&place), &insert(6, 1, 3)).expect("somebody else's entry");
        assert_eq!(write(&mut vault), Err(Error::ForeignRows));
        assert!(matches!(write(&mut vault), Err(Error::Stopped(_))));
        assert_eq!(vault.reader().size(), Ok(6), "nothing more");
        assert_eq!(vault.reader().volumes().map(|all| all.len()), Ok(2));
    }
}

#[test]
fn a_lost_connection_stops_the_writer_and_loses_nothing() {
    for write in WAYS {
        let place = database();
        let mut vault = found(&place);
        append(&mut vault, &table(1), 3);
        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                   WHERE application_name LIKE 'punto%' AND datname = current_database()";
        run(url(&place), end).expect("ended");
        let lost = write(&mut vault).expect_err("no connection");
        assert!(matches!(lost, Error::Failed(_)), "{lost}");
        assert!(matches!(write(&mut vault), Err(Error::Stopped(_))));
        drop(vault);
        let mut vault = open(&place);
        assert_eq!(size(&mut vault), 5);
        write(&mut vault).expect("a receipt");
        assert_eq!(size(&mut vault), 7);
    }
}

/// A writer that loses its connection goes on where nobody came instead of it, and stays out where another one did.
#[test]
fn a_writer_that_was_replaced_stays_out() {
    let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
               WHERE application_name LIKE 'punto%' AND datname = current_database()";
    for write in WAYS {
        let place = database();
        let mut first = found(&place);
        append(&mut first, &table(1), 3);
        run(url(&place), end).expect("ended");
        write(&mut first).expect_err("no connection");
        first.recover().expect("nobody else came");
        write(&mut first).expect("a receipt");

        run(url(&place), end).expect("ended");
        write(&mut first).expect_err("no connection");
        run(url(&place), TAKEN).expect("another one writes now");
        for _ in 0..3 {
            assert_eq!(first.recover(), Err(Error::Fenced));
            assert!(write(&mut first).is_err());
        }
        drop(first);
        run(url(&place), "UPDATE punto.lease SET owner = NULL").expect("it has stopped");
        append(&mut open(&place), &table(2), 1);
    }
}

/// What another process does that takes the lease.
const TAKEN: &str = "
UPDATE punto.writer SET fence = fence + 1;
UPDATE punto.lease SET owner = 'another', claim = NULL, beat = beat + 1, term = fence FROM punto.writer";

/// A writer that lost its lease notices by itself, though nobody has anything to write, and says nothing more.
#[test]
fn a_writer_that_was_replaced_notices_by_itself() {
    let place = database();
    let mut first = found(&place);
    append(&mut first, &table(1), 3);
    run(url(&place), TAKEN).expect("another one writes now");
    let start = Instant::now();
    while first.stopped().is_none() {
        assert!(start.elapsed() < Duration::from_secs(6), "a lease is over");
        thread::yield_now();
    }
    assert_eq!(first.stopped(), Some(&Error::Fenced));
    assert_eq!(first.recover(), Err(Error::Fenced));
}

/// A crashed owner gives nothing back: its beat must stand still for a whole lease, seen without a break.
#[test]
fn a_lease_that_was_not_given_back_is_waited_for() {
    let server = Server::start();
    let place = Place::Database(server.new_database());
    append(&mut found(&place), &table(1), 3);
    run(url(&place), "UPDATE punto.lease SET owner = 'a process that is gone'").expect("as after a crash");
    let start = Instant::now();
    let opening = thread::spawn({
        let place = place.clone();
        move || {
            let mut told = Vec::new();
            let opened =
                Vault::open_telling(&place, key(1), release(), &mut |owner| told.push(owner.to_owned()));
            (opened, told)
        }
    });
    let watched = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'punto'
                   AND datname = current_database() AND query LIKE '%punto.lease%')";
    while !ask(url(&place), watched) {
        thread::yield_now();
    }
    while start.elapsed() < Duration::from_secs(3) {
        thread::sleep(Duration::from_millis(50));
    }
    server.restart_after(Duration::ZERO);
    let back = Instant::now();
    let (opened, told) = opening.join().expect("a thread");
    assert!(back.elapsed() >= Duration::from_secs(6), "counted anew: {:?}", back.elapsed());
    eprintln!("taken {:?} after the start and {:?} after the restart", start.elapsed(), back.elapsed());
    assert!(told.len() == 1 && told[0].starts_with("a process that is gone (term "), "{told:?}");
    append(&mut opened.expect("it is free now"), &table(1), 1);
}

/// While a standby must confirm and none is there, a commit has no end. It gets no receipt, time-outs of the server call
/// nothing done that is not, and when the standby is there play goes on with what the record has.
#[test]
fn a_commit_without_an_end_is_no_receipt() {
    let server = Server::start();
    let place = Place::Database(server.new_database());
    let mut vault = found(&place);
    append(&mut vault, &table(1), 3);
    let standby = |names: &str| {
        run(url(&place), &format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"))
            .expect("a setting");
        run(url(&place), "SELECT pg_reload_conf()").expect("read again");
        while !ask(url(&place), &format!("SELECT current_setting('synchronous_standby_names') = '{names}'")) {
            thread::yield_now();
        }
    };
    standby("nobody");
    let start = Instant::now();
    let error = WAYS[0](&mut vault).expect_err("no receipt");
    assert!(matches!(error, Error::Unreachable(_)), "{error}");
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    for _ in 0..2 {
        vault.recover().expect_err("it still has no end");
        assert!(vault.stopped().is_some());
    }
    standby("");
    let start = Instant::now();
    while let Err(error) = vault.recover() {
        assert!(!matches!(error, Error::Fenced), "nobody else came");
        assert!(start.elapsed() < Duration::from_secs(20), "{error}");
    }
    assert_eq!(size(&mut vault), 7, "it was written once");
    WAYS[0](&mut vault).expect("a receipt");
    assert_eq!(size(&mut vault), 9);
}

/// What happens at the commit itself is no receipt, however well everything before it went.
#[test]
fn a_commit_that_fails_is_no_receipt() {
    for ends in ["PERFORM pg_terminate_backend(pg_backend_pid(), 10000)", "RAISE EXCEPTION 'at the end'"] {
        for write in WAYS {
            let place = database();
            let mut vault = found(&place);
            append(&mut vault, &table(1), 3);
            let at_commit = format!(
                "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN {ends}; RETURN NULL; END $$;
                 CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON punto.entry
                 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()"
            );
            run(url(&place), &at_commit).expect("a trigger");
            let failed = write(&mut vault).expect_err("no receipt");
            assert!(matches!(failed, Error::Failed(_)), "{failed}");
            run(url(&place), "DROP TRIGGER fails ON punto.entry").expect("no trigger");
            assert!(matches!(write(&mut vault), Err(Error::Stopped(_))), "nothing is tried again");
            drop(vault);
            let mut vault = open(&place);
            assert_eq!(size(&mut vault), 5);
            write(&mut vault).expect("a receipt");
        }
    }
}

#[test]
fn a_full_disk_is_told_apart() {
    for write in WAYS {
        let place = database();
        let mut vault = found(&place);
        append(&mut vault, &table(1), 3);
        let full = "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
                    CREATE TRIGGER full_disk BEFORE INSERT ON punto.entry EXECUTE FUNCTION fill()";
        run(url(&place), full).expect("a trigger");
        assert_eq!(write(&mut vault), Err(Error::Full));
        assert!(matches!(write(&mut vault), Err(Error::Stopped(_))));
        run(url(&place), "DROP TRIGGER full_disk ON punto.entry").expect("room");
        drop(vault);
        assert_eq!(size(&mut open(&place)), 5);
    }
}

#[test]
fn the_next_writer_waits_for_a_commit_under_way() {
    let place = database();
    let mut vault = found(&place);
    append(&mut vault, &table(1), 3);
    let next = &sealed(vault.head(&table(1)), 1)[0];
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (bytes, link) = (hex(&next.bytes), hex(&next.chain.0));
    let entries = vec![(table(1), Chain { seq: next.seq, link: next.chain })];
    let signed = Commit { ledger: vault.ledger(), term: 1, size: 6, entries }.sign(&key(1));
    drop(vault);
    // What a writer sends, held up before the commit until the next writer is seen to wait.
    let slow = format!(
        "BEGIN; SELECT fence FROM punto.writer WHERE one = 1 FOR SHARE;
         INSERT INTO punto.entry VALUES (6, 2, 4, '\\x{bytes}', '\\x{link}');
         INSERT INTO punto.signed_commit VALUES (6, '{signed}');
         DO $$ BEGIN
           WHILE NOT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
                             WHERE NOT granted AND application_name = 'punto' AND datname = current_database())
           LOOP PERFORM pg_sleep(0.005); PERFORM pg_stat_clear_snapshot(); END LOOP;
         END $$;
         COMMIT"
    );
    let slow = thread::spawn({
        let url = url(&place).to_owned();
        move || run(&url, &slow)
    });
    let held = "SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'RowShareLock' AND relation = 'punto.writer'::regclass)";
    while !ask(url(&place), held) {
        thread::yield_now();
    }
    let mut second = open(&place);
    slow.join().expect("a thread").expect("committed");
    assert_eq!(size(&mut second), 6, "it knows what was committed while it waited");
    assert_eq!(append(&mut second, &table(1), 1), 7);
}

#[test]
fn a_password_is_never_told() {
    for place in [
        "postgres://punto:s3cret@%2Fnowhere%2Fat-all/ledger",
        "postgres://punto:s3cret@127.0.0.1:1/ledger",
        "postgres://punto:s3cret@host/ledger?nonsense=s3cret",
        "postgres://punto@host:s3cret/ledger",
    ] {
        let place = Place::Database(place.to_owned());
        let error = Vault::open(&place, key(1), release()).expect_err("there is none");
        assert!(matches!(error, Error::Unsuitable(_) | Error::Unreachable(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }
    let nobody = Place::Database(server().url("no_such_database"));
    let error = Vault::open(&nobody, key(1), release()).expect_err("there is none");
    assert!(error.to_string().contains("no_such_database"), "{error}");
}

#[test]
fn a_database_must_hold_every_text() {
    let ascii = "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0";
    run(&server().url("postgres"), ascii).expect("a database");
    let place = Place::Database(server().url("ascii"));
    let error = Vault::found(&place, punto_record::LedgerKind::Demo, key(1), NOW, release())
        .expect_err("not in that encoding");
    assert!(error.to_string().contains("UTF8"), "{error}");
}

#[test]
fn a_server_that_may_forget_is_noticed() {
    let server = Server::start();
    let place = Place::Database(server.new_database());
    drop(found(&place));
    assert_eq!(Reader::open(&place).expect("a ledger").check(), Ok(Vec::new()));
    run(url(&place), "ALTER SYSTEM SET fsync = off").expect("a setting");
    run(url(&place), "SELECT pg_reload_conf()").expect("read again");
    while !ask(url(&place), "SELECT current_setting('fsync') = 'off'") {
        thread::yield_now();
    }
    let faults = Reader::open(&place).expect("a ledger").check().expect("checked");
    assert!(matches!(&faults[..], [fault] if fault.starts_with("fsync is off")), "{faults:?}");
}

/// A server that may lose what it acknowledged is not written to, and no ledger is founded there.
#[test]
fn a_server_that_may_forget_is_refused() {
    for (setting, value) in [("fsync", "off"), ("full_page_writes", "off"), ("synchronous_commit", "off")] {
        let server = Server::start();
        let (place, other) = (Place::Database(server.new_database()), Place::Database(server.new_database()));
        drop(found(&place));
        run(url(&place), &format!("ALTER SYSTEM SET {setting} = {value}")).expect("a setting");
        run(url(&place), "SELECT pg_reload_conf()").expect("read again");
        while !ask(url(&place), &format!("SELECT current_setting('{setting}') = '{value}'")) {
            thread::yield_now();
        }
        let opened = Vault::open(&place, key(1), release());
        let made = Vault::found(&other, punto_record::LedgerKind::Demo, key(1), NOW, release());
        if setting == "synchronous_commit" {
            // Of that the session asks for more than the server's default.
            assert!(opened.is_ok() && made.is_ok());
            continue;
        }
        for error in [opened.map(drop), made.map(drop)].map(|result| result.expect_err("refused")) {
            assert!(error.to_string().contains(&format!("{setting} = {value}")), "{error}");
        }
        assert!(Reader::open(&place).is_ok(), "it can still be read");
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn tls_is_verified_or_there_is_no_connection() {
    let certified =
        |name: &str| rcgen::generate_simple_self_signed(vec![name.to_owned()]).expect("certified");
    let (own, other) = (certified("localhost"), certified("localhost"));
    let port = free_port();
    let settings = format!("listen_addresses = '127.0.0.1'\nport = {port}\nssl = on");
    let files = [("server.crt", own.cert.pem()), ("server.key", own.signing_key.serialize_pem())];
    let server = Server::start_with(&settings, &files);
    let folder = tempfile::tempdir().expect("a folder");
    let root = |name: &str, pem: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, pem).expect("written");
        path.display().to_string().replace('/', "%2F")
    };
    let (own, other) = (root("own.pem", own.cert.pem()), root("other.pem", other.cert.pem()));
    let by_socket = server.url("postgres").replacen("/postgres", &format!(":{port}/postgres"), 1);
    run(&by_socket, "CREATE DATABASE ledger").expect("a new database");
    let at = |host: &str, port: u16, more: &str| {
        Place::Database(format!("postgres://punto@{host}:{port}/ledger?{more}"))
    };
    let place = at("localhost", port, &format!("sslmode=require&sslrootcert={own}"));
    let vault = found(&place);
    let encrypted = "SELECT bool_and(ssl) AND count(*) > 0 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                     WHERE application_name LIKE 'punto%'";
    assert!(ask(&by_socket, encrypted), "the connection is encrypted");
    drop(vault);
    assert!(Vault::open(&place, key(1), release()).is_ok());
    let refused = [
        at("localhost", port, &format!("sslmode=require&sslrootcert={other}")),
        at("127.0.0.1", port, &format!("sslmode=require&sslrootcert={own}")),
        at("localhost", port, "sslmode=require"),
    ];
    for place in refused {
        let error = Vault::open(&place, key(1), release()).expect_err("not that one");
        assert!(matches!(error, Error::Unsuitable(_) | Error::Unreachable(_)), "{error}");
    }
    drop(server);

    // A server that speaks no TLS is not spoken to in clear.
    let port = free_port();
    let plain = Server::start_with(&format!("listen_addresses = '127.0.0.1'\nport = {port}"), &[]);
    let by_socket = plain.url("postgres").replacen("/postgres", &format!(":{port}/postgres"), 1);
    run(&by_socket, "CREATE DATABASE ledger").expect("a new database");
    let place = at("localhost", port, &format!("sslmode=require&sslrootcert={own}"));
    assert!(matches!(Vault::open(&place, key(1), release()), Err(Error::Unreachable(_))));
    assert!(ask(&by_socket, "SELECT to_regclass('punto.schema_version') IS NULL"));
}

#[test]
fn a_trigger_that_is_switched_off_is_noticed() {
    let place = database();
    drop(found(&place));
    run(url(&place), "ALTER TABLE punto.entry DISABLE TRIGGER entry_stays").expect("off");
    let faults = Reader::open(&place).expect("a ledger").check().expect("checked");
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.contains("entry_stays")), "{faults:?}");
}

#[test]
fn a_reader_keeps_nobody_from_writing() {
    let place = database();
    drop(found(&place));
    let mut vault = open(&place);
    let mut reader = Reader::open(&place).expect("a ledger");
    // A reader that takes its time keeps nobody from writing.
    assert_eq!(append(&mut vault, &table(1), 1), 3);
    assert_eq!(reader.size(), Ok(2));
}
