//! What screens offer is what would be carried out: by game, post and moment. An order that is offered and refused when it
//! is given is as wrong as one that is not offered.

use punto_record::{Command, CommandKind, Report, RulingWord};
use punto_rules::{IrregularityKind, Post};
use punto_table::{Audience, Table};

use crate::{after, staff, table};

const IN_PLAY: &str = "dealer: open-bets\nBETS\nCLOSE\n";
const PLAYED: &str = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n";

/// The posts to which an order is offered.
fn offered(table: &Table, kind: CommandKind) -> Vec<Post> {
    let is_offered = |post: &Post| table.view(Audience::Console { post: *post }).possible.contains(&kind);
    Post::ALL.into_iter().filter(is_offered).collect()
}

fn from(least: Post) -> Vec<Post> {
    Post::ALL.into_iter().filter(|post| *post >= least).collect()
}

/// Interpretation 31: as long as no card is out the Dealer says so; then a Pit Supervisor or above.
fn nobody_below_a_pit_supervisor_is_asked_which_cards_are_out(game: &str) {
    for (drawn, least) in [("", Post::Dealer), ("dealer: draw 9s\n", Post::PitSupervisor)] {
        let lines = format!("{IN_PLAY}{drawn}dealer: report technical-interruption\n");
        let is = offered(&table(game, "", &lines), CommandKind::ConfirmCards);
        assert_eq!(is, from(least), "{game}: {drawn:?}");
    }
}

/// Interpretation 43: a Pit Supervisor decides what play waits for, which it does in Wu Song; the Shift Manager the rest.
fn a_claim_is_closed_by_whom_it_concerns(game: &str) {
    let timely = table(game, "", &format!("{PLAYED}patron 7: open-dispute patron=7 words=now\n"));
    let least = if game == "wu-song" { Post::PitSupervisor } else { Post::ShiftManager };
    assert_eq!(offered(&timely, CommandKind::CloseDispute), from(least), "{game}, in time");
    let late = format!("{PLAYED}dealer: open-bets\npatron 7: open-dispute patron=7 round=1 words=late\n");
    let is = offered(&table(game, "", &late), CommandKind::CloseDispute);
    assert_eq!(is, from(Post::ShiftManager), "{game}, late");
}

/// Interpretation 37: by whatever name it is reported, nothing of an earlier Round is adjusted where it stands.
fn an_adjustment_is_offered_where_one_can_be_ruled(game: &str) {
    let words = "the camera shows it".into();
    let report = Command::Report { report: Report::Uncovered { words } };
    let reported = after(&table(game, "", PLAYED), &staff(Post::Dealer), report);
    let opened = after(&reported, &staff(Post::Dealer), Command::OpenBets {});
    let view = opened.view(Audience::Console { post: Post::ShiftManager });
    let matters = view.matters.expect("shown to the console");
    let adjust = matters[0].rulings.contains(&RulingWord::Adjust);
    assert_eq!(adjust, game != "wu-song", "{game}: {:?}", matters[0].rulings);
}

/// Interpretation 38: what is reported by somebody who looked into the device is decided by a Pit Supervisor, and so it is
/// printed; what the record shows needs nobody.
fn printed_rules_say_who_decides_about_too_few_cards(game: &str) {
    let table = table(game, "", "");
    let printed = table.printed().expect("an open table");
    let found = printed.irregularities.iter().find(|it| it.kind == IrregularityKind::ShoeExhausted);
    assert_eq!(found.expect("a void cause").decides, Some(Post::PitSupervisor), "{game}");
}

every_game!(
    printed_rules_say_who_decides_about_too_few_cards,
    nobody_below_a_pit_supervisor_is_asked_which_cards_are_out,
    a_claim_is_closed_by_whom_it_concerns,
    an_adjustment_is_offered_where_one_can_be_ruled
);
