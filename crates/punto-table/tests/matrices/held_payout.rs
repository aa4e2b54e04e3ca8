//! Interpretation 51: a payout that is held, in every game, ordered at every moment and however the Round ends.

use punto_record::{Actor, Command, Event, HeldOutcome, ReasonKind, RoundNo, SlipNo};
use punto_rules::{Money, PatronNo, Post};
use punto_table::{Books, Table};

use crate::{after, decide, staff, table};

const PATRON: PatronNo = PatronNo(7);

fn hold() -> Command {
    Command::HoldPayout { patron: PATRON, reference: "C-17".into() }
}

fn decided(outcome: HeldOutcome, second: &str, post: Option<Post>) -> Command {
    let (reference, second) = ("C-18".into(), Some(second.parse().expect("a name")));
    Command::DecideHeld { slip: SlipNo(1), outcome, reference, second, second_post: post }
}

/// What belongs to the patron, and what is held of their money.
fn money(table: &Table) -> (Money, Money) {
    assert!(Books::is_balanced(table.state()));
    let held = table.state().held_payouts.values().map(|it| it.amount).sum();
    (table.state().credits(PATRON), held)
}

/// How a Round goes on from its last bet to its end: lines before the hold, and lines after it.
fn moments() -> Vec<(&'static str, &'static str, &'static str)> {
    let void = "dealer: draw foreign:joker\nsupervisor: rule 1 void reason=joker\n";
    vec![
        ("won, held before a card", "", "dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n"),
        ("won, held among cards", "dealer: draw 2d 9s\n", "dealer: draw Kh Kc\ndealer: confirm-result\n"),
        ("won, held at the result", "dealer: draw 2d 9s Kh Kc\n", "dealer: confirm-result\n"),
        ("won, held afterwards", "dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n", ""),
        ("tied", "dealer: draw 9d 9s Kh Kc\n", "dealer: confirm-result\n"),
        ("void", "", void),
    ]
}

fn everything_that_a_held_bet_gives_is_held(game: &str) {
    for (name, before, later) in moments() {
        let begun = format!("dealer: open-bets\nBETS\nCLOSE\n{before}");
        let free = table(game, "", &format!("{begun}{later}"));
        let ordered = format!("{begun}supervisor: hold-payout patron=7 reference=C-17\n{later}");
        let held = table(game, "", &ordered);
        let staked = table(game, "", "dealer: open-bets\nBETS\nCLOSE\n").state().credits(PATRON);
        let (credits, _) = money(&free);
        let payout = credits.less(staked);
        assert!(!payout.is_zero(), "{game}, {name}");
        assert_eq!(money(&held), (staked, payout), "{game}, {name}");
    }
}

fn nobody_is_bound_before_bets_are_closed_or_after_the_next_round_commenced(game: &str) {
    let supervisor = staff(Post::PitSupervisor);
    let refused = |table: &Table| decide(table, &supervisor, hold()).expect_err(game).reason.kind();
    let open = table(game, "", "dealer: open-bets\nBETS\n");
    assert_eq!(refused(&open), ReasonKind::BetsOpen, "{game}");
    let lines = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n";
    let next = table(game, "", &format!("{lines}dealer: open-bets\n"));
    assert_eq!(refused(&next), ReasonKind::BetsOpen, "{game}");
    let gone = table(game, "", &format!("{lines}patron 7: cash-out patron=7\n"));
    assert_eq!(refused(&gone), ReasonKind::PayoutGone, "{game}");
}

fn two_people_who_did_not_deal_decide_and_the_house_wins_nothing(game: &str) {
    let lines = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n\
                 supervisor: hold-payout patron=7 reference=C-17\n";
    let held = table(game, "", lines);
    let (_, amount) = money(&held);
    let house = held.state().books.house;
    for outcome in [HeldOutcome::Released, HeldOutcome::Forfeited] {
        for post in Post::ALL {
            for second in Post::ALL {
                let order = decided(outcome, "somebody-else", Some(second));
                let may = post >= Post::ShiftManager && second >= Post::PitSupervisor;
                assert_eq!(decide(&held, &staff(post), order).is_ok(), may, "{game} {post:?} {second:?}");
            }
        }
        let manager = staff(Post::ShiftManager);
        let own = manager.person().expect("somebody").as_str().to_owned();
        for (second, why) in [(own.as_str(), ReasonKind::SecondPersonNeeded), ("dealer", ReasonKind::DealtIt)]
        {
            let order = decided(outcome, second, Some(Post::PitManager));
            let refused = decide(&held, &manager, order).expect_err(game);
            assert_eq!(refused.reason.kind(), why, "{game}");
        }
        let dealer = Actor::Staff { person: "dealer".into(), post: Post::ShiftManager };
        let order = decided(outcome, "somebody-else", Some(Post::PitManager));
        assert_eq!(decide(&held, &dealer, order.clone()).expect_err(game).reason.kind(), ReasonKind::DealtIt);
        let over = after(&held, &manager, order);
        assert_eq!(over.state().books.house, house, "{game}: never the House's win");
        let kept = over.state().account(PATRON).map_or(0, |it| it.unclaimed);
        let released = if outcome == HeldOutcome::Released { amount.get().into() } else { 0 };
        assert_eq!((kept, money(&over).1), (released, Money::ZERO), "{game}");
    }
}

fn a_correction_takes_from_what_is_held_and_gives_there(game: &str) {
    let lines = "dealer: open-bets\nBETS\nCLOSE\nsupervisor: hold-payout patron=7 reference=C-17\n\
                 dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n";
    let held = table(game, "", lines);
    let wrong = "dealer: report wrong-result round=1 words=six\n\
                 supervisor: rule 1 correct cards=[9d 2s Kh Kc] second=manager reason=camera\n";
    let corrected = table(game, "", &format!("{lines}{wrong}"));
    let (credits, amount) = money(&held);
    assert_eq!(money(&corrected), (credits, Money::ZERO), "{game}");
    assert_eq!(corrected.state().account(PATRON).map(|it| it.owed), Some(Money::ZERO), "{game}");
    let back = "dealer: report wrong-result round=1 words=nine\n\
                supervisor: rule 2 correct cards=[2d 9s Kh Kc] second=manager reason=camera\n";
    let undone = table(game, "", &format!("{lines}{wrong}{back}"));
    assert_eq!(money(&undone), (credits, amount), "{game}");
    let refused = decide(&undone, &staff(Post::PitSupervisor), hold()).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::PayoutKept, "{game}");
    assert!(undone.state().held_payout(PATRON, RoundNo(1)).is_some(), "{game}");
}

/// What somebody still claims of the Round does not leave the table; given to the person, it answers for the claim (44).
fn what_is_held_is_not_forfeited_under_a_claim(game: &str) {
    let lines = "dealer: open-bets\nBETS\nCLOSE\nsupervisor: hold-payout patron=7 reference=C-17\n\
                 dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n";
    let (free, claim) =
        (table(game, "", lines), format!("{lines}dealer: report wrong-result round=1 words=six\n"));
    let claimed = table(game, "", &claim);
    let manager = staff(Post::ShiftManager);
    for (held, outcome, may) in [
        (&free, HeldOutcome::Released, true),
        (&free, HeldOutcome::Forfeited, true),
        (&claimed, HeldOutcome::Released, true),
        (&claimed, HeldOutcome::Forfeited, false),
    ] {
        let order = decided(outcome, "somebody-else", Some(Post::PitManager));
        let answer = decide(held, &manager, order).map(|_| ()).map_err(|it| it.reason.kind());
        let expected = if may { Ok(()) } else { Err(ReasonKind::CorrectionPending) };
        assert_eq!(answer, expected, "{game}: {outcome:?}");
    }
}

/// The event that holds is there whenever one is ordered late, and never otherwise.
fn a_late_hold_says_at_once_how_much(game: &str) {
    let lines = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 2d 9s Kh Kc\n";
    for (more, says) in [("", false), ("dealer: confirm-result\n", true)] {
        let table = table(game, "", &format!("{lines}{more}"));
        let events = decide(&table, &staff(Post::PitSupervisor), hold()).expect(game);
        let is_said = events.iter().any(|it| matches!(it, Event::PayoutHeld { .. }));
        assert_eq!(is_said, says, "{game}");
    }
}

every_game!(
    what_is_held_is_not_forfeited_under_a_claim,
    everything_that_a_held_bet_gives_is_held,
    nobody_is_bound_before_bets_are_closed_or_after_the_next_round_commenced,
    two_people_who_did_not_deal_decide_and_the_house_wins_nothing,
    a_correction_takes_from_what_is_held_and_gives_there,
    a_late_hold_says_at_once_how_much
);
