//! An attacker with write access to the ledger's file changes the register of people and devices while the house is closed:
//! nobody signs in by it, the deed and the audit name it, Rounds in play end, and no further one opens until two people have cleared it.

use crate::house;
use std::ops::ControlFlow;

use crate::house::{House, clock, electronic, order, round, until, wager};
use punto_record::{Deed, HouseEntry, RoundNo, Seq, TableId, Volume};
use punto_rules::PatronNo;
use punto_server::client::Http;
use punto_server::floor::{Hold, Pace};
use punto_server::http::register::{RegisterState, RegisterTampered};
use punto_server::pending::Pending;
use punto_server::register::{Cost, DeviceKind, Error, Register};
use punto_server::role::Role;
use punto_server::wire::Answer;
use serde_json::json;
use tempfile::TempDir;

const TABLE: &str = "etg-1";
const CREDITS: u64 = 10_000;
const STAKE: u64 = 1_000;
const PEOPLE: [(&str, Role); 4] = [
    ("adm-1", Role::Administrator),
    ("adm-2", Role::Administrator),
    ("d-1", Role::Dealer),
    ("d-2", Role::Dealer),
];
const MINE: &str = "four green elephants";

fn table() -> TableId {
    TABLE.parse().expect("a name")
}

/// What a crash leaves: a table that runs by itself, with a bet in the Round in play. Then the credential of the terminal.
async fn in_play() -> (TempDir, [u8; 32], String) {
    let house = House::new().await;
    for (person, role) in PEOPLE {
        house.hire(person, role).await;
    }
    house.employed("d-2", Role::Dealer, false).await;
    house.open_table(electronic(TABLE, 600)).await;
    house.buy(TABLE, 7, CREDITS).await;
    house.enrol("board-1", DeviceKind::Board { table: table() });
    let kind = DeviceKind::Terminal { table: table(), patron: PatronNo(7), at_box: None };
    let credential = house.enrol("t-7", kind);
    let mut terminal = house.terminal_again(TABLE, 7, &credential, None).await;
    until(&mut terminal, |it| it.view().at("/phase") == "betting").await;
    let now = Some(round(&terminal));
    let answer = order(&mut terminal, wager(7, "player", STAKE), now).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");

    // Copied while the writer waits.
    let (from, left) = (house.folder.path().join("."), tempfile::tempdir().unwrap());
    let to = left.path().to_owned();
    let copy = move |_: &mut punto_ledger::Vault| {
        let copied = std::process::Command::new("cp").arg("-r").args([&from, &to]).status();
        assert!(copied.unwrap().success());
        Ok(())
    };
    house.app.floor.ledger().with(copy).await.unwrap();
    terminal.hang_up().await;
    let (_, key) = house.close().await;
    (left, key, credential)
}

/// How many Rounds there were, and the patron's money where none of it is at stake any more.
async fn settled(house: &House) -> (RoundNo, Option<u64>) {
    let look = |table: &punto_table::Table| {
        let state = table.state();
        let at_stake = state.round().is_some_and(|round| round.wagers.of(PatronNo(7)).next().is_some());
        let credits = state.account(PatronNo(7)).map_or(0, |account| account.credits.get());
        (state.rounds, (!at_stake).then_some(credits))
    };
    house.app.floor.look(&table(), look).await.expect("the table is there")
}

/// Waits until it is so.
async fn wait_until(house: &House, is_so: impl Fn((RoundNo, Option<u64>)) -> bool) -> (RoundNo, Option<u64>) {
    let waiting = async {
        loop {
            let found = settled(house).await;
            if is_so(found) {
                return found;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(house::PATIENCE, waiting).await.expect("in time")
}

fn run(folder: &TempDir, sql: &str) {
    let connection = rusqlite::Connection::open(folder.path().join("ledger")).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// The hash of a password that the attacker has chosen.
fn hash_of_mine() -> String {
    let register = Register::memory(Cost::trifling()).unwrap();
    let hired = register.hire("x", "x", Role::Dealer, clock().now()).unwrap();
    let invitation = hired.invitation.unwrap().secret.text();
    let chosen = register.choose_password_with(&invitation, None, MINE, clock().now(), |_| Ok(()));
    chosen.unwrap().credential.hash().to_owned()
}

async fn alarms(house: &House) -> Vec<(Seq, String)> {
    let read = |reader: &mut punto_ledger::Reader<'_>| {
        let mut all = Vec::new();
        reader.entries_of(&Volume::House, Seq(0), &mut |stored| {
            let entry: HouseEntry = serde_json::from_slice(stored.bytes).unwrap();
            if let Deed::VerificationFailed { words, register: true, .. } = entry.deed {
                all.push((entry.seq, words.to_string()));
            }
            ControlFlow::Continue(())
        })?;
        Ok(all)
    };
    house.app.floor.read(read).await.unwrap()
}

/// Two people clear what was found last.
async fn clear(house: &House, http: &Http) {
    let state: RegisterState = http.get("/api/register").await.unwrap();
    let RegisterTampered { failed, .. } = state.tampered.expect("it is told");
    let alone = json!({ "failed": failed, "second": "adm-1", "reason": "looked into" });
    assert!(http.post::<Pending>("/api/register/pending", &alone).await.is_err(), "two people are two");
    let other = json!({ "failed": Seq(1), "second": "adm-2", "reason": "looked into" });
    assert!(http.post::<Pending>("/api/register/pending", &other).await.is_err(), "it is another finding");
    let two = json!({ "failed": failed, "second": "adm-2", "reason": "looked into" });
    let pending: Pending = http.post("/api/register/pending", &two).await.unwrap();
    let record = json!({ "pending": pending.pending });
    assert!(http.post::<serde_json::Value>("/api/register", &record).await.is_err(), "nobody has signed yet");
    assert!(house.app.floor.holds().contains(&Hold::RegisterTampered));
    http.sign(&pending.pending, "adm-2", house::PASSWORD).await.unwrap();
    http.post::<serde_json::Value>("/api/register", &record).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_row_lets_nobody_in_and_stops_the_house() {
    let mine = hash_of_mine();
    let replaced = |kind: &str, id: &str, from: &str, to: &str| {
        format!(
            "UPDATE register SET body = json_replace(body, '{from}', {to}) WHERE kind = '{kind}' AND id = '{id}'"
        )
    };
    let inserted = format!(
        r#"INSERT INTO register SELECT kind, 'adm-9', deed, replace(body, 'adm-1', 'adm-9') FROM register
             WHERE kind = 'person' AND id = 'adm-1';
           INSERT INTO register SELECT kind, 'adm-9', deed, json_replace(body, '$.fact.person', 'adm-9', '$.hash', '{mine}')
             FROM register WHERE kind = 'password' AND id = 'adm-1'"#
    );
    // What is done, what the deed names, and who would come in by it.
    let attacks = [
        (replaced("password", "d-1", "$.hash", &format!("'{mine}'")), "password d-1", "d-1"),
        (inserted, "person adm-9", "adm-9"),
        (replaced("person", "d-1", "$.fact.role", "'shift-manager'"), "person d-1", "d-1"),
        (replaced("person", "d-2", "$.fact.enabled", "json('true')"), "person d-2", "d-2"),
        (
            "UPDATE register SET body = (SELECT json_replace(body, '$.fact.person', 'd-1') FROM register
             WHERE kind = 'password' AND id = 'd-2') WHERE kind = 'password' AND id = 'd-1'"
                .to_owned(),
            "password d-1",
            "d-1",
        ),
    ];
    for (sql, named, person) in attacks {
        let (folder, key, _) = in_play().await;
        run(&folder, &sql);
        let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
        let now = house.app.clock.now();
        for password in [MINE, house::PASSWORD] {
            let signed = house.app.register.sign_in(person, password, now);
            assert!(matches!(signed, Err(Error::NotSignedIn(_))), "{sql}: {signed:?}");
        }
        let found = alarms(&house).await;
        assert!(matches!(found.as_slice(), [(_, words)] if words.contains(named)), "{sql}: {found:?}");
        let findings = house.findings().await;
        let of_rows = findings.iter().filter(|it| it.contains("RegisterRow")).count();
        assert!(of_rows > 0 && of_rows == findings.len(), "{sql}: {findings:?}");
        house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_round_in_play_ends_and_no_other_opens_until_two_people_clear_it() {
    let (folder, key, credential) = in_play().await;
    let forged =
        "UPDATE register SET body = json_replace(body, '$.hash', printf('%064d', 7)) WHERE id = 'board-1'";
    run(&folder, forged);
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    assert!(house.app.floor.holds().contains(&Hold::RegisterTampered));
    let board = "7".parse::<u64>().map(|seven| format!("{seven:064}")).unwrap();
    assert_eq!(house.app.register.device(&board), Ok(None));
    let mut terminal = house.terminal_again(TABLE, 7, &credential, None).await;
    // Bets were open and nothing was established: the Round is void, and the stake is returned.
    let (last, _) = wait_until(&house, |(_, credits)| credits == Some(CREDITS)).await;
    for _ in 0..100 {
        assert_eq!(settled(&house).await, (last, Some(CREDITS)), "no further Round opens");
    }

    let http = house.http("adm-1").await;
    clear(&house, &http).await;
    assert!(house.app.floor.holds().is_empty());
    let state: RegisterState = http.get("/api/register").await.unwrap();
    assert_eq!(state.tampered, None);
    wait_until(&house, |(rounds, _)| rounds > last).await;
    terminal.hang_up().await;
    // The money is right, and the audit finds nothing any more: the row was made again.
    assert_eq!(house.findings().await, Vec::<String>::new());
    let (folder, key) = house.close().await;
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    assert!(house.app.floor.holds().is_empty());
    let listed = house.app.register.devices().unwrap();
    assert!(listed.iter().any(|it| it.device.as_str() == "board-1"), "its name stays used up");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_while_the_house_is_open_is_found_by_the_verification() {
    let house = House::new().await;
    house.hire("adm-1", Role::Administrator).await;
    house.hire("d-1", Role::Dealer).await;
    let forged = "UPDATE register SET body = json_replace(body, '$.fact.role', 'shift-manager') WHERE kind = 'person' AND id = 'd-1'";
    run(&house.folder, forged);
    let http = house.http("adm-1").await;
    assert!(house.app.floor.holds().is_empty());
    let _: serde_json::Value = http.post("/api/verification", &json!({})).await.unwrap();
    assert!(house.app.floor.holds().contains(&Hold::RegisterTampered));
    assert_eq!(alarms(&house).await.len(), 1);
    // What is at work was compared before, and goes on as it is.
    let member = house.app.register.member("d-1", house.app.clock.now()).unwrap();
    assert_eq!(member.role, Role::Dealer);
    house.session("d-1");
    house.close().await;
}

/// The file of an earlier release put beside a ledger that has taken one over is nothing to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_file_put_back_does_nothing() {
    let house = House::new().await;
    house.hire("d-1", Role::Dealer).await;
    let (folder, key) = house.close().await;
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../punto/tests/data/0.1.0/floor.ledger.people");
    let path = folder.path().join("people");
    std::fs::copy(kept, &path).unwrap();
    let old = rusqlite::Connection::open(&path).unwrap();
    let forged = "UPDATE staff SET role = 'administrator', password = ?1 WHERE person = 'd-1'";
    assert_eq!(old.execute(forged, [hash_of_mine()]).unwrap(), 1);
    drop(old);
    let before = std::fs::read(&path).unwrap();
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    let now = house.app.clock.now();
    let staff = house.app.register.staff(now).unwrap();
    assert!(matches!(staff.as_slice(), [it] if it.role == Role::Dealer), "{staff:?}");
    assert!(house.app.register.sign_in("d-1", MINE, now).is_err());
    house.session("d-1");
    assert!(house.app.floor.holds().is_empty());
    assert_eq!(std::fs::read(house.folder.path().join("people")).unwrap(), before);
    house.close().await;
}
