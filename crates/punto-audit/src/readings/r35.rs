//! Cards drawn together: what was read or seen stands, nothing else changes its place, and between Rounds nobody chooses.

use punto_record::{Entry, Event, Report, Ruling, Source};
use punto_rules::Card;

use super::felt::Felt;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 35;

pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    if past.round.is_none() {
        let each = entry.events.iter().filter(|it| is_about_cards_out(it)).count();
        out.interpreted(NO, each < 2, "cards of one report became matters in the order of typing");
    }
    for event in &entry.events {
        if let Event::MatterOpened { report: Report::SimultaneousDraw { places, .. }, .. } = event {
            let drawn = entry.events.iter().any(|it| matches!(it, Event::CardDrawn { .. }));
            out.interpreted(NO, places.is_empty() || !drawn, "cards already read were recorded again");
        }
        if let Event::Ruled { matter, ruling, choice, .. } = event {
            let Some(about) = past.matters.get(matter) else { continue };
            out.interpreted(NO, !choice || past.round.is_some(), "a choice was given between Rounds");
            let (Report::SimultaneousDraw { cards, .. } | Report::ExcessOrExposedCard { cards }) =
                &about.report
            else {
                continue;
            };
            let ordered = matches!(ruling, Ruling::InOrder { .. });
            let several = past.round.is_none() && about.holds && cards.len() > 1;
            out.interpreted(NO, ordered || !several, "the order of typing decided which card came first");
            let after = entry.events.iter().find_map(|it| {
                let Event::CardsOrdered { order, carried } = it else { return None };
                Some([&order[..], carried].concat())
            });
            if let (true, Some(after)) = (ordered, after) {
                let sound = stays(past, &about.report, &after);
                out.interpreted(NO, sound, "cards changed places whose order was known");
            }
        }
    }
}

fn is_about_cards_out(event: &Event) -> bool {
    let Event::MatterOpened { report, .. } = event else { return false };
    matches!(report, Report::SimultaneousDraw { .. } | Report::ExcessOrExposedCard { .. })
}

/// Whether only cards changed places that came together, and none whose order was read or seen.
fn stays(past: &Past, report: &Report, after: &[Card]) -> bool {
    let Report::SimultaneousDraw { cards, places, order_known } = report else { return true };
    let Felt { order, carried, out, .. } = &past.felt;
    let before = if past.round.is_some() { order.clone() } else { [&carried[..], cards].concat() };
    let at: Vec<_> = places.iter().filter_map(|it| out.get(usize::from(*it).wrapping_sub(1))).collect();
    let was_read = !places.is_empty() && at.iter().all(|(_, _, source)| *source != Source::Keyed);
    let mut moved: Vec<Card> =
        (0..before.len()).filter(|i| after.get(*i) != before.get(*i)).map(|i| before[i]).collect();
    if *order_known || was_read {
        return moved.is_empty();
    }
    // A card of the report may have been misread since: how many it names still counts.
    if places.is_empty() {
        return moved.len() <= cards.len();
    }
    let together = at.iter().filter_map(|(seen, _, _)| seen.card());
    for card in together {
        if let Some(place) = moved.iter().position(|it| *it == card) {
            moved.remove(place);
        }
    }
    moved.is_empty()
}
