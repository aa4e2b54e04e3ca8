//! Actual against theoretical win: a fair table is left alone, a table that loses Rounds on purpose is flagged.

#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;

use punto_record::{
    Actor, Command, Entry, Event, Order, OrderId, Release, RoundNo, RoundResult, Seq, Settings, SettledLine,
    ShoeNo, TableId, Timestamp, VerdictWord, digest,
};
use punto_reports::{Asked, Compared, Reporter};
use punto_rules::rulebook::APPROVED;
use punto_rules::{
    Composition, Deal, LimitsAsked, Money, Outcome, PatronNo, Rulebook, Shoe, Step, Terms, Wager, Winner,
    settle,
};
use scale::{says, scale};

/// Patron, bet and stake: two patrons on one bet win and lose together.
const WAGERS: [(u32, &str, u64); 4] =
    [(1, "player", 1000), (2, "player", 500), (3, "banker", 800), (4, "tie", 100)];

fn entry(seq: u64, event: Event) -> Entry {
    let id = OrderId { device: "house".into(), n: seq };
    let order = Order {
        id,
        by: Actor::House,
        at: Timestamp(1_767_225_600_000),
        round: None,
        command: Command::OpenBets {},
    };
    Entry { seq: Seq(seq), order, events: vec![event], release: Release("test".into()), mandates: None }
}

fn opened() -> (Entry, Terms) {
    let text = APPROVED
        .iter()
        .map(|(_, text)| *text)
        .find(|text| Rulebook::parse(text).is_ok_and(|book| book.game == "da-hu-ying-xiong"));
    let text = text.expect("a rule book");
    let settings: Settings =
        serde_json::from_str(r#"{"table": "T1", "game": "da-hu-ying-xiong", "layout": "A", "decks": 8}"#)
            .expect("settings");
    let terms =
        Rulebook::parse(text).expect("approved").terms("A", 8, &LimitsAsked::default()).expect("terms");
    let (settings, rulebook) = (Box::new(settings), text.into());
    (
        entry(
            1,
            Event::TableOpened {
                settings,
                rulebook,
                digest: digest(text.as_bytes()),
                second: None,
                approval: None,
            },
        ),
        terms,
    )
}

fn round(shoe: &mut Shoe) -> Outcome {
    let mut deal = Deal::new();
    loop {
        match deal.step() {
            Step::Draw(_) => deal = deal.take(shoe.draw().expect("a card")),
            Step::Complete(outcome) => return outcome,
        }
    }
}

fn settled(no: u32, terms: &Terms, outcome: &Outcome) -> Event {
    let wagers: Vec<Wager> = WAGERS
        .iter()
        .map(|(_, bet, stake)| {
            Wager::new(terms.bet_no(bet).expect("a bet"), Money::new(*stake).expect("money"))
        })
        .collect();
    let settlement = settle(terms, &wagers, outcome);
    let lines = settlement.lines.iter().zip(WAGERS).map(|(line, (patron, bet, _))| SettledLine {
        patron: PatronNo(patron),
        box_no: None,
        bet: bet.into(),
        stake: line.wager.stake,
        playing: line.wager.playing,
        verdict: VerdictWord::from(line.verdict),
        pays: line.verdict.odds(),
        returned: line.returned,
        winnings: line.winnings,
        commission: line.commission,
        to_patron: line.to_patron(),
        cite: None,
    });
    let house = i64::try_from(settlement.house).expect("money");
    let cards: Vec<_> = Vec::new();
    Event::RoundSettled {
        round: RoundNo(no),
        result: RoundResult::of(&cards, outcome),
        lines: lines.collect(),
        house,
    }
}

/// So many Rounds, each from a full shoe; `keeps` says which of them count.
fn compared(seed: [u8; 32], rounds: u32, mut keeps: impl FnMut(u32, &Outcome) -> bool) -> Vec<Compared> {
    let table: TableId = "T1".into();
    let mut reporter = Reporter::new(Asked::everything(Timestamp(1_767_225_600_000)));
    let (opened, terms) = opened();
    reporter.enter(&table, &opened);
    let (mut no, mut dealt) = (0, 0);
    while no < rounds {
        dealt += 1;
        let mut bytes = seed;
        bytes[..4].copy_from_slice(&u32::to_le_bytes(dealt));
        let outcome = round(&mut Shoe::shuffled(&Composition::decks(8), bytes));
        if !keeps(dealt, &outcome) {
            continue;
        }
        no += 1;
        let (round, shoe, carried) = (RoundNo(no), ShoeNo(1), Vec::new());
        let closes_at = Timestamp(0);
        reporter.enter(
            &table,
            &entry(2, Event::BetsOpened { round, shoe, carried, closes_at, cite: None, approval: None }),
        );
        reporter.enter(&table, &entry(3, settled(no, &terms, &outcome)));
    }
    reporter.finish().theoretical.lines()
}

fn of<'a>(lines: &'a [Compared], bet: &str) -> &'a Compared {
    lines.iter().find(|it| it.bet.as_ref().is_some_and(|it| it.as_str() == bet)).expect("a bet")
}

#[test]
fn a_fair_table_lies_within() {
    let rounds = 1500;
    let lines = compared([7; 32], rounds, |_, _| true);
    for line in &lines {
        assert!(!line.is_outside, "{line:#?}");
    }
    let player = of(&lines, "player");
    assert_eq!(player.handle, i128::from(rounds) * 1500);
    // Every book on the game has 1.2351 % for Player with eight decks.
    let expected = player.handle * 12_351 / 1_000_000;
    assert!((player.theoretical - expected).abs() <= player.handle / 100_000, "{player:#?}");
    // One standard deviation of 1500 on Player is 0.951 × 1500 a Round; both patrons win and lose together.
    let reach = player.high - player.theoretical;
    let square = 1.96_f64 * 1.96 * 0.9511 * 0.9511 * 1500.0 * 1500.0 * f64::from(rounds);
    assert!((reach as f64 - square.sqrt()).abs() < 0.01 * square.sqrt(), "{reach}");
    // Banker stands against Player: the table as a whole is steadier than Player alone.
    let table = lines.iter().find(|it| it.bet.is_none()).expect("the table");
    assert!(table.high - table.low < player.high - player.low, "{table:#?}");
}

/// An interval for 95 of 100 holds about 95 of 100 fair tables: neither many fewer, nor nearly all of them.
#[test]
fn about_one_fair_table_in_twenty_is_flagged() {
    let tables = scale(100, 1000);
    let mut outside = [("player", 0), ("banker", 0), ("all bets", 0)];
    for table in 0..tables {
        let mut seed = [3; 32];
        seed[8..12].copy_from_slice(&table.to_le_bytes());
        let lines = compared(seed, 200, |_, _| true);
        for (name, count) in &mut outside {
            let is_it = |it: &&Compared| it.bet.as_ref().map_or("all bets", |bet| bet.as_str()) == *name;
            *count += u32::from(lines.iter().find(is_it).expect("a line").is_outside);
        }
    }
    says("fair tables", tables);
    // Of 100, 0 to 12 and of 1000, 26 to 74 are within three and a half standard deviations of 5 in 100.
    let (least, most) = (scale(0, 26), scale(12, 74));
    for (name, count) in outside {
        assert!((least..=most).contains(&count), "{name}: {count} of {tables} outside");
    }
    assert!(outside.iter().any(|(_, count)| *count > 0), "the interval is too wide: {outside:?}");
}

#[test]
fn a_table_that_hides_wins_is_flagged() {
    let rounds = 1500;
    // One in four Rounds that Player would win is never recorded.
    let lines =
        compared([7; 32], rounds, |dealt, outcome| outcome.winner() != Winner::Player || dealt % 4 != 0);
    let player = of(&lines, "player");
    assert!(player.is_outside && player.actual > player.high, "{player:#?}");
    assert!(player.z_thousandths > 1960);
    let table = lines.iter().find(|it| it.bet.is_none()).expect("the table");
    assert_eq!(table.actual, lines.iter().filter(|it| it.bet.is_some()).map(|it| it.actual).sum::<i128>());
}

#[test]
fn a_void_round_leaves_nothing_behind() {
    let table: TableId = "T1".into();
    let mut reporter = Reporter::new(Asked::everything(Timestamp(1_767_225_600_000)));
    let (opened, terms) = opened();
    reporter.enter(&table, &opened);
    let outcome = round(&mut Shoe::shuffled(&Composition::decks(8), [1; 32]));
    let (round, shoe, carried, closes_at) = (RoundNo(1), ShoeNo(1), Vec::new(), Timestamp(0));
    reporter.enter(
        &table,
        &entry(2, Event::BetsOpened { round, shoe, carried, closes_at, cite: None, approval: None }),
    );
    reporter.enter(&table, &entry(3, settled(1, &terms, &outcome)));
    let voided = r#"{"event": "round-voided", "round": 1, "kind": "wrong-number-of-cards", "cite": "5.5", "returns": [], "changes": []}"#;
    reporter.enter(&table, &entry(4, serde_json::from_str(voided).expect("an event")));
    let report = reporter.finish();
    assert!(report.theoretical.lines().is_empty());
    assert!(report.win.tables.values().all(|it| it.win() == 0 && it.play.played == 0 && it.rounds == 0));
}
