//! That an earlier Round stands whatever is found has text in Wu Song (5.6) alone; elsewhere a late discovery waits for the
//! Shift Manager.

use punto_record::{Entry, Event};
use punto_rules::{IrregularityKind, Post};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 50;
/// The game whose document lets every earlier Round stand.
const STANDS: &str = "wu-song";
/// The games whose documents say so after a void cause only.
const OPEN: [&str; 3] = ["rws-baccarat", "da-hu-ying-xiong", "ncb-etg"];

pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let Some(game) = past.settings.as_ref().map(|settings| settings.game.as_str()) else { return };
    let is_late = |kind: IrregularityKind| kind == IrregularityKind::LateDiscovery;
    for event in &entry.events {
        if let Event::MatterOpened { matter, kind, .. } = event
            && is_late(*kind)
        {
            let ruled =
                entry.events.iter().any(|it| matches!(it, Event::Ruled { matter: no, .. } if no == matter));
            out.interpreted(NO, !(ruled && OPEN.contains(&game)), "an earlier Round stands by no paragraph");
            out.interpreted(NO, ruled || game != STANDS, "5.6 lets the earlier Round stand at once");
        }
        if let Event::Ruled { matter, .. } = event
            && past.matters.get(matter).is_some_and(|it| is_late(it.kind))
            && OPEN.contains(&game)
        {
            let may = entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
            out.interpreted(NO, may, "a late discovery was not ruled by the Shift Manager or above");
        }
    }
}
