//! A house in which something opened outside its approval, in every game (interpretations 33, 46 and 48): the record is
//! that of a table which was asked nothing, put into ledgers that approved this and that.

use crate::ledger::{EARLY, Ledger, approved, key, table_of, told};
use punto_audit::{FindingKind, Inputs};
use punto_record::{
    Actor, Anchor, Command, Deed, Digest, Entry, Event, HouseEntry, LedgerKind, Moment, Seq, Timestamp,
    digest,
};
use punto_table::script::{Script, play};

const GAMES: [&str; 4] = ["wu-song A", "rws-baccarat A", "da-hu-ying-xiong A", "ncb-etg terminal"];

fn close(game: &str) -> &'static str {
    if game.starts_with("ncb-etg") { "+20s\nhouse: close-bets\n" } else { "dealer: close-bets\n" }
}

/// Those who work take their posts.
const POSTS: &str = "shift-manager: take-post person=shift-manager post=shift-manager\n\
                     shift-manager: take-post person=supervisor post=pit-supervisor\n\
                     shift-manager: take-post person=dealer post=dealer\n";

/// A Round at a table with these settings, where posts are held.
fn played(house: &str, game: &str, settings: &str) -> (Vec<HouseEntry>, Vec<Entry>) {
    played_by(house, game, &format!("posts=held {settings}"), "")
}

/// A Round at a table with these settings, and what comes after it.
fn played_by(house: &str, game: &str, settings: &str, after: &str) -> (Vec<HouseEntry>, Vec<Entry>) {
    let close = close(game);
    let text = format!(
        "{house}table {game} {settings}\n{POSTS}dealer: load-shoe card_set=blue-1 shuffled_by=s-1\ndealer: open-bets\n{close}\
         dealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n{after}"
    );
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    (played.house, played.entries)
}

fn name(game: &str) -> &str {
    game.split_once(' ').expect("a layout").0
}

/// How often the audit of this record in this ledger cites interpretations 33 and 48.
fn found(ledger: Ledger, entries: &[Entry], strict: bool) -> (usize, usize) {
    let [approval, _, rights] = all_found(ledger, entries, strict);
    (approval, rights)
}

/// The same for 33, 46 and 48.
fn all_found(mut ledger: Ledger, entries: &[Entry], strict: bool) -> [usize; 3] {
    let table = table_of(entries);
    entries.iter().for_each(|entry| ledger.plain_entry(&table, entry));
    let audit = ledger.audit_entries_with(Inputs { strict, ..Inputs::default() });
    let of = |no: u8| {
        let cites = |it: &&punto_audit::Finding| {
            it.cite.as_ref().is_some_and(|cite| cite.to_string() == format!("interpretation {no}"))
        };
        audit.findings.iter().filter(cites).count()
    };
    // Scripts name nobody's deeds and nobody signs; that is another matter.
    let own = |it: &&punto_audit::Finding| {
        let by_deeds = [FindingKind::NoMandate, FindingKind::NotSigned];
        it.kind == FindingKind::AgainstInterpretation || by_deeds.contains(&it.kind)
    };
    assert_eq!(audit.findings.len(), audit.findings.iter().filter(own).count(), "{}", told(&audit));
    [of(33), of(46), of(48)]
}

#[test]
fn a_round_without_an_approval_is_found_in_a_house_and_nowhere_else() {
    for game in GAMES {
        let (_, entries) = played("", game, "");
        for kind in [LedgerKind::Demo, LedgerKind::Practice] {
            assert_eq!(found(Ledger::founded(kind, &key(1)), &entries, false), (0, 0), "{game}");
        }
        // The table and the Round; and nobody agreed to the settings.
        assert_eq!(found(Ledger::founded(LedgerKind::House, &key(1)), &entries, false), (2, 1), "{game}");
        // Entries of the first release are judged so only where that is asked for.
        let first: Vec<Entry> = entries
            .iter()
            .map(|entry| Entry { release: punto_record::Release("punto 0.1.0".into()), ..entry.clone() })
            .collect();
        assert_eq!(found(Ledger::founded(LedgerKind::House, &key(1)), &first, false), (0, 0), "{game}");
        assert_eq!(found(Ledger::founded(LedgerKind::House, &key(1)), &first, true), (2, 1), "{game}");
    }
}

#[test]
fn an_approval_is_the_one_that_is_named_and_in_force() {
    for game in GAMES {
        let approves = format!("in a house: approved {}\n", name(game));
        let (house, entries) = played(&approves, game, "second=compliance");
        assert_eq!(found(Ledger::of(&house), &entries, false), (0, 0), "{game}");
        let opened = entries[0].order.at;
        let later = |deed: &dyn Fn(&mut Deed)| {
            // The same volume with its last deed changed, and the events name that deed.
            let mut house = house.clone();
            deed(&mut house.last_mut().expect("an approval").deed);
            let ledger = Ledger::of(&house);
            let link = ledger.leaves.last().expect("an approval").1.chain;
            let named = named(&entries, Some(Anchor { seq: Seq(2), link }));
            found(ledger, &named, false)
        };
        assert_eq!(later(&|_| {}), (0, 0), "{game}");
        let tomorrow = Moment::utc(Timestamp(opened.0 + 86_400_000));
        let in_force = |it: &mut Deed, from| {
            if let Deed::RulesApproved { in_force, .. } = it {
                *in_force = from;
            }
        };
        assert_eq!(later(&|it| in_force(it, tomorrow)), (2, 0), "{game}");
        let of = |it: &mut Deed, text: Digest| {
            if let Deed::RulesApproved { digest, .. } = it {
                *digest = text;
            }
        };
        assert_eq!(later(&|it| of(it, digest(b"another text"))), (2, 0), "{game}");
        // No deed, a deed of another number, one that is no approval.
        let first = Ledger::of(&house).leaves[0].1.chain;
        let link = Ledger::of(&house).leaves[1].1.chain;
        for deed in [
            None,
            Some(Anchor { seq: Seq(3), link }),
            Some(Anchor { seq: Seq(2), link: first }),
            Some(Anchor { seq: Seq(1), link: first }),
        ] {
            assert_eq!(found(Ledger::of(&house), &named(&entries, deed), false), (2, 0), "{game}: {deed:?}");
        }
        // In a ledger without real money there is nothing to name.
        assert_eq!(found(Ledger::founded(LedgerKind::Practice, &key(1)), &entries, false), (2, 0), "{game}");
    }
}

/// The same entries with events that name this deed.
fn named(entries: &[Entry], deed: Option<Anchor>) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    for event in entries.iter_mut().flat_map(|entry| &mut entry.events) {
        if let Event::TableOpened { approval, .. } | Event::BetsOpened { approval, .. } = event {
            *approval = deed;
        }
    }
    entries
}

#[test]
fn a_round_that_opened_after_the_withdrawal_is_found_and_one_before_is_not() {
    for game in GAMES {
        let approves = format!("in a house: approved {}\n", name(game));
        let (house, entries) = played(&approves, game, "second=compliance");
        let opens = |it: &&Entry| matches!(it.order.command, Command::OpenBets {});
        let at = entries.iter().find(opens).expect("a Round").order.at;
        let text = digest(approved(name(game)).expect("approved").as_bytes());
        for (withdrawn, expected) in [(at.0 + 1, (0, 0)), (at.0, (0, 0)), (at.0 - 1, (1, 0))] {
            let mut ledger = Ledger::of(&house);
            let (second, reason) = ("b".into(), "the authority says so".into());
            let deed =
                Deed::RulesWithdrawn { digest: text, at: Moment::utc(Timestamp(EARLY)), second, reason };
            ledger.deed_at(Actor::Administrator { person: "a".into() }, withdrawn, deed);
            assert_eq!(found(ledger, &entries, false), expected, "{game}");
        }
    }
}

#[test]
fn settings_that_touch_rights_are_looked_at() {
    for game in GAMES {
        let house = |software: bool| {
            let more = if software { " software_cards=true" } else { "" };
            let approves = format!("in a house: approved {}{more}\n", name(game));
            let (house, _) = played(&approves, game, "second=compliance");
            let link = Ledger::of(&house).leaves[1].1.chain;
            (Ledger::of(&house), Some(Anchor { seq: Seq(2), link }))
        };
        // A table that was asked nothing, and opened by two.
        for (settings, expected) in [
            ("second=compliance", 0),
            ("", 1),
            ("second=compliance established_by=placed", 2),
            ("second=compliance betting_seconds=9", 2),
            ("second=compliance betting_seconds=301", 2),
        ] {
            if game.starts_with("ncb-etg") && settings.contains("301") {
                continue;
            }
            let (_, entries) = played("", game, settings);
            let (ledger, deed) = house(false);
            assert_eq!(found(ledger, &named(&entries, deed), false), (0, expected), "{game}: {settings}");
        }
    }
}

/// Interpretation 46: a house where whoever is signed in gives orders.
#[test]
fn a_house_where_posts_are_not_held_is_found() {
    for game in GAMES {
        let approves = format!("in a house: approved {}\n", name(game));
        let (house, _) = played(&approves, game, "second=compliance");
        let link = Ledger::of(&house).leaves[1].1.chain;
        let deed = Some(Anchor { seq: Seq(2), link });
        // The table and the Round.
        for (posts, expected) in [("posts=held", 0), ("", 2)] {
            let (_, entries) = played_by("", game, &format!("{posts} second=compliance"), "");
            let entries = named(&entries, deed);
            assert_eq!(all_found(Ledger::of(&house), &entries, false), [0, expected, 0], "{game}: {posts}");
            let practice = Ledger::founded(LedgerKind::Practice, &key(1));
            assert_eq!(all_found(practice, &named(&entries, None), false), [0, 0, 0], "{game}: {posts}");
        }
    }
}

/// The Round announced as the last is left out where none may commence, and nowhere else.
#[test]
fn a_last_round_that_could_have_been_played_is_found() {
    for game in GAMES {
        let approves = format!("in a house: approved {}\n", name(game));
        let ends = format!(
            "supervisor: announce-closing\ndealer: retire-shoe reason=\"no more Rounds\"\n\
             in a house: withdrawn {}\nsupervisor: close-table\n",
            name(game)
        );
        let (house, entries) = played_by(&approves, game, "posts=held second=compliance", &ends);
        let last = entries.last().expect("closed");
        assert!(matches!(last.events[..], [Event::LastRoundDropped { .. }, Event::TableClosed {}]), "{game}");
        assert_eq!(found(Ledger::of(&house), &entries, false), (0, 0), "{game}");
        // Never withdrawn; and where anything may be played.
        assert_eq!(found(Ledger::of(&house[..2]), &entries, false), (1, 0), "{game}");
        let practice = Ledger::founded(LedgerKind::Practice, &key(1));
        assert_eq!(found(practice, &named(&entries, None), false), (1, 0), "{game}");
    }
}
