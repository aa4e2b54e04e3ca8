//! Interpretation 51: chips recorded wrongly are amended until the next Round commences; after the first card with a recording
//! and two people of whom neither dealt.

use punto_record::{Actor, BoxNo, Command, Event, ReasonKind, RoundNo};
use punto_rules::{Money, PatronNo, Post};
use punto_table::script::{Script, play};
use punto_table::{Books, Given, Table};

use crate::scripts::approved;
use crate::staff;

/// Where a Round may stand, whether a card is out, and whether it can be amended.
const STANDS: [(&str, &str, bool, bool); 6] = [
    ("betting", "", false, false),
    ("closed", "dealer: close-bets\n", false, true),
    ("dealing", "dealer: close-bets\ndealer: draw 9s\n", true, true),
    ("complete", "dealer: close-bets\ndealer: draw 9s 2d Kh Kc\n", true, true),
    ("settled", "dealer: close-bets\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n", true, true),
    (
        "next",
        "dealer: close-bets\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\ndealer: open-bets\n",
        true,
        false,
    ),
];

fn at(game: &str, lines: &str) -> Table {
    let text = format!(
        "table {game} A money=chips limits=observed minimum=200 differential=2000 others=40..1000\n\
         supervisor: open-float amount=100000\n\
         dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n\
         dealer: open-bets\n\
         dealer: record-chips patron=7 box=1 bet=player stake=400\n{lines}"
    );
    play(&Script::parse(&text).expect("a script"), approved).expect("played").table
}

fn amend(stake: u64, evidence: bool, second: Option<&str>) -> Command {
    Command::AmendWager {
        patron: PatronNo(7),
        box_no: BoxNo(1),
        stance: None,
        bet: "player".into(),
        stake: Money::new(stake).expect("chips"),
        reason: "as it lay".into(),
        surveillance: evidence.then(|| "camera 4, 21:07".into()),
        second: second.map(punto_record::Person::as_recorded),
        second_post: second.map(|_| Post::PitManager),
    }
}

fn decide(table: &Table, by: Post, command: Command) -> Result<Vec<Event>, ReasonKind> {
    let state = table.state();
    let order = punto_record::Order {
        id: punto_record::OrderId { device: "anywhere".into(), n: 1 },
        by: staff(by),
        at: punto_record::Timestamp(state.now.0 + 1_000),
        round: Some(state.rounds),
        command,
    };
    table.decide(&order, &Given::default()).map_err(|refused| refused.reason.kind())
}

fn chips_are_amended_until_the_next_round_and_after_a_card_by_two(game: &str) {
    for (stands, lines, out, may) in STANDS {
        let table = at(game, lines);
        for post in Post::ALL {
            let told = format!("{game}, {stands}, {}", post.id());
            let alone = decide(&table, post, amend(800, false, None));
            let shown = decide(&table, post, amend(800, true, None));
            let both = decide(&table, post, amend(800, true, Some("somebody-else")));
            let dealt = decide(&table, post, amend(800, true, Some("dealer")));
            if post < Post::PitSupervisor {
                assert_eq!(both, Err(ReasonKind::NotPermitted), "{told}");
                continue;
            }
            if !may {
                assert_eq!(both, Err(ReasonKind::BetsOpen), "{told}");
                continue;
            }
            assert_eq!(alone.is_ok(), !out, "{told}: {alone:?}");
            if out {
                assert_eq!(alone, Err(ReasonKind::CardsOut), "{told}");
                assert_eq!(shown, Err(ReasonKind::SecondPersonNeeded), "{told}");
                assert_eq!(dealt, Err(ReasonKind::DealtIt), "{told}");
            }
            assert!(both.is_ok(), "{told}: {both:?}");
        }
    }
}

/// Once a card is out nobody amends who drew one, whatever post they hold by now.
fn whoever_dealt_amends_nothing(game: &str) {
    for (stands, lines, drawn, may) in STANDS {
        let table = at(game, lines);
        let order = punto_record::Order {
            id: punto_record::OrderId { device: "anywhere".into(), n: 1 },
            by: Actor::Staff { person: "dealer".into(), post: Post::PitSupervisor },
            at: punto_record::Timestamp(table.state().now.0 + 1_000),
            round: Some(table.state().rounds),
            command: amend(600, true, Some("somebody-else")),
        };
        let says = table.decide(&order, &Given::default()).err().map(|it| it.reason.kind());
        let dealt = drawn && may;
        assert_eq!(says == Some(ReasonKind::DealtIt), dealt, "{game}, {stands}: {says:?}");
    }
}

/// Player won with nine: what is put right after the settlement is what would have been settled.
fn the_difference_is_as_if_it_had_been_recorded_so(game: &str) {
    let settled = "dealer: close-bets\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n";
    for stake in [0, 200, 600, 1000] {
        let told = format!("{game}, {stake}");
        let mut table = at(game, settled);
        let events =
            decide(&table, Post::PitSupervisor, amend(stake, true, Some("somebody-else"))).expect(&told);
        events.iter().for_each(|event| table.apply(event));
        assert!(Books::is_balanced(table.state()), "{told}");
        // 400 were paid on 400.
        let won = i128::from(stake);
        assert_eq!(table.state().books.house, -won, "{told}");
        let owed = table.state().account(PatronNo(7)).map_or(0, |it| it.owed.get());
        assert_eq!(u64::try_from((400 - won).max(0)).expect("little"), owed, "{told}");
        let last = table.state().last().expect("the Round before");
        assert_eq!((last.no, last.lines.len()), (RoundNo(1), usize::from(stake > 0)), "{told}");
        assert_eq!(
            table.state().float,
            Some(100_000 - 400 - i64::try_from((won - 400).max(0)).expect("little")),
            "{told}"
        );
    }
}

in_games!(chips_are_amended_until_the_next_round_and_after_a_card_by_two: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(whoever_dealt_amends_nothing: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(the_difference_is_as_if_it_had_been_recorded_so: wu_song, rws_baccarat, da_hu_ying_xiong);
