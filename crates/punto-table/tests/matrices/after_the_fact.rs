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
            }
        }
    }
}

every_game!(the_difference_is_computed_and_in_wu_song_there_is_none);
in_games!(amounts_are_never_typed_and_nothing_is_given_alone: rws_baccarat, da_hu_ying_xiong, ncb_etg);
in_games!(a_push_is_put_right_by_its_difference: wu_song, rws_baccarat, da_hu_ying_xiong);
