//! What a house has recorded about its rule books, while a withdrawal is being written down.

use punto_record::{Actor, Approvals, Deed, Digest, HouseEntry, Moment, OrderId, Release, Seq, Timestamp};

const TEXT: Digest = Digest([3; 32]);

fn approved(at: u64) -> HouseEntry {
    HouseEntry {
        seq: Seq(2),
        id: OrderId { device: "office".into(), n: 1 },
        by: Actor::Administrator { person: "a".into() },
        at: Timestamp(at),
        deed: Deed::RulesApproved {
            game: "wu-song".into(),
            version: "3".into(),
            digest: TEXT,
            authority: "the authority".into(),
            reference: "no. 1".into(),
            operator: "the operator".into(),
            document: "Wu Song".into(),
            in_force: Moment::utc(Timestamp(at)),
            software_cards: false,
            second: "b".into(),
            compared: "line by line".into(),
        },
        release: Release("test".into()),
    }
}

/// No Round opens from then on; what may only be done after a withdrawal waits until it is on record.
#[test]
fn a_text_that_is_being_withdrawn_is_still_approved_on_record() {
    let mut approvals = Approvals::default();
    approvals.enter(&approved(10), Digest([1; 32]));
    let now = Timestamp(20);
    assert!(approvals.of(TEXT, now).is_some_and(|it| it.is_in_force(now)));
    approvals.withhold(TEXT);
    assert_eq!(approvals.of(TEXT, now), None);
    assert_eq!(approvals.iter().count(), 0);
    assert!(approvals.on_record(TEXT, now).is_some_and(|it| it.is_in_force(now)));
    assert_eq!(approvals.on_record(Digest([4; 32]), now), None);
}
