//! A device that holds too few cards, in every game and with every kind of device (interpretation 38). Each case is played
//! at the table, and its record is audited.

use crate::ledger::{Ledger, approved, key, ledger_of, scenarios, told};
use punto_audit::FindingKind;
use punto_record::{Actor, Command, Deed, Entry, Event, LedgerKind};
use punto_rules::{IrregularityKind, Post};
use punto_table::script::{Outcome, Script, play};

const GAMES: [(&str, &str, &str); 4] = [
    ("wu-song A", " box=1", "dealer: close-bets\n"),
    ("rws-baccarat A", " box=1", "dealer: close-bets\n"),
    ("da-hu-ying-xiong A", " box=1", "dealer: close-bets\n"),
    ("ncb-etg terminal", "", "+20s\nhouse: close-bets\n"),
];
macro_rules! in_every_game {
    ($($test:ident),*) => {
        mod wu_song {
            $(#[test] fn $test() { super::$test(0); })*
        }
        mod rws_baccarat {
            $(#[test] fn $test() { super::$test(1); })*
        }
        mod da_hu_ying_xiong {
            $(#[test] fn $test() { super::$test(2); })*
        }
        mod ncb_etg {
            $(#[test] fn $test() { super::$test(3); })*
        }
    };
}

in_every_game!(too_few_cards_are_seen_and_ruled, a_void_that_nobody_has_seen_is_found);

const DEVICES: [&str; 3] = ["shoe", "batch-shuffler", "continuous-shuffler"];

/// Cards of a Round that takes five.
const CARDS: [&str; 5] = ["2s", "4d", "5h", "9c", "Kc"];

fn dealt(game: usize, device: &str, count: usize) -> String {
    let (table, place, close) = GAMES[game];
    let draw =
        if count == 0 { String::new() } else { format!("dealer: draw {}\n", CARDS[..count].join(" ")) };
    format!(
        "table {table} device={device}\ndealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n\
         cashier: buy-credits patron=7 amount=1000\ndealer: open-bets\npatron 7: bet banker 200{place}\n{close}{draw}"
    )
}

fn after(script: &str) -> (Outcome, Vec<Entry>) {
    let played = play(&Script::parse(script).expect("a script"), approved).expect("played");
    let last = played.steps.last().and_then(|step| step.orders.last()).expect("an order").1.clone();
    (last, played.entries)
}

fn is_clean(script: &str, entries: &[Entry]) {
    let audit = ledger_of(entries).audit();
    assert!(audit.is_clean(), "{script}\n{}", told(&audit));
}

/// It is reported with a number below what the Round needs at least, and a Pit Supervisor or above decides.
fn too_few_cards_are_seen_and_ruled(game: usize) {
    for device in DEVICES {
        for count in 0..=5 {
            for left in [None, Some(0), Some(1), Some(2), Some(3), Some(4)] {
                let said = left.map_or_else(String::new, |left: usize| format!(" left={left}"));
                let script = dealt(game, device, count) + &format!("dealer: report shoe-exhausted{said}\n");
                let (outcome, entries) = after(&script);
                let needed = if count == 5 { 0 } else { 4_usize.saturating_sub(count).max(1) };
                let few = left.is_some_and(|left| left < needed);
                assert_eq!(matches!(outcome, Outcome::Events(_)), few, "{script}\n{outcome:?}");
                is_clean(&script, &entries);
                if !few || count % 2 == 1 {
                    continue;
                }
                for (who, may) in [("dealer", false), ("supervisor", true), ("shift-manager", true)] {
                    for ruling in ["void", "misread", "continue", "reconstruct"] {
                        let text = script.clone() + &format!("{who}: rule 1 {ruling} reason=seen\n");
                        let (outcome, entries) = after(&text);
                        let allowed = may && matches!(ruling, "void" | "misread");
                        assert_eq!(matches!(outcome, Outcome::Events(_)), allowed, "{text}\n{outcome:?}");
                        is_clean(&text, &entries);
                        let voided = entries.iter().flat_map(|it| &it.events).any(|it| {
                            matches!(it, Event::RoundVoided { kind: IrregularityKind::ShoeExhausted, .. })
                        });
                        assert_eq!(voided, allowed && ruling == "void", "{text}");
                    }
                }
            }
        }
    }
}

/// A void for want of cards that a Dealer decided is found, and so is one about a device that held enough.
fn a_void_that_nobody_has_seen_is_found(game: usize) {
    for device in DEVICES {
        let script = dealt(game, device, 2)
            + "dealer: report shoe-exhausted left=1\nsupervisor: rule 1 void reason=empty\n";
        let (_, entries) = after(&script);
        is_clean(&script, &entries);
        let mut alone = entries.clone();
        alone.last_mut().expect("an entry").order.by =
            Actor::Staff { person: "dealer".into(), post: Post::Dealer };
        assert!(against(&alone) > 0, "{script}");
        let mut enough = entries.clone();
        for event in enough.iter_mut().flat_map(|it| &mut it.events) {
            if let Event::MatterOpened { report, .. } = event {
                *report = punto_record::Report::ShoeExhausted { left: Some(2) };
            }
        }
        assert!(against(&enough) > 0, "{script}");
    }
}

fn against(entries: &[Entry]) -> usize {
    let audit = ledger_of(entries).audit();
    let found = audit.findings.iter().filter(|it| it.kind == FindingKind::AgainstInterpretation);
    found.filter(|it| it.cite.as_ref().is_some_and(|it| it.to_string() == "interpretation 38")).count()
}

/// Cards of a software shoe that a card reader named are found, whoever enrolled it.
#[test]
fn a_reader_that_names_the_cards_of_a_software_shoe_is_found() {
    let scenario =
        scenarios().iter().find(|it| it.name.ends_with("a-shoe-of-software.txt")).expect("a scenario");
    let draws = |it: &&Entry| matches!(it.order.command, Command::DrawCard { .. });
    let reader = &scenario.entries.iter().find(draws).expect("a card").order.id.device;
    for kind in ["reader", "board"] {
        let mut ledger = Ledger::founded(LedgerKind::Demo, &key(1));
        let enrolled = Deed::DeviceEnrolled {
            device: reader.clone(),
            kind: kind.into(),
            table: "T1".into(),
            patron: None,
            at_box: None,
            second: None,
            reason: None,
            credential: None,
        };
        ledger.deed(Actor::Administrator { person: "adm-1".into() }, enrolled);
        for entry in &scenario.entries {
            ledger.entry(&"T1".into(), entry);
        }
        let audit = ledger.audit_entries();
        let named = audit.findings.iter().filter(|it| it.words.contains("a card reader said")).count();
        assert_eq!(named > 0, kind == "reader", "{kind}: {}", told(&audit));
    }
}
