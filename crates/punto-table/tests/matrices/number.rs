//! Interpretation 32: whether a number of cards is wrong is computed, and what follows.

use punto_record::{Command, Event, ReasonKind, Report, RoundNo, Ruling, RulingWord};
use punto_rules::{BySide, Card, Post, Side};
use punto_table::Table;

use crate::{after, cards, decide, rule, rulings, staff, table, table_from};

/// Rounds in drawing order, with the numbers of cards that the Table of Play gives.
const ROUNDS: [(&str, usize, usize); 4] =
    [("9s 2d Kh Kc", 2, 2), ("2s 9d 4h 3c 5h", 2, 3), ("2s 3d Kh 4c 8s", 3, 2), ("2s 2d Kh Kc 3s 4h", 3, 3)];

/// A table with these cards out, or settled by them.
fn dealt(game: &str, out: &str, settled: bool) -> Table {
    let confirmed = if settled { "dealer: confirm-result\n" } else { "" };
    table(game, "", &format!("dealer: open-bets\nBETS\nCLOSE\ndealer: draw {out}\n{confirmed}"))
}

/// Every way to place some cards: with the Player, with Banker, with neither.
fn placements(all: &[Card]) -> Vec<(BySide<Vec<Card>>, Vec<Card>)> {
    let mut ways = vec![(BySide::default(), Vec::new())];
    for card in all {
        ways = ways
            .into_iter()
            .flat_map(|(hands, neither)| {
                let with = |side: Side| {
                    let mut hands: BySide<Vec<Card>> = hands.clone();
                    hands[side].push(*card);
                    (hands, neither.clone())
                };
                let beside = (hands.clone(), [neither.as_slice(), &[*card]].concat());
                [with(Side::Player), with(Side::Banker), beside]
            })
            .collect();
    }
    ways
}

fn report(hands: BySide<Vec<Card>>, neither: Vec<Card>, unread: Vec<Card>) -> Command {
    Command::Report { report: Report::WrongNumberOfCards { hands, neither, unread } }
}

fn a_number_is_wrong_if_the_cards_say_so(game: &str) {
    let dealer = staff(Post::Dealer);
    for (out, player, banker) in ROUNDS {
        for settled in [false, true] {
            let table = dealt(game, out, settled);
            for (hands, neither) in placements(&cards(out)) {
                let right = (hands.player.len(), hands.banker.len()) == (player, banker);
                let told = format!("{game}: {out}, settled {settled}: {hands:?} {neither:?}");
                match decide(&table, &dealer, report(hands, neither, vec![])) {
                    Ok(events) => {
                        assert!(!right, "{told}");
                        let opened = |event: &Event| {
                            let proposed = Some(RulingWord::Reconstruct);
                            matches!(event, Event::MatterOpened { holds: true, proposed: it, .. } if *it == proposed)
                        };
                        assert!(events.iter().any(opened), "{told}");
                    }
                    Err(refused) => {
                        assert!(right, "{told}: {refused}");
                        assert_eq!(refused.reason.kind(), ReasonKind::NumberNotWrong, "{told}");
                    }
                }
            }
        }
    }
}

fn a_report_has_every_card_once(game: &str) {
    let dealer = staff(Post::Dealer);
    for (out, ..) in ROUNDS {
        for settled in [false, true] {
            let table = dealt(game, out, settled);
            let all = cards(out);
            let fewer = (0..all.len()).map(|leave| {
                let mut some = all.clone();
                some.remove(leave);
                some
            });
            let twice = all.iter().map(|card| [all.as_slice(), &[*card]].concat());
            for some in fewer.chain(twice).chain([vec![]]) {
                let hands = BySide { player: some, banker: vec![] };
                let refused = decide(&table, &dealer, report(hands, vec![], vec![]));
                let refused = refused.expect_err("not the cards that are out");
                assert_eq!(refused.reason.kind(), ReasonKind::CardsDoNotAddUp, "{game}: {out}");
            }
            // One more, said to be unread, is placed with the others.
            let more: Card = "7d".parse().expect("a card");
            let hands = BySide { player: [all.as_slice(), &[more]].concat(), banker: vec![] };
            let taken = decide(&table, &dealer, report(hands, vec![], vec![more])).expect("taken");
            let opened =
                |event: &Event| matches!(event, Event::MatterOpened { proposed: Some(RulingWord::Void), .. });
            assert!(taken.iter().any(opened), "{game}: {out}");
        }
    }
}

/// Void or put in order by a Pit Supervisor or above; nothing else, and it never stands.
fn a_wrong_number_is_put_right_or_void(game: &str) {
    for (out, ..) in ROUNDS {
        for settled in [false, true] {
            let hands = BySide { player: cards(out), banker: vec![] };
            let table = dealt(game, out, settled);
            let table = after(&table, &staff(Post::Dealer), report(hands, vec![], vec![]));
            for ruling in rulings(&cards(out)) {
                for post in Post::ALL {
                    let decided = decide(&table, &staff(post), rule(1, &ruling));
                    let told = format!("{game}: {out}, settled {settled}: {ruling:?} by {}", post.id());
                    let open = match ruling.word() {
                        RulingWord::Void | RulingWord::Reconstruct => true,
                        RulingWord::Correct => settled,
                        RulingWord::Misread
                        | RulingWord::AsTheyLie
                        | RulingWord::InOrder
                        | RulingWord::Continue
                        | RulingWord::Stand
                        | RulingWord::Adjust => false,
                    };
                    match decided {
                        Ok(_) => assert!(open && post >= Post::PitSupervisor, "{told}"),
                        Err(refused) if post < Post::PitSupervisor => {
                            assert_eq!(refused.reason.kind(), ReasonKind::NotPermitted, "{told}");
                        }
                        Err(refused) => {
                            assert!(!open, "{told}: {refused}");
                            assert_eq!(refused.reason.kind(), ReasonKind::RulingNotAllowed, "{told}");
                        }
                    }
                }
            }
        }
    }
}

/// Once another ruling has put the cards right there is nothing left to void: in play, and after the settlement.
fn a_number_that_is_right_by_now_voids_nothing(game: &str) {
    let (dealer, supervisor) = (staff(Post::Dealer), staff(Post::PitSupervisor));
    let in_play = dealt(game, "9s 2d Kh Kc", false);
    let hands = BySide { player: cards("9s Kh Kc"), banker: cards("2d") };
    let settled = dealt(game, "9s 2d Kh Kc", true);
    // What was settled by four cards were five.
    let five = BySide { player: cards("Kh Kc 9s"), banker: cards("2d 5c") };
    let together = Report::SimultaneousDraw { cards: vec![], places: vec![1, 2], order_known: true };
    let wrong = Report::WrongResult { round: RoundNo(1), words: "the nine came last".into() };
    for (told, table, first, second, rights) in [
        (
            "in play",
            &in_play,
            report(hands, vec![], vec![]),
            together,
            Ruling::InOrder { order: cards("9s 2d Kh Kc") },
        ),
        (
            "settled",
            &settled,
            report(five, vec![], cards("5c")),
            wrong,
            Ruling::Correct { cards: cards("Kh 2d Kc 5c 9s") },
        ),
    ] {
        let reported = after(table, &dealer, first);
        assert!(decide(&reported, &supervisor, rule(1, &Ruling::Void {})).is_ok(), "{game}, {told}");
        let reported = after(&reported, &dealer, Command::Report { report: second });
        let right = after(&reported, &supervisor, rule(2, &rights));
        let refused = decide(&right, &supervisor, rule(1, &Ruling::Void {})).expect_err(game);
        assert_eq!(refused.reason.kind(), ReasonKind::RulingNotAllowed, "{game}, {told}");
    }
}

/// The House knows the cards of a software shoe: what a person says about them is a dispute.
fn nobody_reports_the_cards_of_a_software_shoe(game: &str) {
    let full: Vec<Card> = (0..8).flat_map(|_| Card::all()).collect();
    let commitment = punto_record::commitment(b"salt", &full);
    let shoe = format!("house: load-shoe card_set=soft-1 shuffled_by=software commitment={commitment}");
    let lines = "dealer: open-bets\nBETS\nCLOSE\nhouse: draw 9s 2d Kh Kc\n";
    let table = table_from(game, "cards=software", &shoe, lines);
    let hands = BySide { player: cards("9s Kh Kc"), banker: cards("2d") };
    let claims = [
        Report::WrongNumberOfCards { hands: hands.clone(), neither: vec![], unread: vec![] },
        Report::WrongSide { hands },
        Report::ForeignCard { card: "joker".into() },
        Report::ShortageOrExcess { missing: vec![], extra: cards("9s"), shoe: None },
        Report::NotShuffled {},
        Report::ExcessOrExposedCard { cards: vec![] },
    ];
    for claim in claims {
        for post in Post::ALL {
            let refused = decide(&table, &staff(post), Command::Report { report: claim.clone() });
            let told = format!("{game}: {claim:?} by {}", post.id());
            assert_eq!(refused.expect_err(&told).reason.kind(), ReasonKind::CardsKnown, "{told}");
        }
    }
    let dispute = Command::OpenDispute {
        round: None,
        patron: None,
        words: "three cards with the Player".into(),
        about: None,
        box_no: None,
    };
    assert!(decide(&table, &staff(Post::Dealer), dispute).is_ok(), "{game}");
}

every_game!(
    a_number_is_wrong_if_the_cards_say_so,
    a_report_has_every_card_once,
    a_wrong_number_is_put_right_or_void,
    a_number_that_is_right_by_now_voids_nothing,
    nobody_reports_the_cards_of_a_software_shoe
);
