//! Interpretation 37: what is owed for a Round that is over is computed, for those who had a wager in it.

use punto_record::{Adjustment, Command, Event, Owed, ReasonKind, Report, RoundNo, Ruling};
use punto_rules::{Money, PatronNo, Post};
use punto_table::Table;
use punto_table::script::{Script, play};

use crate::scripts::approved;
use crate::{after, cards, decide, rule, staff, table};

const LOST: &str = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n";
/// The same cards, and the Banker has the nine.
const OTHERWISE: &str = "2d 9s Kh Kc";

fn reports() -> Vec<Report> {
    let words = || "the camera shows it".into();
    vec![
        Report::WrongResult { round: RoundNo(1), words: words() },
        Report::LateDiscovery { round: RoundNo(1), words: words() },
        Report::Uncovered { words: words() },
    ]
}

fn adjust(text: &str) -> Ruling {
    Ruling::Adjust { adjustments: vec![], round: Some(RoundNo(1)), cards: cards(text) }
}

/// Every name for it, every game, every post: Wu Song stands; elsewhere the Shift Manager gives exactly the difference.
fn the_difference_is_computed_and_in_wu_song_there_is_none(game: &str) {
    // Matters that hold no Round are reported before the next one opens, and ruled once it has.
    for report in reports() {
        let late = matches!(report, Report::LateDiscovery { .. } | Report::WrongResult { .. });
        let played = table(game, "", LOST);
        let opened = |it: &Table| after(it, &staff(Post::Dealer), Command::OpenBets {});
        let told = format!("{game}: {}", report.kind().id());
        let report = Command::Report { report };
        let table = if late {
            after(&opened(&played), &staff(Post::Dealer), report)
        } else {
            opened(&after(&played, &staff(Post::Dealer), report))
        };
        let stake = played.state().earlier.get(RoundNo(1)).expect("settled").wagers[0].stake;
        for post in Post::ALL {
            let decided = decide(&table, &staff(post), rule(1, &adjust(OTHERWISE)));
            let told = format!("{told} by {}", post.id());
            match decided {
                Ok(events) => {
                    assert!(game != "wu-song" && post >= Post::ShiftManager, "{told}");
                    let found = events.iter().find_map(|event| {
                        let Event::Adjusted { round, adjustments, .. } = event else { return None };
                        Some((*round, adjustments))
                    });
                    let (round, adjustments) = found.expect("adjusted");
                    assert_eq!((round, adjustments.len()), (RoundNo(1), 1), "{told}");
                    let Adjustment { patron, owed, amount } = &adjustments[0];
                    assert_eq!((*patron, *owed), (PatronNo(7), Owed::ToPatron), "{told}");
                    // Stake and even money, less 5 % where the game takes a commission.
                    let commission = if game == "da-hu-ying-xiong" { stake.get() / 20 } else { 0 };
                    assert_eq!(amount.get(), 2 * stake.get() - commission, "{told}");
                }
                Err(refused) if game == "wu-song" => {
                    let kinds = [ReasonKind::RoundStands, ReasonKind::NotPermitted, ReasonKind::NoSuchMatter];
                    assert!(kinds.contains(&refused.reason.kind()), "{told}: {refused}");
                }
                Err(refused) => {
                    assert!(post < Post::ShiftManager, "{told}: {refused}");
                    assert_eq!(refused.reason.kind(), ReasonKind::NotPermitted, "{told}");
                }
            }
        }
    }
}

fn amounts_are_never_typed_and_nothing_is_given_alone(game: &str) {
    let played = after(&table(game, "", LOST), &staff(Post::Dealer), Command::OpenBets {});
    let table = after(&played, &staff(Post::Dealer), Command::Report { report: reports().remove(0) });
    let amount = Money::new(100).expect("little");
    let typed = Ruling::Adjust {
        adjustments: vec![Adjustment { patron: PatronNo(8), owed: Owed::ToPatron, amount }],
        round: None,
        cards: vec![],
    };
    let manager = staff(Post::ShiftManager);
    let refused = decide(&table, &manager, rule(1, &typed)).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::AmountTyped, "{game}");
    let mut alone = rule(1, &adjust(OTHERWISE));
    if let Command::Rule { second, second_post, .. } = &mut alone {
        (*second, *second_post) = (None, None);
    }
    let refused = decide(&table, &manager, alone).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::SecondPersonNeeded, "{game}");
    // Once the difference is given, there is none.
    let once = after(&table, &manager, rule(1, &adjust(OTHERWISE)));
    let again = after(&once, &staff(Post::Dealer), Command::Report { report: reports().remove(0) });
    let refused = decide(&again, &manager, rule(2, &adjust(OTHERWISE))).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::Nothing, "{game}");
}

fn on_chips(game: &str, lines: &str) -> Table {
    let opened = match game {
        "da-hu-ying-xiong" => "da-hu-ying-xiong A minimum=200 differential=2000 others=40..1000",
        "wu-song" => "wu-song D",
        _ => "rws-baccarat A",
    };
    let text = format!(
        "table {opened} money=chips limits=observed\n\
         supervisor: open-float amount=100000\n\
         dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n\
         dealer: open-bets\n\
         dealer: record-chips patron=7 box=1 bet=player stake=400\n\
         dealer: close-bets\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n{lines}"
    );
    play(&Script::parse(&text).expect("a script"), approved).expect("played").table
}

fn push(patron: u32, counted: u64) -> Command {
    Command::RecordPush {
        round: RoundNo(1),
        patron: PatronNo(patron),
        counted: Money::new(counted).expect("chips"),
        surveillance: "camera 4, 21:07".into(),
        second: Some("somebody-else".into()),
        second_post: Some(Post::PitManager),
    }
}

/// 800 were settled; the Dealer pushed 900, or 700. In time a Supervisor, late the Shift Manager, in Wu Song nobody.
fn a_push_is_put_right_by_its_difference(game: &str) {
    for late in [false, true] {
        let table = on_chips(game, if late { "dealer: open-bets\n" } else { "" });
        for post in Post::ALL {
            let told = format!("{game}, late {late}, {}", post.id());
            let least = if late { Post::ShiftManager } else { Post::PitSupervisor };
            let may = post >= least && !(late && game == "wu-song");
            for counted in [700, 900] {
                let decided = decide(&table, &staff(post), push(7, counted));
                assert_eq!(decided.is_ok(), may, "{told}: {decided:?}");
                if may {
                    let after = after(&table, &staff(post), push(7, counted));
                    let owed = after.state().account(PatronNo(7)).map_or(0, |it| it.owed.get());
                    assert_eq!(owed, counted.saturating_sub(800), "{told}");
                    let gone = table.state().float.expect("open") - after.state().float.expect("open");
                    assert_eq!(gone, i64::try_from(owed).expect("little"), "{told}");
                    assert_eq!(table.state().books.house, after.state().books.house, "{told}");
                    assert!(punto_table::Books::is_balanced(after.state()), "{told}");
                    let again = decide(&after, &staff(post), push(7, counted)).expect_err(&told);
                    assert_eq!(again.reason.kind(), ReasonKind::PushKnown, "{told}");
                }
            }
            if may {
                let nobody = decide(&table, &staff(post), push(8, 100)).expect_err(&told);
                assert_eq!(nobody.reason.kind(), ReasonKind::NoSuchWager, "{told}");
                let mut alone = push(7, 900);
                if let Command::RecordPush { second, second_post, .. } = &mut alone {
                    (*second, *second_post) = (None, None);
                }
                assert_eq!(decide(&table, &staff(post), alone).is_ok(), !late, "{told}, alone");
            }
        }
    }
}

/// The Dealer opened the next Round over a dispute that was spoken in time: the one way to an earlier Round in Wu Song. Its
/// amounts are computed as everywhere, once, and a push is put right by two.
fn what_was_spoken_in_time_is_put_right_as_everywhere(game: &str) {
    let spoken = "dealer: open-bets\ndealer: open-dispute patron=7 round=1 words=late\n\
                  supervisor: see-dispute dispute=1 surveillance=\"camera 4, 21:07\"\n";
    let manager = staff(Post::ShiftManager);
    let disputed = table(game, "", &format!("{LOST}{spoken}"));
    let amount = Money::new(100).expect("little");
    let typed = Ruling::Adjust {
        adjustments: vec![Adjustment { patron: PatronNo(7), owed: Owed::ToPatron, amount }],
        round: Some(RoundNo(1)),
        cards: vec![],
    };
    let refused = decide(&disputed, &manager, rule(1, &typed)).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::AmountTyped, "{game}");
    assert!(decide(&disputed, &manager, rule(1, &adjust(OTHERWISE))).is_ok(), "{game}");
    // By the cards that it was settled by nobody is owed anything.
    let won = table(game, "", &format!("{}{spoken}", LOST.replace("9s 2d Kh Kc", OTHERWISE)));
    let refused = decide(&won, &manager, rule(1, &adjust(OTHERWISE))).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::Nothing, "{game}");

    let pushed = on_chips(game, spoken);
    let two = push(7, 900);
    let mut alone = two.clone();
    if let Command::RecordPush { second, second_post, .. } = &mut alone {
        (*second, *second_post) = (None, None);
    }
    let refused = decide(&pushed, &manager, alone).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::SecondPersonNeeded, "{game}");
    assert!(decide(&pushed, &manager, two).is_ok(), "{game}");
    // Of the patron who spoke, and of nobody else.
    let silent = on_chips(game, "dealer: open-bets\n");
    let refused = decide(&silent, &manager, push(7, 900)).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::RoundStands, "{game}");
}

/// Credits are paid by the table; chips are pushed by hand, and of a payout that is held nothing is pushed.
fn nothing_is_pushed_of_a_payout_that_is_held(game: &str) {
    let held = on_chips(game, "supervisor: hold-payout patron=7 reference=C-17\n");
    for counted in [0, 700, 900] {
        let refused = decide(&held, &staff(Post::PitSupervisor), push(7, counted)).expect_err(game);
        assert_eq!(refused.reason.kind(), ReasonKind::PayoutKept, "{game}: {counted}");
    }
    // Nor is one held of which it is on record what was pushed.
    let pushed = after(&on_chips(game, ""), &staff(Post::PitSupervisor), push(7, 900));
    let hold = Command::HoldPayout { patron: PatronNo(7), reference: "C-17".into() };
    let refused = decide(&pushed, &staff(Post::PitSupervisor), hold).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::PushKnown, "{game}");
}

every_game!(the_difference_is_computed_and_in_wu_song_there_is_none);
in_games!(what_was_spoken_in_time_is_put_right_as_everywhere: wu_song);
in_games!(nothing_is_pushed_of_a_payout_that_is_held: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(amounts_are_never_typed_and_nothing_is_given_alone: rws_baccarat, da_hu_ying_xiong, ncb_etg);
in_games!(a_push_is_put_right_by_its_difference: wu_song, rws_baccarat, da_hu_ying_xiong);
