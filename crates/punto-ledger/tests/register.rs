//! The register of people and devices in the ledger's own store: a forged row is noticed, and opens
//! nothing. The same attacks on a file and on a real PostgreSQL.

use crate::ledgers::*;
use crate::postgres_server;
use punto_ledger::{
    Credential, EarlierDevice, EarlierPerson, EarlierRegister, Error, KeptRow, Place, Reader, Vault, copy,
};
use punto_record::{
    Actor, Deed, Digest, HouseEntry, LedgerKind, Person, RegisterFact, RegisterKind, Seq, Timestamp, Volume,
};

macro_rules! attacks {
    ($($name:ident,)+) => {
        mod on_a_file {
            $(#[test] fn $name() {
                let folder = tempfile::tempdir().expect("a folder");
                super::$name(&punto_ledger::Place::File(folder.path().join("ledger")));
            })+
        }
        mod on_postgresql {
            $(#[test] fn $name() { super::$name(&super::postgres_server::database()) })+
        }
    };
}

attacks! {
    rows_reflect_their_deeds,
    whatever_is_written_into_a_row_is_tampering,
    a_deleted_row_is_made_again_and_opens_nothing,
    two_people_clear_it,
    an_earlier_register_is_taken_over_once,
    an_earlier_register_is_held_against_the_deeds,
    a_copy_carries_the_rows_and_an_export_no_credential,
    a_deed_that_is_refused_leaves_no_row,
    rows_before_a_register_was_begun_are_tampering,
}

const ADMINISTRATOR: &str = "administrator";

fn administrator(n: u32) -> Actor {
    Actor::Administrator { person: Person::as_recorded(format!("adm-{n}")) }
}

fn hash(words: &str) -> Credential {
    Credential::new(format!("$argon2id$v=19$m=8,t=1,p=1$c2FsdA${words}"))
}

/// Writes a deed as the server does.
fn deed(vault: &mut Vault, by: Actor, deed: Deed, credential: Option<Credential>) -> Result<Seq, Error> {
    let n = vault.head(&Volume::House).seq.0 + 1;
    vault.deed_with(order("server", n), by, NOW, deed, credential)
}

fn staff(person: &str, role: &str, enabled: bool, second: bool) -> Deed {
    Deed::StaffChanged {
        person: Person::as_recorded(person),
        role: role.into(),
        enabled,
        invited: enabled,
        name: Some("Somebody".into()),
        second: second.then(|| "adm-2".into()),
        reason: second.then(|| "as agreed".into()),
        credential: None,
    }
}

const CHOSEN: Deed = Deed::PasswordChosen { credential: None };

fn console(device: &str) -> Deed {
    Deed::DeviceEnrolled {
        device: punto_record::DeviceId::as_recorded(device),
        kind: "console".into(),
        table: "T1".into(),
        patron: None,
        at_box: None,
        second: Some("adm-2".into()),
        reason: Some("as agreed".into()),
        credential: None,
    }
}

fn dealer(person: &str) -> Actor {
    Actor::Staff { person: Person::as_recorded(person), post: punto_rules::Post::Dealer }
}

fn house(place: &Place) -> Vault {
    Vault::found_with(place, LedgerKind::House, key(1), Digest([7; 32]), NOW, release()).expect("a house")
}

/// Two Administrators, a Dealer with a password, one who is invited, one who was disabled, a console and a revoked one.
fn employed(place: &Place) -> Vault {
    let mut vault = house(place);
    assert_eq!(vault.take_over_register(&EarlierRegister::default(), NOW), Ok(Vec::new()));
    for n in [1, 2] {
        let person = format!("adm-{n}");
        let invited = Some(Credential::new(format!("invitation-{n}")));
        deed(&mut vault, Actor::House, staff(&person, ADMINISTRATOR, true, false), invited).expect("invited");
        deed(&mut vault, administrator(n), CHOSEN, Some(hash(&person))).expect("chosen");
    }
    for person in ["d-1", "d-2", "d-3"] {
        let invited = Some(Credential::new(format!("invitation-{person}")));
        deed(&mut vault, administrator(1), staff(person, "dealer", true, true), invited).expect("hired");
    }
    for person in ["d-1", "d-3"] {
        deed(&mut vault, dealer(person), CHOSEN, Some(hash(person))).expect("chosen");
    }
    deed(&mut vault, administrator(1), staff("d-3", "dealer", false, false), None).expect("disabled");
    for device in ["console-1", "console-2", "console-3"] {
        let secret = Credential::new(format!("secret of {device}"));
        deed(&mut vault, administrator(1), console(device), Some(secret)).expect("enrolled");
    }
    for device in ["console-2", "console-3"] {
        let revoked = Deed::DeviceRevoked { device: device.into() };
        deed(&mut vault, administrator(1), revoked, None).expect("revoked");
    }
    vault
}

/// Runs SQL as an attacker with write access to the store.
fn run(place: &Place, sql: &str) {
    let done = match place {
        Place::File(path) => rusqlite::Connection::open(path)
            .and_then(|connection| connection.execute_batch(sql))
            .map_err(|error| error.to_string()),
        Place::Database(url) => postgres_server::run(url, &format!("SET search_path = punto; {sql}")),
        Place::Memory => unreachable!("nobody else sees a ledger in memory"),
    };
    done.expect("an attacker can write anything");
}

fn kept<'a>(vault: &'a Vault, kind: RegisterKind, id: &str) -> Option<&'a KeptRow> {
    let rows = &vault.found_amiss().register.rows;
    rows.iter().find(|row| row.fact.kind() == kind && row.fact.id() == id)
}

fn credential(vault: &Vault, kind: RegisterKind, id: &str) -> Option<String> {
    Some(kept(vault, kind, id)?.credential.as_ref()?.hash().to_owned())
}

/// The verifications that failed, and whether each is about the register.
fn failed(vault: &mut Vault) -> Vec<(Seq, String, bool)> {
    let mut all = Vec::new();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("a deed");
        if let Deed::VerificationFailed { words, register, .. } = entry.deed {
            all.push((entry.seq, words.to_string(), register));
        }
        std::ops::ControlFlow::Continue(())
    };
    vault.reader().entries_of(&Volume::House, Seq(0), each).expect("read");
    all
}

fn rows_reflect_their_deeds(place: &Place) {
    drop(employed(place));
    let mut vault = open(place);
    assert!(vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    assert_eq!(vault.register_tampered(), None);
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), Some(hash("d-1").hash().to_owned()));
    assert_eq!(credential(&vault, RegisterKind::Invitation, "d-1"), None, "it was used");
    assert_eq!(credential(&vault, RegisterKind::Invitation, "d-2").as_deref(), Some("invitation-d-2"));
    assert_eq!(credential(&vault, RegisterKind::Device, "console-1").as_deref(), Some("secret of console-1"));
    assert_eq!(credential(&vault, RegisterKind::Device, "console-2"), None, "it was revoked");
    let is = |id: &str, of: bool| match kept(&vault, RegisterKind::Person, id).map(|row| &row.fact) {
        Some(RegisterFact::Person { role, enabled, .. }) => &**role == "dealer" && *enabled == of,
        _ => false,
    };
    assert!(is("d-1", true) && is("d-3", false));

    // A new password replaces the old one, and a restoration removes passwords.
    deed(&mut vault, dealer("d-1"), CHOSEN, Some(hash("another"))).expect("chosen");
    let restored = Deed::AdministratorsRestored {
        persons: vec!["adm-1".into(), "adm-2".into()],
        reason: "both left".into(),
    };
    deed(&mut vault, Actor::House, restored, None).expect("restored");
    drop(vault);
    let mut vault = open(place);
    assert!(vault.found_amiss().is_empty());
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), Some(hash("another").hash().to_owned()));
    assert!(kept(&vault, RegisterKind::Password, "adm-1").is_none());
    assert_eq!(failed(&mut vault), []);
    // The record has digests and no hashes.
    let mut bytes = Vec::new();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        bytes.extend_from_slice(stored.bytes);
        std::ops::ControlFlow::Continue(())
    };
    vault.reader().entries(0, each).expect("read");
    let record = String::from_utf8(bytes).expect("text");
    assert!(
        record.contains("\"credential\"") && !record.contains("argon2") && !record.contains("invitation-d")
    );
}

/// A row's body with something else in it.
fn replaced(kind: &str, id: &str, from: &str, to: &str) -> String {
    format!(
        "UPDATE register SET body = replace(body, '{from}', '{to}') WHERE kind = '{kind}' AND id = '{id}'"
    )
}

fn whatever_is_written_into_a_row_is_tampering(place: &Place) {
    drop(employed(place));
    let inserted = |kind: &str, id: &str, body: &str| {
        format!("INSERT INTO register (kind, id, deed, body) VALUES ('{kind}', '{id}', 5, '{body}')")
    };
    let administrator =
        r#"{"fact":{"row":"person","person":"adm-9","name":"N","role":"administrator","enabled":true}}"#;
    let password = r#"{"fact":{"row":"password","person":"adm-9"},"hash":"mine"}"#;
    let of_another = |kind: &str, from: &str, to: &str| {
        format!(
            "DELETE FROM register WHERE kind = '{kind}' AND id = '{to}';
             INSERT INTO register SELECT kind, '{to}', deed, replace(body, '{from}', '{to}') FROM register
             WHERE kind = '{kind}' AND id = '{from}'"
        )
    };
    // What is done, and what the deed names.
    let attacks = [
        (replaced("password", "d-1", "$d-1", "$mine"), "password d-1"),
        (replaced("device", "console-1", "secret of", "secret by"), "device console-1"),
        (replaced("device", "console-2", "T1", "T2"), "device console-2"),
        (inserted("person", "adm-9", administrator), "person adm-9"),
        (inserted("password", "adm-9", password), "password adm-9"),
        (inserted("device", "console-1X", "nonsense"), "device console-1X"),
        (inserted("mischief", "d-1", "{}"), "mischief d-1"),
        (replaced("person", "d-1", "\"dealer\"", "\"administrator\""), "person d-1"),
        (replaced("person", "adm-2", "Somebody", "Nobody"), "person adm-2"),
        (replaced("person", "d-3", "\"enabled\":false", "\"enabled\":true"), "person d-3"),
        (replaced("device", "console-3", "\"revoked\":true", "\"revoked\":false"), "device console-3"),
        (replaced("invitation", "d-2", "invitation-d-2", "mine"), "invitation d-2"),
        (of_another("password", "d-1", "adm-1"), "password adm-1"),
        ("UPDATE register SET deed = deed + 1 WHERE id = 'd-2' AND kind = 'person'".to_owned(), "person d-2"),
    ];
    let mut known = Vec::new();
    for (sql, named) in attacks {
        // What was there before the attack, to be put back after it.
        run(place, "CREATE TABLE before AS SELECT * FROM register");
        run(place, &sql);
        let mut vault = open(place);
        let found = failed(&mut vault);
        assert_eq!(found.len(), known.len() + 1, "{sql}");
        let (seq, words, register) = found.last().expect("it was found");
        assert!(register & words.contains(named), "{sql}: {words}");
        assert!(!words.contains("argon2") && !words.contains("mine"), "{words}");
        assert_eq!(vault.register_tampered().map(|(seq, _)| seq), Some(*seq));
        let used = |kind: RegisterKind, id: &str| credential(&vault, kind, id);
        match named.split_once(' ').expect("two words") {
            ("password" | "invitation", id) => {
                assert_eq!(used(RegisterKind::Password, id).filter(|it| it.ends_with("mine")), None);
                assert_eq!(used(RegisterKind::Invitation, id), None);
            }
            ("device", id) => assert_eq!(used(RegisterKind::Device, id), None, "{sql}"),
            ("person", id) => {
                assert_eq!(used(RegisterKind::Password, id), None, "nobody signs in as {id}");
                assert_eq!(used(RegisterKind::Invitation, id), None);
            }
            (_, _) => {}
        }
        // Opened again, it is the same finding and not another one.
        drop(vault);
        let mut vault = open(place);
        known = failed(&mut vault);
        assert_eq!(known, found, "{sql}");
        drop(vault);
        run(place, "DELETE FROM register");
        run(place, "INSERT INTO register SELECT * FROM before");
        run(place, "DROP TABLE before");
    }
}

fn a_deleted_row_is_made_again_and_opens_nothing(place: &Place) {
    drop(employed(place));
    run(place, "DELETE FROM register WHERE id IN ('d-1', 'console-1')");
    let mut vault = open(place);
    let register = vault.found_amiss().register.clone();
    assert_eq!(register.missing, ["person d-1", "password d-1", "device console-1"]);
    assert_eq!(register.tampered, [""; 0]);
    assert_eq!(vault.register_tampered(), None, "nobody comes in by a row that is not there");
    assert!(kept(&vault, RegisterKind::Person, "d-1").is_some());
    let all = failed(&mut vault);
    assert!(matches!(all.as_slice(), [(_, words, false)] if words.contains("password d-1")), "{all:?}");
    drop(vault);
    let mut vault = open(place);
    assert_eq!(vault.found_amiss().register.missing, [""; 0], "it was made again");
    assert_eq!(failed(&mut vault).len(), 1);
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), None, "without a password");
    assert_eq!(credential(&vault, RegisterKind::Device, "console-1"), None, "and without a credential");
    // A new invitation and a new password let the person in again.
    let invited = Some(Credential::new("invitation-again"));
    deed(&mut vault, administrator(1), staff("d-1", "dealer", true, true), invited).expect("invited");
    deed(&mut vault, dealer("d-1"), CHOSEN, Some(hash("new"))).expect("chosen");
    drop(vault);
    assert_eq!(credential(&open(place), RegisterKind::Password, "d-1"), Some(hash("new").hash().to_owned()));
}

fn two_people_clear_it(place: &Place) {
    drop(employed(place));
    run(place, &replaced("password", "d-1", "$d-1", "$mine"));
    run(place, &replaced("person", "d-2", "\"dealer\"", "\"pit-manager\""));
    run(place, "INSERT INTO register (kind, id, deed, body) VALUES ('person', 'adm-9', 5, '{}')");
    let mut vault = open(place);
    let (failed_at, _) = vault.register_tampered().expect("it was found");
    let cleared = |failed, second: &str, reason: &str| Deed::RegisterCleared {
        failed,
        second: Person::as_recorded(second),
        reason: reason.into(),
    };
    let refused = [
        (administrator(1), cleared(failed_at, "adm-1", "seen")),
        (administrator(1), cleared(failed_at, "d-1", "seen")),
        (administrator(1), cleared(failed_at, "adm-9", "seen")),
        (administrator(1), cleared(failed_at, "adm-2", " ")),
        (administrator(9), cleared(failed_at, "adm-2", "seen")),
        (dealer("d-1"), cleared(failed_at, "adm-2", "seen")),
        (Actor::House, cleared(failed_at, "adm-2", "seen")),
    ];
    for (by, asked) in refused {
        let done = deed(&mut vault, by.clone(), asked.clone(), None);
        assert!(matches!(done, Err(Error::NotAllowed(_))), "{by:?} {asked:?}: {done:?}");
    }
    let other = deed(&mut vault, administrator(1), cleared(Seq(1), "adm-2", "seen"), None);
    assert!(matches!(other, Err(Error::NotAllowed(_))), "that was not found: {other:?}");
    deed(&mut vault, administrator(1), cleared(failed_at, "adm-2", "seen"), None).expect("cleared");
    assert_eq!(vault.register_tampered(), None);
    let again = deed(&mut vault, administrator(1), cleared(failed_at, "adm-2", "seen"), None);
    assert!(matches!(again, Err(Error::NotAllowed(_))), "there is nothing to be cleared any more");
    drop(vault);
    let vault = open(place);
    assert!(vault.found_amiss().is_empty(), "its rows were made again: {:?}", vault.found_amiss());
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), None);
    assert_eq!(credential(&vault, RegisterKind::Invitation, "d-2").as_deref(), Some("invitation-d-2"));
    assert!(kept(&vault, RegisterKind::Person, "adm-9").is_none());
}

fn earlier(person: &str, role: &str, enabled: bool) -> EarlierPerson {
    let password = Some(hash(&format!("earlier {person}")));
    EarlierPerson {
        person: Person::as_recorded(person),
        name: "N".into(),
        role: role.into(),
        enabled,
        password,
    }
}

fn earlier_console(device: &str, revoked: bool) -> EarlierDevice {
    let fact = RegisterFact::Device {
        device: punto_record::DeviceId::as_recorded(device),
        kind: "console".into(),
        table: "T1".into(),
        patron: None,
        at_box: None,
        revoked,
    };
    EarlierDevice { fact, credential: Credential::new(format!("earlier {device}")) }
}

/// A house whose people and devices were kept in a file of their own.
fn of_an_earlier_release(place: &Place) -> Vault {
    let mut vault = house(place);
    for n in [1, 2] {
        let person = format!("adm-{n}");
        deed(&mut vault, Actor::House, staff(&person, ADMINISTRATOR, true, false), None).expect("invited");
        deed(&mut vault, administrator(n), CHOSEN, None).expect("chosen");
    }
    deed(&mut vault, administrator(1), staff("d-1", "dealer", true, true), None).expect("hired");
    deed(&mut vault, dealer("d-1"), CHOSEN, None).expect("chosen");
    deed(&mut vault, administrator(1), staff("d-2", "dealer", true, true), None).expect("hired");
    for device in ["console-1", "console-2"] {
        deed(&mut vault, administrator(1), console(device), None).expect("enrolled");
    }
    let revoked = Deed::DeviceRevoked { device: "console-2".into() };
    deed(&mut vault, administrator(1), revoked, None).expect("revoked");
    vault
}

fn their_register() -> EarlierRegister {
    EarlierRegister {
        people: vec![
            earlier("adm-1", ADMINISTRATOR, true),
            earlier("adm-2", ADMINISTRATOR, true),
            earlier("d-1", "dealer", true),
            // Who has never chosen a password has none, whatever the file says.
            earlier("d-2", "dealer", true),
        ],
        devices: vec![earlier_console("console-1", false), earlier_console("console-2", true)],
    }
}

fn an_earlier_register_is_taken_over_once(place: &Place) {
    drop(of_an_earlier_release(place));
    let mut vault = open(place);
    assert!(!vault.keeps_register() && vault.found_amiss().is_empty());
    assert_eq!(vault.take_over_register(&their_register(), NOW), Ok(Vec::new()));
    assert_eq!(vault.register_tampered(), None);
    drop(vault);
    let mut vault = open(place);
    assert!(vault.keeps_register() && vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    let chosen = Some(hash("earlier d-1").hash().to_owned());
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), chosen);
    assert_eq!(credential(&vault, RegisterKind::Password, "d-2"), None);
    assert_eq!(credential(&vault, RegisterKind::Device, "console-1").as_deref(), Some("earlier console-1"));
    assert_eq!(credential(&vault, RegisterKind::Device, "console-2"), None);

    // Another file, or the same one put back later, is never looked at.
    let mut forged = their_register();
    forged.people[2].password = Some(hash("mine"));
    assert!(matches!(vault.take_over_register(&forged, NOW), Err(Error::NotAllowed(_))));
    drop(vault);
    let mut vault = open(place);
    assert!(matches!(vault.take_over_register(&forged, NOW), Err(Error::NotAllowed(_))));
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), chosen);
}

fn an_earlier_register_is_held_against_the_deeds(place: &Place) {
    drop(of_an_earlier_release(place));
    let mut vault = open(place);
    let mut forged = their_register();
    forged.people[2] = earlier("d-1", "pit-manager", true);
    forged.people.push(earlier("adm-9", ADMINISTRATOR, true));
    forged.devices[1] = earlier_console("console-2", false);
    forged.devices.push(earlier_console("console-9", false));
    let amiss = vault.take_over_register(&forged, NOW).expect("taken over");
    assert_eq!(amiss.len(), 4, "{amiss:?}");
    let (_, words) = vault.register_tampered().expect("it was found");
    for named in ["person d-1", "person adm-9", "device console-2", "device console-9"] {
        assert!(words.contains(named), "{words}");
    }
    drop(vault);
    let vault = open(place);
    assert!(vault.found_amiss().is_empty(), "what was not taken over is not there");
    assert!(vault.register_tampered().is_some(), "and still waits for two people");
    for (kind, id) in [
        (RegisterKind::Password, "d-1"),
        (RegisterKind::Password, "adm-9"),
        (RegisterKind::Device, "console-2"),
        (RegisterKind::Device, "console-9"),
    ] {
        assert_eq!(credential(&vault, kind, id), None, "{id}");
    }
}

fn a_copy_carries_the_rows_and_an_export_no_credential(place: &Place) {
    drop(employed(place));
    let folder = tempfile::tempdir().expect("a folder");
    let backup = Place::File(folder.path().join("backup"));
    copy(&mut Reader::open(place).expect("opened"), &backup, &mut |_| {}).expect("copied");
    assert_eq!(
        Reader::open(&backup).expect("opened").register(),
        Reader::open(place).expect("opened").register()
    );
    let vault = open(&backup);
    assert!(vault.found_amiss().is_empty());
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), Some(hash("d-1").hash().to_owned()));
    drop(vault);

    let mut text = Vec::new();
    let mut reader = Reader::open(place).expect("opened");
    punto_ledger::write_export(&mut reader, None, &mut text, &mut |_| {}).expect("exported");
    let rows = reader.register().expect("rows");
    drop(reader);
    let said = String::from_utf8(text.clone()).expect("text");
    assert!(
        said.contains("\"register\"") && !said.contains("argon2") && !said.contains("secret of"),
        "{said}"
    );
    let export = folder.path().join("export");
    std::fs::write(&export, &text).expect("written");
    assert_eq!(Reader::open(&Place::File(export.clone())).expect("opened").register(), Ok(rows));
    // Restored from one, everybody is there and nobody comes in: they are invited again.
    let restored = Place::File(folder.path().join("restored"));
    copy(&mut Reader::open(&Place::File(export)).expect("opened"), &restored, &mut |_| {}).expect("copied");
    let vault = open(&restored);
    assert!(vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    assert!(kept(&vault, RegisterKind::Person, "d-1").is_some());
    assert!(vault.found_amiss().register.rows.iter().all(|row| row.credential.is_none()));
}

fn a_deed_that_is_refused_leaves_no_row(place: &Place) {
    let mut vault = employed(place);
    let before = vault.reader().register().expect("rows");
    let hire = || staff("d-9", "dealer", true, false);
    let alone = deed(&mut vault, administrator(1), hire(), Some(Credential::new("mine")));
    assert!(matches!(alone, Err(Error::NotAllowed(_))), "{alone:?}");
    assert!(deed(&mut vault, dealer("d-1"), console("console-9"), Some(Credential::new("mine"))).is_err());
    vault.give_way().expect("another writer");
    let late = deed(&mut vault, dealer("d-1"), CHOSEN, Some(hash("late")));
    assert!(late.is_err(), "a writer whose term ended writes neither deed nor row");
    drop(vault);
    let mut vault = open(place);
    assert_eq!(vault.reader().register(), Ok(before));
    assert!(vault.found_amiss().is_empty());
}

fn rows_before_a_register_was_begun_are_tampering(place: &Place) {
    drop(of_an_earlier_release(place));
    let body = r#"{"fact":{"row":"password","person":"d-1"},"hash":"mine"}"#;
    run(
        place,
        &format!("INSERT INTO register (kind, id, deed, body) VALUES ('password', 'd-1', 5, '{body}')"),
    );
    let mut vault = open(place);
    assert!(vault.register_tampered().is_some());
    assert_eq!(vault.take_over_register(&their_register(), Timestamp(NOW.0 + 1)), Ok(Vec::new()));
    drop(vault);
    let vault = open(place);
    let chosen = Some(hash("earlier d-1").hash().to_owned());
    assert_eq!(credential(&vault, RegisterKind::Password, "d-1"), chosen, "the row was replaced");
}
