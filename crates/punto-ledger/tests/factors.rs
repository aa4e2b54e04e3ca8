//! Second factors in the ledger's own store: sealed seeds, recovery codes that are used up, resets with a delay. On a file and on
//! a real PostgreSQL.

use crate::ledgers::*;
use crate::postgres_server;
use punto_ledger::{
    Credential, EarlierRegister, Error, FACTOR_RESET_DELAY, FactorSeed, Place, Reader, Vault, copy,
};
use punto_record::{
    Actor, Deed, Digest, FactorShown, LedgerKind, Person, RegisterKind, Seq, Timestamp, Volume,
};

macro_rules! on_both {
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

on_both! {
    a_seed_is_in_no_store_backup_export_or_record,
    whatever_is_written_into_a_row_is_tampering_and_shows_nothing,
    a_factor_whose_row_was_deleted_is_still_asked_for,
    seeds_change_hands_with_the_key,
    a_reset_takes_two_people_and_a_day,
    a_clock_that_was_put_forward_shortens_no_reset,
    administrators_who_are_restored_enrol_again,
}

const SEED: [u8; 20] = *b"seed of a shift mana";
const STEP: FactorShown = FactorShown::Code { step: 58_907_521 };

fn office(n: u32) -> Actor {
    Actor::Administrator { person: Person::as_recorded(format!("adm-{n}")) }
}

fn manager() -> Actor {
    Actor::Staff { person: "sm-1".into(), post: punto_rules::Post::ShiftManager }
}

fn factor(codes: u8) -> Option<Credential> {
    let codes: Vec<Digest> = (0..codes).map(|n| Digest([n; 32])).collect();
    Some(Credential::factor(FactorSeed::from_bytes(SEED), &codes))
}

fn at(
    vault: &mut Vault,
    at: Timestamp,
    by: Actor,
    deed: Deed,
    credential: Option<Credential>,
) -> Result<Seq, Error> {
    let n = vault.head(&Volume::House).seq.0 + 1;
    vault.deed_with(order("server", n), by, at, deed, credential)
}

fn deed(vault: &mut Vault, by: Actor, deed: Deed, credential: Option<Credential>) -> Result<Seq, Error> {
    at(vault, NOW, by, deed, credential)
}

/// Two Administrators and a Shift Manager, who has a second factor with ten recovery codes.
fn enrolled(place: &Place) -> Vault {
    let nonce = Digest([7; 32]);
    let mut vault =
        Vault::found_with(place, LedgerKind::House, key(1), nonce, NOW, release()).expect("a house");
    vault.take_over_register(&EarlierRegister::default(), NOW).expect("begun");
    for (by, person, role) in [
        (Actor::House, "adm-1", "administrator"),
        (Actor::House, "adm-2", "administrator"),
        (office(1), "sm-1", "shift-manager"),
    ] {
        let (second, reason) = match by == Actor::House {
            true => (None, None),
            false => (Some("adm-2".into()), Some("as agreed".into())),
        };
        let hired = Deed::StaffChanged {
            person: person.into(),
            role: role.into(),
            enabled: true,
            invited: false,
            name: None,
            second,
            reason,
            credential: None,
        };
        deed(&mut vault, by, hired, None).expect("hired");
    }
    for by in [office(1), office(2), manager()] {
        let password = Some(Credential::new("$argon2id$of somebody"));
        deed(&mut vault, by, Deed::PasswordChosen { credential: None }, password).expect("chosen");
    }
    let enrolled = Deed::FactorEnrolled { step: 58_907_520, factor: None, credential: None };
    deed(&mut vault, manager(), enrolled, factor(10)).expect("enrolled");
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

/// The second factor of the Shift Manager as the server is given it, if there is one by the deeds.
fn found(vault: &Vault) -> Option<Option<Credential>> {
    let mut rows = vault.found_amiss().register.rows.iter();
    rows.find(|row| row.fact.kind() == RegisterKind::Factor).map(|row| row.credential.clone())
}

fn seed(vault: &Vault) -> Option<[u8; 20]> {
    found(vault)??.seed().map(|seed| *seed.bytes())
}

fn a_seed_is_in_no_store_backup_export_or_record(place: &Place) {
    drop(enrolled(place));
    let vault = open(place);
    assert!(vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    assert_eq!(seed(&vault), Some(SEED));
    drop(vault);
    let folder = tempfile::tempdir().expect("a folder");
    let backup = folder.path().join("backup");
    copy(&mut Reader::open(place).expect("opened"), &Place::File(backup.clone()), &mut |_| {})
        .expect("copied");
    let mut text = Vec::new();
    let mut reader = Reader::open(place).expect("opened");
    punto_ledger::write_export(&mut reader, None, &mut text, &mut |_| {}).expect("exported");
    drop(reader);
    let export = folder.path().join("export");
    std::fs::write(&export, &text).expect("written");
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("\"row\":\"factor\"") && !text.contains("sealed"), "{text}");
    let mut files = vec![backup.clone(), export.clone()];
    if let Place::File(path) = place {
        files.push(path.clone());
    }
    let hex: String = SEED.iter().map(|byte| format!("{byte:02x}")).collect();
    for file in files {
        let bytes = std::fs::read(&file).expect("a file");
        let has = |what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
        assert!(!has(&SEED) && !has(hex.as_bytes()), "{}", file.display());
    }
    // With the key a backup is as good as the ledger; from an export nobody can show anything, and still must.
    assert_eq!(seed(&open(&Place::File(backup))), Some(SEED));
    let restored = Place::File(folder.path().join("restored"));
    copy(&mut Reader::open(&Place::File(export)).expect("opened"), &restored, &mut |_| {}).expect("copied");
    assert_eq!(found(&open(&restored)), Some(None));
}

fn replaced(from: &str, to: &str) -> String {
    format!("UPDATE register SET body = replace(body, '{from}', '{to}') WHERE kind = 'factor'")
}

fn whatever_is_written_into_a_row_is_tampering_and_shows_nothing(place: &Place) {
    let mut vault = enrolled(place);
    run(place, "CREATE TABLE unused AS SELECT * FROM register WHERE kind = 'factor'");
    let used = Deed::RecoveryCodeUsed { left: 9, credential: None };
    deed(&mut vault, manager(), used, factor(9)).expect("used");
    drop(vault);
    let last = Digest([8; 32]).to_string();
    let own = Digest([99; 32]).to_string();
    let back = "DELETE FROM register WHERE kind = 'factor'; INSERT INTO register SELECT * FROM unused";
    let attacks = [
        // A recovery code of one's own, one that was used, and none.
        replaced(&last, &own),
        back.to_owned(),
        replaced(&format!(" {last}"), ""),
        // A seed of one's own, no seed, and the seal of somebody else.
        replaced("\"sealed\":\"", "\"sealed\":\"00"),
        replaced("sealed", "other"),
        format!("{back}; UPDATE register SET deed = deed + 1 WHERE kind = 'factor'"),
        "INSERT INTO register SELECT kind, 'adm-1', deed, replace(body, 'sm-1', 'adm-1') FROM register WHERE kind = 'factor'"
            .to_owned(),
    ];
    for sql in attacks {
        run(place, "CREATE TABLE before AS SELECT * FROM register");
        run(place, &sql);
        let vault = open(place);
        assert!(vault.register_tampered().is_some(), "{sql}");
        let register = &vault.found_amiss().register;
        assert_eq!(register.tampered.len(), 1, "{sql}");
        match register.tampered[0].starts_with("factor adm-1") {
            // Nobody has a factor whom no deed gives one.
            true => assert_eq!(seed(&vault), Some(SEED)),
            false => assert_eq!(found(&vault), Some(None), "{sql}"),
        }
        drop(vault);
        run(place, "DELETE FROM register");
        run(place, "INSERT INTO register SELECT * FROM before");
        run(place, "DROP TABLE before");
    }
    let vault = open(place);
    assert_eq!(seed(&vault), Some(SEED), "as it was");
    assert_eq!(found(&vault).flatten().and_then(|it| it.recovery_codes()).map(|it| it.len()), Some(9));
}

fn a_factor_whose_row_was_deleted_is_still_asked_for(place: &Place) {
    drop(enrolled(place));
    run(place, "DELETE FROM register WHERE kind = 'factor'");
    let vault = open(place);
    assert_eq!(vault.found_amiss().register.missing, ["factor sm-1"]);
    assert_eq!(found(&vault), Some(None), "there is one, and nobody can show it");
}

fn seeds_change_hands_with_the_key(place: &Place) {
    let mut vault = enrolled(place);
    let stored = |place: &Place| {
        let mut bytes = Vec::new();
        let mut reader = Reader::open(place).expect("opened");
        bytes.extend(reader.register().expect("rows"));
        bytes
    };
    let before = stored(place);
    vault.rotate_key(key(2), NOW).expect("rotated");
    drop(vault);
    assert_eq!(stored(place), before, "the rows stand for the same deeds");
    let old = Vault::open(place, key(1), release());
    assert!(old.is_err(), "the old key opens nothing");
    let mut vault = Vault::open(place, key(2), release()).expect("opened");
    assert!(vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    assert_eq!(seed(&vault), Some(SEED));
    // Two at once: neither the first key nor one that was never used is needed any more.
    vault.rotate_key(key(3), NOW).expect("rotated");
    drop(vault);
    assert_eq!(seed(&Vault::open(place, key(3), release()).expect("opened")), Some(SEED));
}

fn begun(second: &str, reason: &str) -> Deed {
    Deed::FactorResetBegun {
        person: "sm-1".into(),
        second: Person::as_recorded(second),
        reason: reason.into(),
    }
}

fn later(by: u64) -> Timestamp {
    Timestamp(NOW.0 + by)
}

fn a_reset_takes_two_people_and_a_day(place: &Place) {
    let mut vault = enrolled(place);
    let refused = [
        (office(1), begun("adm-1", "lost")),
        (office(1), begun("sm-1", "lost")),
        (office(1), begun("nobody", "lost")),
        (office(1), begun("adm-2", " ")),
        (office(9), begun("adm-2", "lost")),
        (manager(), begun("adm-2", "lost")),
        (Actor::House, begun("adm-2", "lost")),
        (
            office(1),
            Deed::FactorResetBegun { person: "adm-2".into(), second: "sm-1".into(), reason: "x".into() },
        ),
        (Actor::House, Deed::FactorReset { begun: Seq(1), person: "sm-1".into() }),
    ];
    for (by, asked) in refused {
        let done = deed(&mut vault, by.clone(), asked.clone(), None);
        assert!(matches!(done, Err(Error::NotAllowed(_))), "{by:?} {asked:?}: {done:?}");
    }
    let seq = deed(&mut vault, office(1), begun("adm-2", "the phone was lost"), None).expect("begun");
    assert!(deed(&mut vault, office(2), begun("adm-1", "again"), None).is_err(), "it waits already");
    let reset = |begun| Deed::FactorReset { begun, person: "sm-1".into() };
    let early = later(FACTOR_RESET_DELAY - 1);
    assert!(matches!(at(&mut vault, early, Actor::House, reset(seq), None), Err(Error::NotAllowed(_))));
    assert!(matches!(
        at(&mut vault, later(FACTOR_RESET_DELAY), office(1), reset(seq), None),
        Err(Error::NotAllowed(_))
    ));
    assert_eq!(vault.carry_out_factor_resets(early), Ok(Vec::new()));
    // It waits across a restart. The person stops it; nobody else but an Administrator could.
    drop(vault);
    let mut vault = open(place);
    assert_eq!(vault.factor_resets().count(), 1);
    let stop = |begun| Deed::FactorResetStopped { begun, person: "sm-1".into(), factor: Some(STEP) };
    let dealer = Actor::Staff { person: "d-1".into(), post: punto_rules::Post::Dealer };
    assert!(deed(&mut vault, dealer, stop(seq), None).is_err());
    assert!(deed(&mut vault, manager(), stop(Seq(1)), None).is_err());
    deed(&mut vault, manager(), stop(seq), None).expect("stopped");
    assert_eq!(vault.carry_out_factor_resets(later(2 * FACTOR_RESET_DELAY)), Ok(Vec::new()));
    // Another one, which an Administrator stops, and a third, which nobody does.
    let seq = deed(&mut vault, office(1), begun("adm-2", "lost"), None).expect("begun");
    deed(&mut vault, office(2), stop(seq), None).expect("stopped");
    deed(&mut vault, office(2), begun("adm-1", "lost"), None).expect("begun");
    let done = vault.carry_out_factor_resets(later(FACTOR_RESET_DELAY));
    assert_eq!(done, Ok(vec!["sm-1".into()]));
    drop(vault);
    let mut vault = open(place);
    assert!(vault.found_amiss().is_empty(), "{:?}", vault.found_amiss());
    assert_eq!(found(&vault), None);
    // What is not there cannot be used or reset.
    let used = Deed::RecoveryCodeUsed { left: 9, credential: None };
    assert!(deed(&mut vault, manager(), used, factor(9)).is_err());
    assert!(deed(&mut vault, office(1), begun("adm-2", "lost"), None).is_err());
}

fn a_clock_that_was_put_forward_shortens_no_reset(place: &Place) {
    let mut vault = enrolled(place);
    deed(&mut vault, office(1), begun("adm-2", "lost"), None).expect("begun");
    let ahead = 3 * FACTOR_RESET_DELAY;
    let confirmed = Deed::ClockConfirmed { ahead, second: "adm-2".into(), reason: "compared".into() };
    deed(&mut vault, office(1), confirmed, None).expect("confirmed");
    assert_eq!(vault.carry_out_factor_resets(later(ahead + FACTOR_RESET_DELAY - 1)), Ok(Vec::new()));
    assert_eq!(vault.carry_out_factor_resets(later(ahead + FACTOR_RESET_DELAY)), Ok(vec!["sm-1".into()]));
}

fn administrators_who_are_restored_enrol_again(place: &Place) {
    let mut vault = enrolled(place);
    let enrolled = Deed::FactorEnrolled { step: 58_907_520, factor: None, credential: None };
    deed(&mut vault, office(1), enrolled, factor(10)).expect("enrolled");
    let about_one =
        Deed::FactorResetBegun { person: "adm-1".into(), second: "sm-1".into(), reason: "lost".into() };
    deed(&mut vault, office(2), about_one, None).expect("begun");
    let restored = Deed::AdministratorsRestored {
        persons: vec!["adm-1".into(), "adm-2".into()],
        reason: "both lost their phones".into(),
    };
    deed(&mut vault, Actor::House, restored, None).expect("restored");
    assert_eq!(vault.factor_resets().count(), 0);
    drop(vault);
    let vault = open(place);
    let rows = &vault.found_amiss().register.rows;
    let left: Vec<&str> =
        rows.iter().filter(|row| row.fact.kind() == RegisterKind::Factor).map(|row| row.fact.id()).collect();
    assert_eq!(left, ["sm-1"], "nobody else's is touched");
}
