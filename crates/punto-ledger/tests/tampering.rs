//! Whoever can write to the store, but has no key, changes it behind the writer's back: nothing of theirs is replayed, and
//! everybody is told. The same attacks on a file and on a real PostgreSQL.

use crate::postgres_server;
use std::collections::BTreeMap;

use crate::ledgers::*;
use punto_ledger::{Error, Place, Reader, Snapshot, Vault, copy};
use punto_record::{
    Actor, Chain, Commit, Deed, Digest, HouseEntry, LedgerKind, PublicKey, Release, Sealed, Seq,
    SignedCommit, Timestamp, Volume, vouch,
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
    an_appended_entry_is_put_aside_and_its_table_locked,
    an_appended_deed_is_put_aside,
    a_new_table_that_somebody_made_up_never_was,
    a_commit_signed_with_another_key_counts_for_nothing,
    a_commit_of_another_ledger_or_out_of_order_counts_for_nothing,
    a_changed_last_entry_sets_its_table_apart,
    a_deleted_last_entry_sets_its_table_apart,
    a_changed_deed_closes_the_ledger,
    a_made_up_history_that_vouches_for_the_key_is_refused,
    a_key_handed_over_and_then_a_crash,
    a_forged_snapshot_is_not_read,
    a_snapshot_moved_to_another_table_is_not_read,
    a_made_up_archive_is_refused,
    a_tail_of_the_first_release_is_taken_once,
    a_copy_carries_the_signatures,
    commits_are_kept_until_the_next_checkpoint_only,
}

/// Runs SQL as somebody would who has the file or the database open and is in nobody's way.
fn run(place: &Place, sql: &str) {
    let done = match place {
        Place::File(path) => rusqlite::Connection::open(path)
            .and_then(|connection| {
                connection.execute_batch(
                    "DROP TRIGGER IF EXISTS entry_never_changes; DROP TRIGGER IF EXISTS entry_stays;
                     DROP TRIGGER IF EXISTS archive_never_changes;",
                )?;
                connection.execute_batch(sql)
            })
            .map_err(|error| error.to_string()),
        Place::Database(url) => postgres_server::run(
            url,
            &format!("SET search_path = punto; SET session_replication_role = replica; {sql}"),
        ),
        Place::Memory => unreachable!("nobody else sees a ledger in memory"),
    };
    done.expect("an attacker can write anything");
}

fn blob(place: &Place, bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    match place {
        Place::Database(_) => format!(r"'\x{hex}'::bytea"),
        Place::File(_) | Place::Memory => format!("X'{hex}'"),
    }
}

/// An entry that fits the chain, appended without the writer.
fn forge(place: &Place, leaf: u64, volume: &str, after: Chain, bytes: &[u8]) -> Chain {
    let chain = after.after(bytes);
    let (bytes, link) = (blob(place, bytes), blob(place, &chain.link.0));
    run(
        place,
        &format!(
            "INSERT INTO entry (leaf, volume, seq, bytes, link)
             SELECT {leaf}, id, {}, {bytes}, {link} FROM volume WHERE name = '{volume}'",
            chain.seq
        ),
    );
    chain
}

fn deeds(vault: &mut Vault) -> Vec<Deed> {
    let mut deeds = Vec::new();
    vault
        .reader()
        .entries_of(&Volume::House, Seq(0), &mut |stored| {
            deeds.push(serde_json::from_slice::<HouseEntry>(stored.bytes).expect("a deed").deed);
            std::ops::ControlFlow::Continue(())
        })
        .expect("entries");
    deeds
}

fn deed_bytes(seq: u64, device: &str, deed: Deed, release: &str) -> Vec<u8> {
    let release = Release(release.into());
    let entry = HouseEntry { seq: Seq(seq), id: order(device, 1), by: Actor::House, at: NOW, deed, release };
    serde_json::to_vec(&entry).expect("JSON")
}

/// Two tables, one with a checkpoint behind it and entries of both after it. Six entries.
fn begun(place: &Place) -> Vault {
    let mut vault = found(place);
    append(&mut vault, &table(1), 1);
    vault.checkpoint(NOW).expect("a checkpoint");
    append(&mut vault, &table(1), 2);
    append(&mut vault, &table(2), 1);
    vault
}

fn is_locked(vault: &mut Vault, n: u32) -> bool {
    let append = batch(vault, &table(n), 1);
    matches!(vault.append(&[append]).remove(0), Err(Error::Locked(_)))
}

fn an_appended_entry_is_put_aside_and_its_table_locked(place: &Place) {
    let vault = begun(place);
    let (before, head) = (vault.head(&table(2)), vault.head(&table(1)));
    drop(vault);
    forge(place, 7, "table/T1", head, br#"{"seq":4,"of":"credits bought"}"#);
    let mut vault = open(place);
    assert_eq!(vault.found_amiss().unsigned, BTreeMap::from([(table(1), 1)]));
    assert_eq!((vault.head(&table(1)), vault.head(&table(2))), (head, before), "nothing of it is replayed");
    assert!(is_locked(&mut vault, 1) && !is_locked(&mut vault, 2), "the others play on");
    let told =
        |deed: &Deed| matches!(deed, Deed::TableLocked { words, .. } if words.contains("nobody signed"));
    assert!(deeds(&mut vault).iter().any(told));
    vault.checkpoint(NOW).expect("a checkpoint");
    drop(vault);
    let mut vault = open(place);
    assert!(vault.found_amiss().is_empty(), "once is enough");
    assert!(is_locked(&mut vault, 1), "until two people unlock it");
    assert_eq!(fingerprint_size(&mut vault), entries(&mut vault).len() as u64);
}

fn fingerprint_size(vault: &mut Vault) -> u64 {
    punto_ledger::fingerprint(&mut vault.reader(), &mut |_| {}).expect("whole").size
}

fn an_appended_deed_is_put_aside(place: &Place) {
    let vault = begun(place);
    let head = vault.head(&Volume::House);
    drop(vault);
    let hired = Deed::StaffChanged {
        person: "x-1".into(),
        role: "administrator".into(),
        enabled: true,
        invited: false,
        name: None,
        second: None,
        reason: None,
        credential: None,
    };
    forge(place, 7, "house", head, &deed_bytes(3, "office", hired, "test"));
    let mut vault = open(place);
    assert_eq!(vault.staff().employed(&"x-1".into()), None, "nobody was hired");
    let told = deeds(&mut vault).pop().expect("a deed");
    assert!(matches!(told, Deed::VerificationFailed { .. }), "{told:?}");
    assert!(!is_locked(&mut vault, 1));
}

fn a_new_table_that_somebody_made_up_never_was(place: &Place) {
    drop(begun(place));
    run(place, "INSERT INTO volume (id, name) VALUES (4, 'table/T9')");
    forge(place, 7, "table/T9", Chain::START, br#"{"seq":1,"of":"nobody"}"#);
    let mut vault = open(place);
    assert_eq!(vault.head(&table(9)), Chain::START);
    assert!(is_locked(&mut vault, 9), "until two people have looked into it");
    vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    drop(vault);
    assert!(open(place).found_amiss().is_empty());
}

fn signed_row(place: &Place, signed: &SignedCommit) {
    let (size, text) = (signed.commit.size, signed.to_string());
    run(place, &format!("INSERT INTO signed_commit (size, text) VALUES ({size}, '{text}')"));
}

fn a_commit_signed_with_another_key_counts_for_nothing(place: &Place) {
    let vault = begun(place);
    let (head, ledger) = (vault.head(&table(1)), vault.ledger());
    drop(vault);
    let chain = forge(place, 7, "table/T1", head, br#"{"seq":4,"of":"a thief"}"#);
    let commit = Commit { ledger, term: 1, size: 7, entries: vec![(table(1), chain)] };
    signed_row(place, &commit.clone().sign(&key(9)));
    let vault = open(place);
    assert_eq!((vault.head(&table(1)), vault.found_amiss().unsigned.len()), (head, 1));
    drop(vault);
    // The right key named, the signature of another.
    let chain = forge(place, 8, "table/T2", open_head(place, 2), br#"{"seq":2,"of":"a thief"}"#);
    let commit = Commit { ledger, term: 1, size: 8, entries: vec![(table(2), chain)] };
    let mut signed = commit.sign(&key(9));
    signed.key = PublicKey::of(&key(1));
    signed_row(place, &signed);
    assert_eq!(open(place).found_amiss().unsigned, BTreeMap::from([(table(2), 1)]));
}

/// Where a table ends, after everything there is was put under a checkpoint.
fn open_head(place: &Place, n: u32) -> Chain {
    let mut vault = open(place);
    vault.checkpoint(NOW).expect("a checkpoint");
    vault.head(&table(n))
}

fn a_commit_of_another_ledger_or_out_of_order_counts_for_nothing(place: &Place) {
    let vault = begun(place);
    let (head, ledger) = (vault.head(&table(1)), vault.ledger());
    drop(vault);
    let chain = forge(place, 7, "table/T1", head, br#"{"seq":4,"of":"a thief"}"#);
    // Signed with the very key, but for another ledger, or for another place in the tree: a replayed signature.
    let commit = Commit { ledger: Digest([5; 32]), term: 1, size: 7, entries: vec![(table(1), chain)] };
    signed_row(place, &commit.sign(&key(1)));
    assert_eq!(open(place).found_amiss().unsigned.len(), 1, "another ledger's");
    let chain = forge(place, 8, "table/T2", open_head(place, 2), br#"{"seq":2,"of":"a thief"}"#);
    let commit = Commit { ledger, term: 1, size: 9, entries: vec![(table(2), chain)] };
    signed_row(place, &commit.sign(&key(1)));
    assert_eq!(open(place).found_amiss().unsigned.len(), 1, "out of order");
}

fn a_changed_last_entry_sets_its_table_apart(place: &Place) {
    let vault = begun(place);
    let (one, two) = (vault.head(&table(1)), vault.head(&table(2)));
    drop(vault);
    let bytes: &[u8] = br#"{"seq":1,"of":"somebody else"}"#;
    let link = Chain::START.after(bytes).link;
    let (bytes, link) = (blob(place, bytes), blob(place, &link.0));
    run(place, &format!("UPDATE entry SET bytes = {bytes}, link = {link} WHERE leaf = 6"));
    let mut vault = open(place);
    assert_eq!(vault.found_amiss().damaged.keys().collect::<Vec<_>>(), [&table(2)]);
    assert_eq!((vault.head(&table(1)), vault.head(&table(2))), (one, two), "as it was signed for");
    assert!(is_locked(&mut vault, 2) && !is_locked(&mut vault, 1));
}

fn a_deleted_last_entry_sets_its_table_apart(place: &Place) {
    drop(begun(place));
    run(place, "DELETE FROM entry WHERE leaf = 6");
    let mut vault = open(place);
    assert_eq!(vault.found_amiss().damaged.keys().collect::<Vec<_>>(), [&table(2)]);
    assert!(is_locked(&mut vault, 2) && !is_locked(&mut vault, 1));
    append(&mut vault, &table(1), 1);
    vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    drop(vault);
    assert_eq!(open(place).found_amiss().damaged.len(), 1, "it is still not there");
}

fn a_changed_deed_closes_the_ledger(place: &Place) {
    drop(begun(place));
    let nonce = Deed::LedgerFounded { kind: LedgerKind::House, nonce: Digest([7; 32]) };
    let bytes = deed_bytes(1, "ledger", nonce, "test");
    run(place, &format!("UPDATE entry SET bytes = {} WHERE leaf = 1", blob(place, &bytes)));
    let error = Vault::open(place, key(1), release()).expect_err("nobody can tell what the house is");
    assert!(matches!(error, Error::Damaged(_)), "{error}");
}

fn a_made_up_history_that_vouches_for_the_key_is_refused(place: &Place) {
    // Somebody founds a ledger of their own and hands it over to the house's key, which everybody knows the public half of.
    let mut vault =
        Vault::found_with(place, LedgerKind::Demo, key(9), Digest([7; 32]), NOW, release()).expect("new");
    append(&mut vault, &table(1), 1);
    vault.checkpoint(NOW).expect("a checkpoint");
    let (head, ledger) = (vault.head(&Volume::House), vault.ledger());
    drop(vault);
    let public = PublicKey::of(&key(1));
    let adopted = Deed::KeyAdopted {
        key: public,
        before: Some(PublicKey::of(&key(9))),
        vouched: Some(vouch(&key(9), public).into()),
    };
    let chain = forge(place, 4, "house", head, &deed_bytes(3, "thief", adopted, "test"));
    let commit = Commit { ledger, term: 1, size: 4, entries: vec![(Volume::House, chain)] };
    signed_row(place, &commit.sign(&key(9)));
    let error = Vault::open(place, key(1), release()).expect_err("its own key never signed for it");
    assert!(matches!(error, Error::Damaged(_) | Error::Unsuitable(_)), "{error}");
}

fn a_key_handed_over_and_then_a_crash(place: &Place) {
    let mut vault = begun(place);
    vault.checkpoint(NOW).expect("a checkpoint");
    let (head, ledger) = (vault.head(&Volume::House), vault.ledger());
    drop(vault);
    // As a crash leaves it: the adoption is committed, the checkpoint after it is not.
    let public = PublicKey::of(&key(2));
    let adopted = Deed::KeyAdopted {
        key: public,
        before: Some(PublicKey::of(&key(1))),
        vouched: Some(vouch(&key(1), public).into()),
    };
    let chain = forge(place, 7, "house", head, &deed_bytes(3, "cage", adopted, "test"));
    let commit = Commit { ledger, term: 1, size: 7, entries: vec![(Volume::House, chain)] };
    signed_row(place, &commit.sign(&key(2)));
    let mut vault = Vault::open(place, key(2), release()).expect("the new key");
    assert!(vault.found_amiss().is_empty());
    append(&mut vault, &table(1), 1);
    drop(vault);
    assert!(Vault::open(place, key(1), release()).is_err(), "the old key");
    assert!(Vault::open(place, key(2), release()).expect("the new key").found_amiss().is_empty());
}

fn snapshot(vault: &Vault, n: u32) -> Snapshot {
    let (volume, bytes) = (table(n), format!("state of {n}").into_bytes());
    Snapshot { chain: vault.head(&volume), volume, schema: 1, bytes, signed: None }
}

fn a_forged_snapshot_is_not_read(place: &Place) {
    let mut vault = begun(place);
    vault.keep_snapshot(&snapshot(&vault, 1)).expect("kept");
    drop(vault);
    let kept = |place: &Place| open(place).snapshot(&table(1), 1).expect("read");
    assert_eq!(kept(place).expect("a snapshot").bytes, b"state of 1");
    let bytes = blob(place, b"a million credits");
    for change in [
        format!("UPDATE snapshot SET bytes = {bytes}"),
        "UPDATE snapshot SET key = NULL, signature = NULL".to_owned(),
        format!("UPDATE snapshot SET key = {}", blob(place, &PublicKey::of(&key(9)).0.0)),
        format!("UPDATE snapshot SET signature = {}", blob(place, &[0; 64])),
        format!("UPDATE snapshot SET signature = {}", blob(place, &[0; 5])),
        "UPDATE snapshot SET schema = 2".to_owned(),
        "UPDATE snapshot SET seq = 2".to_owned(),
    ] {
        run(place, &change);
        assert_eq!(kept(place), None, "{change}");
        let mut vault = open(place);
        assert_eq!(vault.snapshot(&table(1), 2).expect("read"), None, "{change}");
        vault.drop_snapshots().expect("dropped");
        vault.keep_snapshot(&snapshot(&vault, 1)).expect("kept");
    }
}

fn a_snapshot_moved_to_another_table_is_not_read(place: &Place) {
    let mut vault = begun(place);
    vault.keep_snapshot(&snapshot(&vault, 1)).expect("kept");
    drop(vault);
    run(place, "UPDATE snapshot SET volume = (SELECT id FROM volume WHERE name = 'table/T2')");
    let mut vault = open(place);
    assert_eq!((vault.snapshot(&table(1), 1), vault.snapshot(&table(2), 1)), (Ok(None), Ok(None)));
}

fn a_made_up_archive_is_refused(place: &Place) {
    drop(begun(place));
    let tree = r#"{"size":3,"peaks":["00000000000000000000000000000000000000000000000000000000000000aa","00000000000000000000000000000000000000000000000000000000000000bb"]}"#;
    run(place, &format!("INSERT INTO archive (size, tree, heads) VALUES (3, '{tree}', '[]')"));
    let error = Vault::open(place, key(1), release()).expect_err("no deed says so");
    assert!(matches!(error, Error::Damaged(_)), "{error}");
}

fn a_tail_of_the_first_release_is_taken_once(place: &Place) {
    let first = Release("punto 0.1.0".into());
    let nonce = Digest([7; 32]);
    let mut vault = Vault::found_with(place, LedgerKind::Demo, key(1), nonce, NOW, first).expect("new");
    append(&mut vault, &table(1), 1);
    vault.checkpoint(NOW).expect("a checkpoint");
    append(&mut vault, &table(1), 2);
    let head = vault.head(&table(1));
    drop(vault);
    // The first release signed no commits.
    run(place, "DELETE FROM signed_commit");
    let mut vault = open(place);
    assert!(vault.found_amiss().is_empty() && vault.head(&table(1)) == head, "it is taken as it is");
    assert_eq!(deeds(&mut vault).pop(), Some(Deed::CommitsSigned { size: 5 }));
    drop(vault);
    assert!(open(place).found_amiss().is_empty());
    // From then on nothing comes in that way, whatever release it claims to be of.
    forge(place, 7, "table/T1", head, br#"{"seq":4,"release":"punto 0.1.0"}"#);
    assert_eq!(open(place).found_amiss().unsigned.len(), 1);
}

fn a_copy_carries_the_signatures(place: &Place) {
    drop(begun(place));
    let folder = tempfile::tempdir().expect("a folder");
    let to = Place::File(folder.path().join("copy"));
    copy(&mut Reader::open(place).expect("a ledger"), &to, &mut |_| {}).expect("copied");
    let vault = open(&to);
    assert!(vault.found_amiss().is_empty());
    assert_eq!(vault.head(&table(1)).seq, Seq(3));
}

fn commits_are_kept_until_the_next_checkpoint_only(place: &Place) {
    let mut vault = begun(place);
    let signed = |vault: &mut Vault| {
        let mut all = Vec::new();
        vault.reader().signed_commits(&mut |text| all.push(text.parse::<SignedCommit>())).expect("read");
        all.into_iter().collect::<Result<Vec<_>, _>>().expect("signed commits")
    };
    let all = signed(&mut vault);
    assert_eq!(all.iter().map(|it| it.commit.size).collect::<Vec<_>>(), [5, 6]);
    assert!(all.iter().all(|it| it.is_signed() && it.key == PublicKey::of(&key(1))));
    let links: Vec<_> = all.iter().flat_map(|it| it.commit.entries.clone()).collect();
    let own: Vec<Sealed> = sealed(Chain::START, 3);
    assert_eq!(links[1], (table(1), Chain { seq: Seq(3), link: own[2].chain }));
    vault.checkpoint(Timestamp(NOW.0 + 1)).expect("a checkpoint");
    assert_eq!(signed(&mut vault), []);
}
