//! Interpretation 34: which bets a choice is about, when it is offered, and whose clock ends it. The electronic game offers none.

use punto_record::{Actor, Choice, Command, Event, Order, OrderId, ReasonKind, Rejection, Timestamp};
use punto_rules::{Money, PatronNo, Post};
use punto_table::script::{Script, play};
use punto_table::{Given, Stage, Table};

use crate::scripts::approved;
use crate::{staff, table};

const ERROR: &str =
    "dealer: report other-dealing-error words=bumped\nsupervisor: rule 1 continue reason=seen\n";

fn decide_at(table: &Table, by: &Actor, at: Timestamp, command: Command) -> Result<Vec<Event>, Rejection> {
    let id = OrderId { device: "anywhere".into(), n: 1 };
    let round = table.state().round().map(|round| round.no);
    table.decide(&Order { id, by: by.clone(), at, round, command }, &Given::default())
}

fn choose() -> Command {
    Command::Choose { patron: PatronNo(7), choice: Choice::TakeBack }
}

/// Until when patron 7 is asked.
fn asked(table: &Table) -> Option<Timestamp> {
    let round = table.state().round()?;
    if let Stage::Choosing { until, waiting } = &round.stage {
        waiting.contains(&PatronNo(7)).then_some(*until)
    } else {
        None
    }
}

/// What comes before the error can be taken back, what comes after it cannot.
fn the_choice_is_about_bets_that_lay(game: &str) {
    for (before, later) in [("BETS\n", ""), ("BETS\n", "BETS\n"), ("", "BETS\n"), ("BETS\nBETS\n", "")] {
        let told = format!("{game}: {before:?}, then {later:?}");
        let lines = |more: &str| format!("dealer: open-bets\n{before}{more}");
        let lay = table(game, "", &lines("")).state().round().expect("open").wagers.total();
        let table = table(game, "", &lines(&format!("{ERROR}{later}CLOSE\n")));
        let Some(until) = asked(&table) else {
            assert!(lay.is_zero(), "{told}: who has a bet is asked when bets are closed");
            continue;
        };
        let own = Actor::Patron { patron: PatronNo(7) };
        let events = decide_at(&table, &own, Timestamp(until.0 - 1), choose()).expect(&told);
        let Some(Event::ChoiceMade { returns, .. }) = events.first() else { panic!("{told}: {events:?}") };
        assert_eq!(returns.iter().map(|it| it.amount).sum::<Money>(), lay, "{told}");
    }
}

/// An interruption or another matter stops the clock: then the whole time begins again.
fn a_choice_that_is_broken_off_is_offered_again(game: &str) {
    let choosing = format!("dealer: open-bets\nBETS\nCLOSE\ndealer: draw 2h 4h 5d 9c\n{ERROR}");
    let whole = |table: &Table| asked(table).expect(game).0 - table.state().now.0;
    let first = whole(&table(game, "", &choosing));
    for broken in [
        "dealer: report technical-interruption\n+600s\nsupervisor: confirm-cards cards=[2h 4h 5d 9c] second=dealer\n",
        "dealer: report other-dealing-error words=again\n+600s\nsupervisor: rule 2 continue reason=seen\n",
    ] {
        let again = table(game, "", &format!("{choosing}+5s\n{broken}"));
        assert_eq!(whole(&again), first, "{game}: {broken:?}");
    }
}

/// At a terminal the clock ends the choice; on chips it prompts, and the Dealer records what patrons do.
fn the_clock_ends_what_no_dealer_records(game: &str) {
    let layout = if game == "wu-song" { "D" } else { "A" };
    let chips = format!(
        "table {game} {layout} money=chips limits=observed minimum=200 differential=2000 others=40..1000\n\
         dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\nsupervisor: open-float amount=20000\n\
         dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=400\ndealer: close-bets\n\
         dealer: draw 2s 3s 4s\n{ERROR}"
    );
    let chips = play(&Script::parse(&chips).expect("a script"), approved).expect("played").table;
    let credits = table(game, "", &format!("dealer: open-bets\nBETS\nCLOSE\ndealer: draw 2s 3s 4s\n{ERROR}"));
    let (dealer, own) = (staff(Post::Dealer), Actor::Patron { patron: PatronNo(7) });
    for (table, by, clock_ends) in [(&credits, &own, true), (&chips, &dealer, false)] {
        let until = asked(table).expect("asked");
        for (at, over) in [(until.0 - 1, false), (until.0, true), (until.0 + 60_000, true)] {
            let late = decide_at(table, by, Timestamp(at), choose()).err().map(|it| it.reason.kind());
            assert_eq!(late, (over && clock_ends).then_some(ReasonKind::NotChoosing), "{game} {at}");
            let closed = decide_at(table, &Actor::House, Timestamp(at), Command::CloseChoices {});
            assert_eq!(closed.is_ok(), over && clock_ends, "{game} {at}");
        }
    }
}

in_games!(the_choice_is_about_bets_that_lay: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(a_choice_that_is_broken_off_is_offered_again: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(the_clock_ends_what_no_dealer_records: wu_song, rws_baccarat, da_hu_ying_xiong);
