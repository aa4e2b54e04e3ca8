//! Interpretation 36: a card that came out is used.

use punto_record::{Command, Event, ReasonKind, Report, Ruling, RulingWord};
use punto_rules::Post;
use punto_table::Table;

use crate::{after, cards, decide, rule, rulings, staff, table};

fn settled(game: &str) -> Table {
    table(game, "", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n")
}

fn exposed(out: &str) -> Command {
    Command::Report { report: Report::ExcessOrExposedCard { cards: cards(out) } }
}

fn an_exposed_card_is_not_put_aside(game: &str) {
    let table = after(&settled(game), &staff(Post::Dealer), exposed("7d"));
    for ruling in rulings(&cards("7d")) {
        for post in Post::ALL {
            let told = format!("{game}: {ruling:?} by {}", post.id());
            let used = ruling.word() == RulingWord::Reconstruct;
            match decide(&table, &staff(post), rule(1, &ruling)) {
                Ok(_) => assert!(used && post >= Post::PitSupervisor, "{told}"),
                Err(refused) => assert!(!used || post < Post::PitSupervisor, "{told}: {refused}"),
            }
        }
    }
    let used = after(&table, &staff(Post::PitSupervisor), rule(1, &Ruling::Reconstruct {}));
    let events = decide(&used, &staff(Post::Dealer), Command::OpenBets {}).expect("bets open");
    let opens = |it: &Event| matches!(it, Event::BetsOpened { carried, .. } if *carried == cards("7d"));
    assert!(events.iter().any(opens), "{game}");
}

/// What decides no bet is used; what does may be thrown away, by the Shift Manager and nobody below.
fn carried_cards_are_thrown_away_only_if_they_decide(game: &str) {
    for (out, decides) in [("7d", false), ("7d 8d", false), ("9h 2h Ks Kd", true)] {
        let several = out.len() > 2;
        let fix = if several { Ruling::InOrder { order: cards(out) } } else { Ruling::Reconstruct {} };
        let table = after(&settled(game), &staff(Post::Dealer), exposed(out));
        let table = after(&table, &staff(Post::PitSupervisor), rule(1, &fix));
        for keep in [false, true] {
            for post in Post::ALL {
                let command = Command::RuleCarriedCards { keep, reason: "seen by all".into() };
                let told = format!("{game}: {out}, keep {keep}, by {}", post.id());
                match decide(&table, &staff(post), command) {
                    Ok(_) => assert!(decides && post >= Post::ShiftManager, "{told}"),
                    Err(refused) if post < Post::ShiftManager => {
                        assert_eq!(refused.reason.kind(), ReasonKind::NotPermitted, "{told}");
                    }
                    Err(refused) => {
                        assert!(!decides, "{told}: {refused}");
                        assert_eq!(refused.reason.kind(), ReasonKind::NoCarriedCards, "{told}");
                    }
                }
            }
        }
    }
}

every_game!(an_exposed_card_is_not_put_aside, carried_cards_are_thrown_away_only_if_they_decide);
