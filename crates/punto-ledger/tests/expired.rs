//! A ticket that has expired is owed all the same: a Cashier and a second person of standing pay it, once. On a file, in
//! memory and on a real PostgreSQL.

use crate::ledgers::*;
use crate::postgres_server;
use punto_ledger::{Error, Place, Vault};
use punto_record::{Actor, Deed, Digest, LedgerKind, TicketAnswer, TicketMove, Timestamp};

const EXPIRES: Timestamp = Timestamp(NOW.0 + 60_000);
const LATE: Timestamp = Timestamp(EXPIRES.0 + 1);

mod kept {
    #[test]
    fn in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        super::an_expired_ticket_is_paid_by_two(&punto_ledger::Place::File(folder.path().join("ledger")));
    }

    #[test]
    fn in_memory() {
        super::an_expired_ticket_is_paid_by_two(&punto_ledger::Place::Memory);
    }

    #[test]
    fn in_postgresql() {
        super::an_expired_ticket_is_paid_by_two(&super::postgres_server::database());
    }
}

/// A house with its people.
fn staffed(place: &Place) -> Vault {
    let nonce = Digest([7; 32]);
    let mut vault =
        Vault::found_with(place, LedgerKind::House, key(1), nonce, NOW, release()).expect("a house");
    let mut n = 0;
    let mut write = |by: Actor, deed: Deed| {
        n += 1;
        vault.deed(order("server", n), by, NOW, deed).expect("in order");
    };
    let office = |person: &str| Actor::Administrator { person: person.parse().expect("a name") };
    for person in ["o-1", "o-2"] {
        let role = "administrator".into();
        write(Actor::House, Deed::staff_changed(person.parse().expect("a name"), role, true, true));
        write(office(person), Deed::PasswordChosen { credential: None });
    }
    for (person, role) in [
        ("c-1", "cashier"),
        ("d-1", "dealer"),
        ("p-1", "pit-manager"),
        ("m-2", "shift-manager"),
        ("u-1", "duty-manager"),
    ] {
        let mut hired = Deed::staff_changed(person.parse().expect("a name"), role.into(), true, false);
        if let Deed::StaffChanged { second, reason, .. } = &mut hired {
            (*second, *reason) = (Some("o-2".into()), Some("as planned".into()));
        }
        write(office("o-1"), hired);
    }
    vault
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Good,
    Expired,
    Paid,
    Void,
    Redeemed,
}

const STATES: [State; 5] = [State::Good, State::Expired, State::Paid, State::Void, State::Redeemed];

/// Who pays with the Cashier `c-1`, for which reason, and whether that is in order.
const SECONDS: [(Option<&str>, Option<&str>, bool); 11] = [
    (None, None, true),
    (Some("c-1"), Some("ill"), false),
    (Some("d-1"), Some("ill"), false),
    (Some("p-1"), Some("ill"), false),
    (Some("nobody"), Some("ill"), false),
    (Some("m-2"), None, false),
    (Some("m-2"), Some(" "), false),
    (None, Some("ill"), false),
    (Some("m-2"), Some("ill"), true),
    (Some("u-1"), Some("ill"), true),
    (Some("o-1"), Some("ill"), true),
];

fn an_expired_ticket_is_paid_by_two(place: &Place) {
    let mut vault = staffed(place);
    let cells: Vec<_> = STATES.into_iter().flat_map(|state| SECONDS.map(|by| (state, by))).zip(1..).collect();
    let issue = |(state, n): (State, u64)| {
        let expires = if state == State::Good { Timestamp(NOW.0 + 3_600_000) } else { EXPIRES };
        let (ticket, amount) = (ticket(n), money(100 * n));
        TicketMove::Issued { ticket, amount, currency: sgd(), at: NOW, expires, tag: None }
    };
    let all = cells.iter().map(|((state, _), n)| issue((*state, *n))).collect();
    let issued = batch_with(&vault, &table(1), 1, all);
    vault.append(&[issued]).remove(0).expect("issued");
    for ((state, _), n) in &cells {
        match state {
            State::Good | State::Expired => {}
            State::Paid => drop(vault.deed(order("cage", *n), cashier(), NOW, paid(*n)).expect("paid")),
            State::Void => drop(vault.deed(order("cage", *n), cashier(), NOW, voided(*n)).expect("void")),
            State::Redeemed => {
                let used = batch_with(&vault, &table(2), 1, vec![redeemed(*n)]);
                vault.append(&[used]).remove(0).expect("redeemed");
            }
        }
    }
    let mut done = Vec::new();
    for ((state, (second, reason, in_order)), n) in &cells {
        let told = format!("{state:?} with {second:?} for {reason:?}");
        let worth = vault.expired_worth(&ticket(*n), LATE).expect("the store");
        assert_eq!(worth, (*state == State::Expired).then(|| (money(100 * n), sgd())), "{told}");
        let deed = paid_with(*n, *second, *reason);
        let answer = vault.deed(order("cage", 1_000 + n), cashier(), LATE, deed.clone());
        let expected = match (state, in_order) {
            (_, false) => None,
            (State::Good, true) => Some(Ok(())),
            (State::Expired, true) if second.is_some() => Some(Ok(())),
            (State::Expired, true) => Some(Err(TicketAnswer::Expired)),
            (State::Void, true) => Some(Err(TicketAnswer::Void)),
            (State::Paid | State::Redeemed, true) => Some(Err(TicketAnswer::Paid)),
        };
        match (answer, expected) {
            (Ok(_), Some(Ok(()))) => done.push((*n, deed)),
            (Err(Error::Ticket { answer, .. }), Some(Err(expected))) => {
                assert_eq!(answer, expected, "{told}")
            }
            (Err(Error::NotAllowed(_)), None) => {}
            (answer, expected) => panic!("{told}: {answer:?}, and not {expected:?}"),
        }
    }
    assert_eq!(done.len(), 4 + 3);
    let mut vault = match place {
        Place::Memory => vault.reopen().expect("opened again"),
        Place::File(_) | Place::Database(_) => {
            drop(vault);
            open(place)
        }
    };
    for (n, deed) in &done {
        let answer = vault.reserve(&ticket(*n), &order("terminal", 1), LATE);
        assert_eq!(answer, Ok(TicketAnswer::Paid), "{deed:?}");
        let again = vault.deed(order("cage", 2_000 + n), cashier(), LATE, deed.clone());
        assert!(matches!(again, Err(Error::Ticket { answer: TicketAnswer::Paid, .. })), "{again:?}");
    }
    let left: u64 = vault.outstanding().values().map(|it| it.count).sum();
    assert_eq!(left, 2 * SECONDS.len() as u64 - done.len() as u64);
}
