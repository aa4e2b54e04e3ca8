//! Interpretation 35: cards that left the shoe together.

use punto_record::{Command, Event, ReasonKind, Report, Ruling, Seen, Source};
use punto_rules::{Card, Post};
use punto_table::Table;

use crate::{after, cards, decide, rule, rulings, staff, table};

const OUT: &str = "2s 9d 4h 3c";

/// Four cards are out, of which some were keyed.
fn dealt(game: &str, keyed: &[usize]) -> Table {
    let mut table = table(game, "", "dealer: open-bets\nBETS\nCLOSE\n");
    for (at, card) in cards(OUT).into_iter().enumerate() {
        let source = if keyed.contains(&(at + 1)) { Source::Keyed } else { Source::Read };
        let draw = Command::DrawCard { card: Seen::Card(card), source, to: None };
        table = after(&table, &staff(Post::Dealer), draw);
    }
    table
}

fn together(cards: Vec<Card>, places: &[u16], order_known: bool) -> Command {
    Command::Report { report: Report::SimultaneousDraw { cards, places: places.to_vec(), order_known } }
}

fn orders(of: &[Card]) -> Vec<Vec<Card>> {
    let Some((first, rest)) = of.split_first() else { return vec![vec![]] };
    let mut all = Vec::new();
    for order in orders(rest) {
        for at in 0..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, *first);
            all.push(longer);
        }
    }
    all
}

/// Only two keyed neighbours change places, and not where surveillance saw them.
fn what_was_read_or_seen_stands(game: &str) {
    let dealer = staff(Post::Dealer);
    for keyed in [&[][..], &[1], &[2], &[3, 4], &[1, 2, 3, 4]] {
        let table = dealt(game, keyed);
        for first in 1..=3_u16 {
            for order_known in [false, true] {
                let report = together(vec![], &[first, first + 1], order_known);
                let events = decide(&table, &dealer, report.clone()).expect("reported");
                assert!(!events.iter().any(|it| matches!(it, Event::CardDrawn { .. })), "{game}");
                let reported = after(&table, &dealer, report);
                let at = usize::from(first) - 1;
                let open = !order_known && [at + 1, at + 2].iter().any(|it| keyed.contains(it));
                for order in orders(&cards(OUT)) {
                    let mut swapped = cards(OUT);
                    swapped.swap(at, at + 1);
                    let may = order == cards(OUT) || (open && order == swapped);
                    let ruling = Ruling::InOrder { order };
                    let told = format!("{game}: {keyed:?}, {first}, {order_known}: {ruling:?}");
                    match decide(&reported, &staff(Post::PitSupervisor), rule(1, &ruling)) {
                        Ok(_) => assert!(may, "{told}"),
                        Err(refused) => {
                            assert!(!may, "{told}: {refused}");
                            assert_eq!(refused.reason.kind(), ReasonKind::CardsDoNotAddUp, "{told}");
                        }
                    }
                    assert!(decide(&reported, &dealer, rule(1, &ruling)).is_err(), "{told}");
                }
            }
        }
    }
}

fn places_are_neighbours_of_this_round(game: &str) {
    let table = dealt(game, &[1, 2, 3, 4]);
    for places in [&[][..], &[1], &[0, 1], &[1, 3], &[2, 1], &[2, 2], &[4, 5], &[7, 8]] {
        let refused = decide(&table, &staff(Post::Dealer), together(vec![], places, false));
        let refused = refused.expect_err("not these");
        assert_eq!(refused.reason.kind(), ReasonKind::CardsDoNotAddUp, "{game}: {places:?}");
    }
    let both = together(cards("7d 8d"), &[1, 2], false);
    assert!(decide(&table, &staff(Post::Dealer), both).is_err(), "{game}");
}

/// Between Rounds a ruling fixes the order, whatever the order of typing, and nobody chooses.
fn between_rounds_a_ruling_fixes_the_order(game: &str) {
    let dealer = staff(Post::Dealer);
    let table =
        table(game, "", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n");
    let exposed = Command::Report { report: Report::ExcessOrExposedCard { cards: cards("7d 8d") } };
    let seen = together(cards("7d 8d"), &[], true);
    for (report, is_seen) in [(exposed, false), (together(cards("7d 8d"), &[], false), false), (seen, true)] {
        let reported = after(&table, &dealer, report.clone());
        for (order, stays) in [("7d 8d", true), ("8d 7d", false)] {
            for ruling in rulings(&cards(order)) {
                for post in Post::ALL {
                    let told = format!("{game}: {report:?}: {ruling:?} by {}", post.id());
                    let is_order = matches!(ruling, Ruling::InOrder { .. });
                    let may = is_order && (stays || !is_seen) && post >= Post::PitSupervisor;
                    match decide(&reported, &staff(post), rule(1, &ruling)) {
                        Ok(events) => {
                            assert!(may, "{told}");
                            let carried = events.iter().find_map(|it| {
                                let Event::CardsOrdered { carried, .. } = it else { return None };
                                Some(carried.clone())
                            });
                            assert_eq!(carried, Some(cards(order)), "{told}");
                            let asked = |it: &Event| matches!(it, Event::Ruled { choice: true, .. });
                            assert!(!events.iter().any(asked), "{told}");
                        }
                        Err(refused) => assert!(!may, "{told}: {refused}"),
                    }
                }
            }
        }
    }
}

every_game!(
    what_was_read_or_seen_stands,
    places_are_neighbours_of_this_round,
    between_rounds_a_ruling_fixes_the_order
);
