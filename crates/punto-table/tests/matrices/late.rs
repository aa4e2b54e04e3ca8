//! Interpretation 50: an error of an earlier Round, once the next has commenced.

use punto_record::{Command, Event, ReasonKind, Report, RoundNo, Ruling, RulingWord};
use punto_rules::{Cite, Post};

use crate::{after, cards, decide, rule, rulings, staff, table};

fn late(game: &str) -> (punto_table::Table, Command) {
    let table = table(
        game,
        "",
        "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\ndealer: open-bets\n",
    );
    let words = "a card lay under the shoe".into();
    (table, Command::Report { report: Report::LateDiscovery { round: RoundNo(1), words } })
}

/// Wu Song alone says that the earlier Round stands, whatever is found (5.6).
fn an_earlier_round_stands_by_itself_in_wu_song_only(game: &str) {
    let (table, report) = late(game);
    let events = decide(&table, &staff(Post::Dealer), report).expect("taken");
    let says_so = |cite: &Cite| cite.paragraphs().any(|it| it == "5.6");
    let stands =
        |event: &Event| matches!(event, Event::Ruled { ruling: Ruling::Stand {}, cite, .. } if says_so(cite));
    let decides = |event: &Event| {
        let least = Some(Post::ShiftManager);
        matches!(event, Event::MatterOpened { decides, holds: false, .. } if *decides == least)
    };
    let ruled = events.iter().any(|event| matches!(event, Event::Ruled { .. }));
    assert_eq!(ruled, game == "wu-song", "{game}: {events:?}");
    assert_eq!(events.iter().any(stands), game == "wu-song", "{game}: {events:?}");
    assert_eq!(events.iter().any(decides), game != "wu-song", "{game}: {events:?}");
}

fn elsewhere_the_shift_manager_rules(game: &str) {
    let (table, report) = late(game);
    let table = after(&table, &staff(Post::Dealer), report);
    // Other cards than those that were recorded, so that something is owed.
    for ruling in rulings(&cards("2d 9s Kh Kc")) {
        for post in Post::ALL {
            let decided = decide(&table, &staff(post), rule(1, &ruling));
            let told = format!("{game}: {ruling:?} by {}", post.id());
            let typed = matches!(&ruling, Ruling::Adjust { adjustments, .. } if !adjustments.is_empty());
            let open = matches!(ruling.word(), RulingWord::Stand | RulingWord::Adjust) && !typed;
            match decided {
                Ok(_) => assert!(open && post >= Post::ShiftManager, "{told}"),
                Err(refused) if post < Post::ShiftManager => {
                    assert_eq!(refused.reason.kind(), ReasonKind::NotPermitted, "{told}");
                }
                Err(refused) => {
                    assert!(!open, "{told}: {refused}");
                    let why = if typed { ReasonKind::AmountTyped } else { ReasonKind::RulingNotAllowed };
                    assert_eq!(refused.reason.kind(), why, "{told}");
                }
            }
        }
    }
}

every_game!(an_earlier_round_stands_by_itself_in_wu_song_only);
in_games!(elsewhere_the_shift_manager_rules: rws_baccarat, da_hu_ying_xiong, ncb_etg);
