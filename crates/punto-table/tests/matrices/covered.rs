//! Interpretation 51: which causes cover the float, and what can be ordered until it is uncovered. Every game with chips,
//! every cause, every stage, every kind of order, every post.

use punto_record::{
    Actor, Cause, Command, CommandKind, Event, Order, OrderId, ReasonKind, Report, Timestamp,
};
use punto_rules::Post;
use punto_table::script::{Script, play};
use punto_table::{Given, Table, gate};

use crate::{approved, staff};

/// What people may still say while nobody is at the table.
const GOES_ON: [CommandKind; 12] = [
    CommandKind::UncoverFloat,
    CommandKind::CoverFloat,
    CommandKind::NoteClock,
    CommandKind::Report,
    CommandKind::TakeSeat,
    CommandKind::LeaveSeat,
    CommandKind::TakePost,
    CommandKind::LeavePost,
    CommandKind::StartShift,
    CommandKind::OpenDispute,
    CommandKind::BundleDispute,
    CommandKind::SeeDispute,
];
const STAGES: [(&str, &str); 4] = [
    ("between", ""),
    ("betting", "dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=400\n"),
    (
        "dealing",
        "dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=400\ndealer: close-bets\ndealer: draw 9s\n",
    ),
    (
        "settled",
        "dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=400\ndealer: close-bets\n\
         dealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n",
    ),
];

fn at(game: &str, lines: &str) -> Table {
    let text = format!(
        "table {game} A minimum=200 differential=2000 others=40..1000 money=chips limits=observed\n\
         supervisor: open-float amount=100000\n\
         dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n{lines}"
    );
    play(&Script::parse(&text).expect("a script"), approved).expect("played").table
}

fn decide(table: &Table, by: Actor, command: Command) -> Result<Vec<Event>, ReasonKind> {
    let state = table.state();
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by,
        at: Timestamp(state.now.0 + 1_000),
        round: state.round().map(|round| round.no),
        command,
    };
    table.decide(&order, &Given::default()).map_err(|refused| refused.reason.kind())
}

fn while_the_float_is_covered_nothing_moves(game: &str) {
    let mut wrong = Vec::new();
    for (stage, lines) in STAGES {
        let table = at(game, &format!("{lines}dealer: cover-float cause=fire\n"));
        for kind in CommandKind::ALL.iter().copied().filter(|kind| *kind != CommandKind::OpenTable) {
            for by in Post::ALL.into_iter().map(staff).chain([Actor::House]) {
                let answer = gate(table.state(), table.law(), kind, &by);
                let is_refused = answer.is_err();
                if !is_refused && !GOES_ON.contains(&kind) {
                    wrong.push(format!("{game} {stage}: {} by {by:?}", kind.id()));
                }
            }
        }
        for report in [
            Report::Uncovered { words: "a bag is gone".into() },
            Report::NotShuffled {},
            Report::WalkAway { patron: punto_rules::PatronNo(7) },
        ] {
            let kind = report.kind();
            let answer = decide(&table, staff(Post::Dealer), Command::Report { report }).map(|_| ());
            if answer != Err(ReasonKind::FloatCovered) {
                wrong.push(format!("{game} {stage}: {kind:?} {answer:?}"));
            }
        }
        for (second, expected) in [
            (None, Err(ReasonKind::SecondPersonNeeded)),
            (Some(staff(Post::PitSupervisor)), Err(ReasonKind::SecondPersonNeeded)),
            (Some(staff(Post::Dealer)), Ok(())),
        ] {
            let second = second.and_then(|it| it.person().cloned());
            let uncover = Command::UncoverFloat { second };
            let answer = decide(&table, staff(Post::PitSupervisor), uncover.clone()).map(|_| ());
            if answer != expected {
                wrong.push(format!("{game} {stage}: {uncover:?} {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn what_takes_people_away_covers_the_float(game: &str) {
    let mut wrong = Vec::new();
    for (stage, lines) in &STAGES[1..3] {
        let table = at(game, lines);
        for cause in Cause::ALL.into_iter().map(Some).chain([None]) {
            let report = punto_record::Report::TechnicalInterruption { cause };
            let decided = decide(&table, staff(Post::Dealer), Command::Report { report });
            // Nobody on the floor knows whether the house still has the order of its shoe.
            if cause == Some(Cause::ShoeLost) {
                assert!(decided.is_err(), "{game} {stage}: {decided:?}");
                continue;
            }
            let events = decided.expect("reported");
            let covers = events.iter().any(|event| matches!(event, Event::FloatCovered { .. }));
            let expected = matches!(cause, Some(Cause::Fire | Cause::MedicalEmergency | Cause::Evacuation));
            if covers != expected {
                wrong.push(format!("{game} {stage}: {cause:?} {events:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

in_games!(while_the_float_is_covered_nothing_moves: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(what_takes_people_away_covers_the_float: wu_song, rws_baccarat, da_hu_ying_xiong);
