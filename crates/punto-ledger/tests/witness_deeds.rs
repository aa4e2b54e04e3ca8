//! Deeds about witnesses in the vault: what two people cannot do as things stand is refused, in words that may be told, and the
//! ledger goes on.

use crate::ledgers::*;
use punto_ledger::{Error, Place, Vault};
use punto_record::{Actor, Contest, Deed, Digest, LedgerKind, Volume};

fn office(person: &'static str) -> Actor {
    Actor::Administrator { person: person.into() }
}

fn deed(vault: &mut Vault, by: Actor, deed: Deed) -> Result<punto_record::Seq, Error> {
    let n = vault.head(&Volume::House).seq.0 + 1;
    vault.deed(order("server", n), by, NOW, deed)
}

fn changed(in_use: bool) -> Deed {
    Deed::WitnessChanged {
        witness: "w".into(),
        address: "folder:/mnt/w".into(),
        key: None,
        in_use,
        second: "o-2".into(),
        reason: "as agreed".into(),
    }
}

fn lost(to: u64) -> Deed {
    let (second, reason) = ("o-2".into(), "restored".into());
    Deed::LossDeclared { witness: "w".into(), from: 0, to, root: None, second, reason }
}

#[test]
fn what_cannot_be_done_about_a_witness_now_is_a_refusal() {
    let mut vault =
        Vault::found_with(&Place::Memory, LedgerKind::House, key(1), Digest([7; 32]), NOW, release())
            .expect("a house");
    for person in ["o-1", "o-2"] {
        let invited = Deed::staff_changed(person.into(), "administrator".into(), true, true);
        deed(&mut vault, Actor::House, invited).expect("invited");
        deed(&mut vault, office(person), Deed::PasswordChosen { credential: None }).expect("chosen");
    }
    let opened = Deed::OpenedUnwitnessed { second: "o-2".into(), reason: "alone".into() };
    let confirmed = Deed::WitnessConfirmed { witness: "w".into(), size: 1, root: Digest([1; 32]) };
    let refused = |vault: &mut Vault, by: Actor, asked: &Deed| {
        let error = deed(vault, by, asked.clone()).expect_err("refused");
        assert!(matches!(error, Error::NotAllowed(_)) && error.is_refusal(), "{asked:?}: {error}");
    };
    for asked in [changed(false), opened.clone(), lost(9)] {
        refused(&mut vault, office("o-1"), &asked);
    }
    refused(&mut vault, Actor::House, &confirmed);
    deed(&mut vault, office("o-1"), changed(true)).expect("named");
    deed(&mut vault, Actor::House, confirmed).expect("confirmed");
    deed(&mut vault, office("o-1"), opened).expect("opened");
    refused(&mut vault, office("o-1"), &lost(9));
    let contest = Some(Contest { witness: "w".into(), from: 0, to: 9, root: None });
    let contested = Deed::VerificationFailed { words: "it keeps another".into(), register: false, contest };
    deed(&mut vault, Actor::House, contested).expect("contested");
    for asked in [changed(false), lost(8)] {
        refused(&mut vault, office("o-1"), &asked);
    }
    deed(&mut vault, office("o-1"), lost(9)).expect("declared");
    refused(&mut vault, office("o-1"), &lost(9));
}
