//! A card that was keyed wrongly: said anew by the Dealer while nothing hangs on it, by a Pit Supervisor afterwards.

use punto_record::{Event, Reason, Report};
use punto_rules::{Card, Deal, Post, Side, Step};

use super::{Decided, cards, report};
use crate::draft::Draft;

/// What a hand keyed is another card. What a device read is never said anew here: that is a misread, and a matter.
pub(super) fn correct(draft: &mut Draft<'_>, at: u16, was: Card, card: Card) -> Decided {
    let round = draft.round();
    let supervised = round.correctable_by_dealer() != Some(at);
    if supervised && draft.by.post().is_none_or(|post| post < Post::PitSupervisor) {
        return Err(Reason::NotPermitted { least: Some(Post::PitSupervisor) }.into());
    }
    let dealt = usize::from(at).checked_sub(1).and_then(|place| round.drawn.get(place));
    let dealt = dealt.ok_or(Reason::CardsDoNotAddUp {})?;
    if !round.correctable().any(|it| it == at) {
        return Err(Reason::NotKeyed {}.into());
    }
    if dealt.seen.card() != Some(was) || was == card {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    let belonged = belong(&round.order);
    draft.push(Event::CardCorrected { at, was, card, supervised });
    let belong = belong(&draft.round().order);
    if report::too_many(draft, &[card]).is_some() {
        report::hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![card], shoe: None });
    } else if belong.len() < belonged.len() {
        report::hold(draft, Report::ExcessOrExposedCard { cards: vec![] });
    } else if belong != belonged {
        // By the Table of Play a later card belonged to the other Hand.
        let hands = draft.round().hands();
        report::hold(draft, Report::WrongSide { hands });
    } else {
        cards::go_on(draft);
    }
    Ok(())
}

/// Whose each card is by the Table of Play, as far as the Round needs them.
fn belong(order: &[Card]) -> Vec<Side> {
    let (mut deal, mut belong) = (Deal::new(), Vec::new());
    for card in order {
        let Step::Draw(side) = deal.step() else { break };
        belong.push(side);
        deal = deal.take(*card);
    }
    belong
}
