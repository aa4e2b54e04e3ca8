//! Interpretation 43: who may dispute which Round, what the next one waits for, and who ends the wait; every game, post
//! and moment.

use punto_record::{
    Actor, BoxNo, Command, DisputeAbout, DisputeNo, Event, MatterNo, Order, OrderId, ReasonKind, Report,
    RoundNo,
};
use punto_record::{Rejection, Ruling, Timestamp};
use punto_rules::{PatronNo, Post};
use punto_table::{Audience, Given, Table};

use crate::{after, cards, decide, rule, staff, table};

const PLAYED: &str = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n";
const IN_PLAY: &str = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s\n";
const VOID: &str = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s\ndealer: report not-shuffled\n\
                    supervisor: rule 1 void reason=seen\n\
                    dealer: exchange-shoe card_set=blue-2 shuffled_by=shuffler-2 reason=new\n";

fn dispute(round: Option<u32>, patron: Option<u32>) -> Command {
    let (round, patron) = (round.map(RoundNo), patron.map(PatronNo));
    Command::OpenDispute { round, patron, words: "it was nine".into(), about: None, box_no: None }
}

fn see(surveillance: Option<&str>) -> Command {
    Command::SeeDispute { dispute: DisputeNo(1), surveillance: surveillance.map(Into::into) }
}

fn close() -> Command {
    Command::CloseDispute { dispute: DisputeNo(1), words: "it was not".into(), matter: None }
}

fn patron(no: u32) -> Actor {
    Actor::Patron { patron: PatronNo(no) }
}

fn open_later(table: &Table, seconds: u64) -> Result<Vec<Event>, Rejection> {
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: staff(Post::Dealer),
        at: Timestamp(table.state().now.0 + 1_000 * seconds),
        round: None,
        command: Command::OpenBets {},
    };
    table.decide(&order, &Given::default())
}

fn kind(decided: Result<Vec<Event>, Rejection>) -> Option<ReasonKind> {
    decided.err().map(|refused| {
        if let ReasonKind::DisputeKnown | ReasonKind::DisputeUndecided | ReasonKind::DisputeUnseen =
            refused.reason.kind()
        {
            assert_eq!(refused.cite.as_ref().map(ToString::to_string).as_deref(), Some("interpretation 43"));
        }
        refused.reason.kind()
    })
}

/// Their own Round, once; the Dealer for somebody who had a wager; a void Round and a withdrawn bet count too.
fn who_had_a_wager_disputes_once(game: &str) {
    for (told, lines) in [("played", PLAYED), ("in play", IN_PLAY), ("void", VOID)] {
        let table = table(game, "", lines);
        let told = format!("{game}, {told}");
        for by in [patron(7), staff(Post::Dealer), staff(Post::PitSupervisor)] {
            for round in [None, Some(1)] {
                let events = decide(&table, &by, dispute(round, Some(7))).expect("a right to it");
                let [Event::DisputeOpened { round, timely, seconds, .. }] = &events[..] else {
                    panic!("{told}: {events:?}")
                };
                let waits = (game != "wu-song").then_some(180);
                assert_eq!((*round, *timely, *seconds), (Some(RoundNo(1)), true, waits), "{told}");
            }
        }
        let stranger = decide(&table, &patron(8), dispute(Some(1), Some(8)));
        assert_eq!(kind(stranger), Some(ReasonKind::NoSuchWager), "{told}");
        let of_nobody = decide(&table, &staff(Post::Dealer), dispute(Some(1), None));
        assert_eq!(kind(of_nobody), Some(ReasonKind::NoSuchWager), "{told}");
        let never = decide(&table, &patron(7), dispute(Some(2), Some(7)));
        assert_eq!(kind(never), Some(ReasonKind::NoSuchRound), "{told}");
        let raised = after(&table, &patron(7), dispute(Some(1), Some(7)));
        for by in [patron(7), staff(Post::Dealer), staff(Post::ShiftManager)] {
            let again = decide(&raised, &by, dispute(Some(1), Some(7)));
            assert_eq!(kind(again), Some(ReasonKind::DisputeKnown), "{told}");
        }
        // Not once more when it was closed either.
        let closed = after(&raised, &staff(Post::ShiftManager), close());
        let again = decide(&closed, &patron(7), dispute(None, Some(7)));
        assert_eq!(kind(again), Some(ReasonKind::DisputeKnown), "{told}");
        // A claim about no Round holds nothing up.
        let other = after(&table, &patron(8), dispute(None, Some(8)));
        let about = &other.state().disputes[&DisputeNo(1)];
        assert_eq!((about.round, about.timely), (None, false), "{told}");
    }
}

fn a_bet_that_was_withdrawn_was_a_bet(game: &str) {
    let box_no = if game == "ncb-etg" { "" } else { "box=1 " };
    let lines = format!(
        "dealer: open-bets\nBETS\npatron 7: withdraw-wager patron=7 {box_no}bet=banker\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n"
    );
    let table = table(game, "", &lines);
    assert!(decide(&table, &patron(7), dispute(Some(1), Some(7))).is_ok(), "{game}");
}

/// In Wu Song until it is decided, by whoever did not deal; elsewhere until it is seen, or 180 seconds.
fn the_next_round_waits(game: &str) {
    for lines in [PLAYED, VOID] {
        let table = table(game, "", lines);
        assert!(open_later(&table, 1).is_ok(), "{game}");
        let raised = after(&table, &patron(7), dispute(None, Some(7)));
        let decided = game == "wu-song";
        let waits = if decided { ReasonKind::DisputeUndecided } else { ReasonKind::DisputeUnseen };
        assert_eq!(kind(open_later(&raised, 1)), Some(waits), "{game}");
        assert_eq!(kind(open_later(&raised, 179)), Some(waits), "{game}");
        assert_eq!(kind(open_later(&raised, 180)), decided.then_some(waits), "{game}");
        let possible = raised.view(Audience::Console { post: Post::Dealer }).possible;
        assert_eq!(possible.contains(&punto_record::CommandKind::OpenBets), !decided, "{game}");
        for post in Post::ALL {
            let (seen, closed) =
                (decide(&raised, &staff(post), see(None)), decide(&raised, &staff(post), close()));
            assert_eq!(seen.is_ok(), post >= Post::PitSupervisor, "{game}: {}", post.id());
            let least = if decided { Post::PitSupervisor } else { Post::ShiftManager };
            assert_eq!(closed.is_ok(), post >= least, "{game}: {}", post.id());
        }
        let seen = after(&raised, &staff(Post::PitSupervisor), see(None));
        assert_eq!(kind(open_later(&seen, 1)), decided.then_some(waits), "{game}");
        assert_eq!(seen.state().disputes.len(), 1, "the claim survives");
        let closed = after(&seen, &staff(Post::ShiftManager), close());
        assert!(open_later(&closed, 1).is_ok(), "{game}");
        // Closing the table counts as another Round.
        let announced = after(&raised, &staff(Post::PitSupervisor), Command::AnnounceClosing {});
        let shut = decide(&announced, &staff(Post::PitSupervisor), Command::CloseTable {});
        assert_eq!(kind(shut) == Some(ReasonKind::DisputeUndecided), decided, "{game}");
    }
}

fn whoever_dealt_does_not_decide(game: &str) {
    let table = table(game, "", PLAYED);
    let raised = after(&table, &patron(7), dispute(None, Some(7)));
    let dealer = Actor::Staff { person: "dealer".into(), post: Post::ShiftManager };
    assert_eq!(kind(decide(&raised, &dealer, close())), Some(ReasonKind::DealtIt), "{game}");
}

/// A Supervisor who may decide what play waits for may not close the other claims with it.
fn a_claim_that_nothing_waits_for_is_the_shift_managers(game: &str) {
    let both = table(
        game,
        "",
        &format!(
            "{PLAYED}dealer: open-bets\npatron 7: open-dispute patron=7 round=1 words=late\nBETS\nCLOSE\n\
             dealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n\
             patron 7: open-dispute patron=7 round=2 words=now\n"
        ),
    );
    let about = |no, post| {
        let (words, matter) = ("looked at".into(), None);
        kind(decide(&both, &staff(post), Command::CloseDispute { dispute: DisputeNo(no), words, matter }))
    };
    let claims: Vec<bool> = both.state().disputes.values().map(|it| it.timely).collect();
    assert_eq!(claims, [false, true]);
    // Elsewhere play waits until a claim is seen, not until it is decided.
    let waited_for = if game == "wu-song" { Post::PitSupervisor } else { Post::ShiftManager };
    for post in Post::ALL {
        for (no, least) in [(1, Post::ShiftManager), (2, waited_for)] {
            let says = (post < least).then_some(ReasonKind::NotPermitted);
            assert_eq!(about(no, post), says, "{game}: dispute {no} by {}", post.id());
        }
    }
}

/// While its own Round goes on nothing waits: the time runs from the end of the Round.
fn the_time_runs_from_the_end_of_the_round(game: &str) {
    let table = table(
        game,
        "dispute_seconds=60",
        "dealer: open-bets\nBETS\nCLOSE\npatron 7: open-dispute patron=7 words=late\n+300s\n\
         dealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n",
    );
    assert_eq!(kind(open_later(&table, 59)), Some(ReasonKind::DisputeUnseen), "{game}");
    assert!(open_later(&table, 60).is_ok(), "{game}");
}

/// Every way to move money of an earlier Round stays shut in Wu Song, but for a Round that was disputed in time.
fn opened_over_a_spoken_dispute(game: &str) {
    let played = table(game, "", PLAYED);
    let opened = after(&played, &staff(Post::Dealer), Command::OpenBets {});
    let late = after(&opened, &patron(7), dispute(Some(1), Some(7)));
    assert!(!late.state().disputes[&DisputeNo(1)].timely);
    let report = Command::Report { report: Report::Uncovered { words: "as disputed".into() } };
    let adjust = |round| Ruling::Adjust { adjustments: vec![], round, cards: cards("2d 9s Kh Kc") };
    let reported = {
        // Reported in a Round it would hold it.
        let between = after(&played, &staff(Post::Dealer), report.clone());
        after(&between, &staff(Post::Dealer), Command::OpenBets {})
    };
    let refused = decide(&reported, &staff(Post::ShiftManager), rule(1, &adjust(Some(RoundNo(1)))));
    assert_eq!(kind(refused), Some(ReasonKind::RoundStands));

    assert_eq!(kind(decide(&late, &staff(Post::PitSupervisor), see(Some(" ")))), Some(ReasonKind::NoReason));
    let below = decide(&late, &staff(Post::Dealer), see(Some("camera 4")));
    assert_eq!(kind(below), Some(ReasonKind::NotPermitted));
    let spoken = after(&late, &staff(Post::PitSupervisor), see(Some("camera 4, 21:07")));
    for post in Post::ALL {
        let decided = decide(&spoken, &staff(post), rule(1, &adjust(Some(RoundNo(1)))));
        assert_eq!(decided.is_ok(), post >= Post::ShiftManager, "{}", post.id());
    }
    // Of that Round and of no other.
    let other = decide(&spoken, &staff(Post::ShiftManager), rule(1, &adjust(Some(RoundNo(2)))));
    assert!(other.is_err());
    let alone = Command::Rule {
        matter: MatterNo(1),
        ruling: adjust(Some(RoundNo(1))),
        replace_shoe: false,
        reason: "seen".into(),
        second: None,
        second_post: None,
        departs: None,
    };
    let alone = decide(&spoken, &staff(Post::ShiftManager), alone);
    assert_eq!(kind(alone), Some(ReasonKind::SecondPersonNeeded));
    // Once the dispute is closed the Round stands as ever.
    assert_eq!(kind(decide(&spoken, &staff(Post::PitSupervisor), close())), Some(ReasonKind::NotPermitted));
    let closed = after(&spoken, &staff(Post::ShiftManager), close());
    let refused = decide(&closed, &staff(Post::ShiftManager), rule(1, &adjust(Some(RoundNo(1)))));
    assert_eq!(kind(refused), Some(ReasonKind::RoundStands));
}

/// A dispute that was recorded in time needs no recording; elsewhere the exception opens no matter.
fn a_recording_is_for_what_was_recorded_late(game: &str) {
    let played = table(game, "", PLAYED);
    let timely = after(&played, &patron(7), dispute(None, Some(7)));
    let again = decide(&timely, &staff(Post::PitSupervisor), see(Some("camera 4")));
    assert_eq!(kind(again), Some(ReasonKind::Nothing), "{game}");
    let opened = after(&played, &staff(Post::Dealer), Command::OpenBets {});
    let late = after(&opened, &patron(7), dispute(Some(1), Some(7)));
    let spoken = decide(&late, &staff(Post::PitSupervisor), see(Some("camera 4"))).expect("late");
    let matter = spoken.iter().any(|event| matches!(event, Event::MatterOpened { holds: false, .. }));
    assert_eq!(matter, game == "wu-song", "{game}");
}

/// Interpretation 51: what the record said when a dispute was raised stays, and nobody is shown another's wagers.
fn a_dispute_keeps_a_picture_of_the_record(game: &str) {
    let has_boxes = game != "ncb-etg";
    let ends = "dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n";
    for more in ["", ends] {
        let table = table(game, "", &format!("dealer: open-bets\nBETS\nCLOSE\n{more}"));
        let stake = if let Some(round) = table.state().round() {
            round.wagers.total()
        } else {
            table.state().last().expect("played").lines[0].stake
        };
        for about in DisputeAbout::ALL.map(Some).into_iter().chain([None]) {
            let command = Command::OpenDispute {
                round: None,
                patron: Some(PatronNo(7)),
                words: "mine".into(),
                about,
                box_no: None,
            };
            let events = decide(&table, &staff(Post::Dealer), command).expect(game);
            let [Event::DisputeOpened { about: said, pictured, .. }] = &events[..] else {
                panic!("{game}: {events:?}")
            };
            assert_eq!(*said, about, "{game}");
            let shown: Vec<_> =
                pictured.iter().map(|it| (it.patron, it.box_no.is_some(), it.stake)).collect();
            let expected = if about.is_some() { vec![(PatronNo(7), has_boxes, stake)] } else { vec![] };
            assert_eq!(shown, expected, "{game}, {about:?}");
        }
        let named = |no: u8| {
            let (round, patron, words) = (None, Some(PatronNo(7)), "mine".into());
            let about = Some(DisputeAbout::TwoOwners);
            let command = Command::OpenDispute { round, patron, words, about, box_no: Some(BoxNo(no)) };
            decide(&table, &staff(Post::Dealer), command)
        };
        assert_eq!(named(3).is_ok(), has_boxes, "{game}");
        assert!(named(0).is_err() && named(99).is_err(), "{game}");
    }
}

/// Somebody else's wagers are in the picture only where they lie in a box of the patron, or in the one that is named.
fn a_picture_shows_nobody_elses_boxes(game: &str) {
    let other = match game {
        "ncb-etg" => "patron 8: bet banker 100\n",
        "da-hu-ying-xiong" => "patron 8: bet player 400 box=2\n",
        _ => "patron 8: bet player 500 box=2\n",
    };
    let lines = format!("cashier: buy-credits patron=8 amount=5000\ndealer: open-bets\nBETS\n{other}CLOSE\n");
    let table = table(game, "", &lines);
    for (named, shows) in [(None, vec![7]), (Some(2), vec![7, 8]), (Some(3), vec![7])] {
        if named.is_some() && game == "ncb-etg" {
            continue;
        }
        let command = Command::OpenDispute {
            round: None,
            patron: Some(PatronNo(7)),
            words: "mine".into(),
            about: Some(DisputeAbout::TwoOwners),
            box_no: named.map(BoxNo),
        };
        let events = decide(&table, &patron(7), command).expect(game);
        let [Event::DisputeOpened { pictured, .. }] = &events[..] else { panic!("{game}: {events:?}") };
        let patrons: Vec<u32> = pictured.iter().map(|it| it.patron.0).collect();
        assert_eq!(patrons, shows, "{game}, box {named:?}");
    }
}

every_game!(
    a_picture_shows_nobody_elses_boxes,
    whoever_dealt_does_not_decide,
    a_claim_that_nothing_waits_for_is_the_shift_managers,
    a_bet_that_was_withdrawn_was_a_bet,
    who_had_a_wager_disputes_once,
    the_next_round_waits,
    a_recording_is_for_what_was_recorded_late,
    a_dispute_keeps_a_picture_of_the_record
);
in_games!(opened_over_a_spoken_dispute: wu_song);
in_games!(the_time_runs_from_the_end_of_the_round: rws_baccarat, da_hu_ying_xiong, ncb_etg);
