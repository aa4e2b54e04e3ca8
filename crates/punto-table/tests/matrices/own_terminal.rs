//! Interpretation 42: who withdraws and who chooses, by game, kind of money, post and state of the terminal.

use punto_record::{
    Actor, BoxNo, Choice, Command, Event, Order, OrderId, ReasonKind, Report, Ruling, Timestamp,
};
use punto_rules::{PatronNo, Post};
use punto_table::{Given, Table};

use crate::{after, decide, rule, staff, table};

fn refused(table: &Table, by: &Actor, command: Command) -> Option<ReasonKind> {
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: by.clone(),
        at: Timestamp(table.state().now.0 + 1_000),
        round: table.state().round().map(|round| round.no),
        command,
    };
    table.decide(&order, &Given::default()).err().map(|refused| refused.reason.kind())
}

fn withdraw(game: &str) -> Command {
    let box_no = (game != "ncb-etg").then_some(BoxNo(1));
    Command::WithdrawWager { patron: PatronNo(7), box_no, bet: "banker".into(), amount: None }
}

fn choose() -> Command {
    Command::Choose { patron: PatronNo(7), choice: Choice::TakeBack }
}

const ERROR: &str = "CLOSE\ndealer: draw 2s 3s 4s\ndealer: report other-dealing-error words=twice\n\
                     supervisor: rule 1 continue reason=seen\n";

/// Terminal up or down, bets open or choices asked, every post.
fn a_patron_with_a_terminal_speaks_there(game: &str) {
    for (terminal, line) in [
        ("up", ""),
        ("down", "house: lose-terminal patron=7\n"),
        ("back", "house: lose-terminal patron=7\nhouse: restore-terminal patron=7\n"),
        ("of another", "cashier: buy-credits patron=8 amount=100\nhouse: lose-terminal patron=8\n"),
    ] {
        let open = table(game, "", &format!("dealer: open-bets\nBETS\n{line}"));
        let mut moments = vec![(open, withdraw(game))];
        // The electronic game asks nobody.
        if game != "ncb-etg" {
            let asked = table(game, "", &format!("dealer: open-bets\nBETS\n{ERROR}{line}"));
            moments.push((asked, choose()));
        }
        for (table, command) in moments {
            let told = format!("{game}, terminal {terminal}: {}", command.kind().id());
            for post in Post::ALL {
                let answer = refused(&table, &staff(post), command.clone());
                let expected = match (terminal, post >= Post::PitSupervisor) {
                    ("down", true) => None,
                    ("down" | "of another", false) => Some(ReasonKind::NotPermitted),
                    _ => Some(ReasonKind::PatronsOwn),
                };
                assert_eq!(answer, expected, "{told} by {}", post.id());
            }
            let own = Actor::Patron { patron: PatronNo(7) };
            assert_eq!(refused(&table, &own, command.clone()), None, "{told}");
            let offered = |post| {
                let view = table.view(punto_table::Audience::Console { post });
                view.possible.contains(&command.kind())
            };
            let any_down = matches!(terminal, "down" | "of another");
            assert_eq!(offered(Post::PitSupervisor), any_down, "{told}");
            assert!(!offered(Post::Dealer), "{told}");
        }
    }
}

/// Chips have no terminal: from the Dealer up everybody records what the patron did.
fn of_a_patron_without_a_terminal_the_dealer_records(game: &str) {
    let chips = "supervisor: open-float amount=20000\ndealer: open-bets\n\
                 dealer: record-chips patron=7 box=1 bet=banker stake=400\n";
    let felt = |lines: &str| {
        let layout = if game == "wu-song" { "D" } else { "A" };
        let text = format!(
            "table {game} {layout} money=chips limits=observed minimum=200 differential=2000 others=40..1000\n\
             dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n{chips}{lines}"
        );
        let script = punto_table::script::Script::parse(&text).expect("a script");
        punto_table::script::play(&script, crate::scripts::approved).expect("played").table
    };
    let (open, asked) = (felt(""), felt(&ERROR.replace("CLOSE", "dealer: close-bets")));
    for post in Post::ALL {
        assert_eq!(refused(&open, &staff(post), withdraw(game)), None, "{game}: {}", post.id());
        assert_eq!(refused(&asked, &staff(post), choose()), None, "{game}: {}", post.id());
    }
}

/// The paragraph about bets placed in error does not name the House here (electronic 5.9): a staff error is nowhere provided
/// for, and what follows from it does not cite that paragraph.
fn a_staff_error_is_not_the_patrons(game: &str) {
    let table = table(game, "", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s\n");
    let (patron, words, through) = (PatronNo(7), "keyed twice".into(), Some("the-attendant".into()));
    let report = Command::Report { report: Report::BetPlacedInError { patron, words, through } };
    let uncovered = table.law().expect("an open table").uncovered();
    let reported = after(&table, &staff(Post::Dealer), report);
    let events = decide(&reported, &staff(Post::ShiftManager), rule(1, &Ruling::Void {})).expect(game);
    for event in &events {
        if let Event::Ruled { cite, .. } | Event::RoundVoided { cite, .. } = event {
            assert_eq!(*cite, uncovered, "{game}: {event:?}");
        }
    }
    assert!(events.iter().any(|event| matches!(event, Event::RoundVoided { .. })), "{game}");
}

in_games!(a_staff_error_is_not_the_patrons: ncb_etg);
every_game!(a_patron_with_a_terminal_speaks_there);
in_games!(of_a_patron_without_a_terminal_the_dealer_records: wu_song, rws_baccarat, da_hu_ying_xiong);
