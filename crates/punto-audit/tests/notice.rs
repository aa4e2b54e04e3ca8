//! Interpretation 49 as a post-condition: a record in which bets closed over something that the console had shown is
//! found, in every game with boxes, whatever the mirrored table thinks of it.

use crate::ledger::{ledger_of, scenarios};
use punto_audit::FindingKind;
use punto_record::{Entry, Event};

/// The findings against interpretation 49 in a record.
fn breaches(entries: &[Entry]) -> usize {
    let audit = ledger_of(entries).audit();
    let against = audit.findings.iter().filter(|it| it.kind == FindingKind::AgainstInterpretation);
    against.filter(|it| it.cite.as_ref().is_some_and(|cite| cite.to_string() == "interpretation 49")).count()
}

#[test]
fn what_was_shown_and_closed_over_is_found() {
    let mut games = std::collections::BTreeSet::new();
    for scenario in scenarios().iter().filter(|it| it.name.contains("what-the-console-has-shown")) {
        assert_eq!(breaches(&scenario.entries), 0, "{}", scenario.name);
        let closes = |entry: &&Entry| entry.events.iter().any(|it| matches!(it, Event::BetsClosed { .. }));
        for at in 0..scenario.entries.len() {
            if !closes(&&scenario.entries[at]) {
                continue;
            }
            // As if what went back had stayed.
            let mut entries = scenario.entries.clone();
            let goes_back =
                |it: &Event| matches!(it, Event::WagerReturned { .. } | Event::WagerTrimmed { .. });
            assert!(entries[at].events.iter().any(goes_back), "{}", scenario.name);
            entries[at].events.retain(|it| !goes_back(it));
            assert!(breaches(&entries) > 0, "{} entry {at}", scenario.name);
            games.insert(scenario.name.split('/').next().expect("a game").to_owned());
        }
    }
    assert_eq!(games.len(), 3, "{games:?}");
}
