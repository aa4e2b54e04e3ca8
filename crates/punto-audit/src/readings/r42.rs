//! Interpretation 42: staff place bets for a patron and nothing else; where patrons have terminals, staff record what a
//! patron withdrew or chose only while the terminal is down, from Pit Supervisor up.

use punto_record::{Command, Entry, MoneyKind};
use punto_rules::Post;

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 42;

/// Checks whose order it was.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let (Command::WithdrawWager { patron, .. } | Command::Choose { patron, .. }) = &entry.order.command
    else {
        return;
    };
    let Some(post) = entry.order.by.post() else { return };
    let terminals = past.settings.as_ref().is_some_and(|settings| settings.money == MoneyKind::Credits);
    if !terminals {
        return;
    }
    let down = past.lost.contains(patron);
    out.interpreted(NO, down, "staff withdrew or chose for a patron whose terminal could be reached");
    let may = !down || post >= Post::PitSupervisor;
    out.interpreted(NO, may, "what a patron said beside a terminal that is down, a Dealer recorded alone");
}
