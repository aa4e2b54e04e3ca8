//! The cards: loading, inspecting, cutting, burning, exchanging, retiring, counting, revealing.

use std::sync::Arc;

use punto_record::{CardSet, Cards, Digest, Event, Person, Reason, Report, ShoeNo, commitment};
use punto_rules::{Burn, Card, Cite, Composition, IrregularityKind};

use super::{Decided, has_reason, report};
use crate::draft::Draft;

/// Enough surplus cards to name; the count has them all.
const MOST: usize = 520;

pub(super) fn load(
    draft: &mut Draft<'_>,
    card_set: &CardSet,
    shuffled_by: Option<&Person>,
    commitment: Option<Digest>,
) -> Decided {
    is_committed(draft, commitment)?;
    draft.push(Event::ShoeLoaded {
        shoe: draft.state.shoes.next(),
        card_set: card_set.clone(),
        cards: draft.law.set_size(),
        shuffled_by: shuffled_by.cloned(),
        commitment,
    });
    Ok(())
}

fn is_committed(draft: &Draft<'_>, commitment: Option<Digest>) -> Decided {
    match (draft.law.settings.cards, commitment) {
        (Cards::Software, None) => Err(Reason::NoCommitment {}.into()),
        (Cards::Software | Cards::Real, _) => Ok(()),
    }
}

/// Cards found missing or too many before play: the set must be exchanged.
pub(super) fn inspect(draft: &mut Draft<'_>, missing: &[Card], extra: &[Card]) -> Decided {
    let shoe = number(draft);
    draft.push(Event::CardsInspected { shoe, missing: missing.to_vec(), extra: extra.to_vec() });
    if !missing.is_empty() || !extra.is_empty() {
        report::require_exchange(draft, IrregularityKind::ShortageOrExcess);
    }
    Ok(())
}

pub(super) fn cut(draft: &mut Draft<'_>, at: u16) -> Decided {
    let cards = draft.law.set_size();
    if at == 0 || at >= cards {
        return Err(Reason::WrongCut { most: cards - 1 }.into());
    }
    let shoe = number(draft);
    draft.push(Event::CardsCut { shoe, at });
    Ok(())
}

// INTERPRETATION 7: burn and cut are settings of the table.
pub(super) fn burn(draft: &mut Draft<'_>, shown: Option<Card>, count: u16) -> Decided {
    let due = draft.law.burn(shown);
    let is_shown = draft.law.settings.burn != Burn::ByFirstCard || shown.is_some();
    if count != due || count == 0 || !is_shown {
        return Err(Reason::WrongBurn { count: due }.into());
    }
    let shoe = number(draft);
    draft.push(Event::CardsBurnt { shoe, shown, count });
    super::cards::cut_card(draft);
    Ok(())
}

pub(super) fn retire(draft: &mut Draft<'_>, reason: &Arc<str>) -> Decided {
    has_reason(reason)?;
    discard_carried(draft);
    let shoe = number(draft);
    draft.push(Event::ShoeRetired { shoe, reason: reason.clone() });
    Ok(())
}

pub(super) fn exchange(
    draft: &mut Draft<'_>,
    card_set: &CardSet,
    shuffled_by: Option<&Person>,
    commitment: Option<Digest>,
    reason: &Arc<str>,
) -> Decided {
    // In mid-Round nobody could ask for the shuffle record later.
    if draft.state.round().is_some() && shuffled_by.is_none() {
        return Err(Reason::NotShuffled {}.under_some(draft.law.cite(IrregularityKind::NotShuffled)));
    }
    is_committed(draft, commitment)?;
    retire(draft, reason)?;
    load(draft, card_set, shuffled_by, commitment)
}

// INTERPRETATION 24: a change of shoe discards carried cards.
fn discard_carried(draft: &mut Draft<'_>) {
    let cards = match draft.state.round() {
        Some(round) => round.left_over().to_vec(),
        None => draft.state.carried.clone(),
    };
    if !cards.is_empty() {
        draft.push(Event::CarriedCardsDiscarded { cards });
    }
}

fn number(draft: &Draft<'_>) -> ShoeNo {
    draft.state.shoe.as_ref().expect("the gate saw a shoe").no
}

/// What was dealt, discarded and left adds up to the full set, card by card, or the difference is recorded.
pub(super) fn reconcile(
    draft: &mut Draft<'_>,
    shoe: ShoeNo,
    left: &Composition,
    discarded: &Composition,
) -> Decided {
    let retired = draft.state.retired.iter().find(|it| it.no == shoe && !it.reconciled);
    let retired = retired.ok_or(Reason::NoSuchShoe {})?;
    let decks = retired.cards / Card::KINDS as u16;
    let (mut missing, mut extra) = (Composition::EMPTY, Composition::EMPTY);
    for card in Card::all() {
        let there =
            [&retired.dealt, left, discarded].map(|it| u32::from(it.copies(card))).iter().sum::<u32>();
        missing.set(card, u32::from(decks).saturating_sub(there) as u16);
        extra.set(card, there.saturating_sub(u32::from(decks)).min(u16::MAX.into()) as u16);
    }
    let is_news = retired.played && !retired.found && !(missing.is_empty() && extra.is_empty());
    let report = Report::ShortageOrExcess {
        missing: missing.cards().collect(),
        extra: extra.cards().take(MOST).collect(),
        shoe: Some(shoe),
    };
    draft.push(Event::ShoeReconciled { shoe, missing: Box::new(missing), extra: Box::new(extra) });
    let in_play = draft.state.round().is_some_and(|round| round.drawn.iter().any(|dealt| dealt.shoe == shoe));
    if is_news && in_play {
        report::hold(draft, report);
    } else if is_news {
        // The Rounds of that shoe are over: they stand, and the error is on record.
        report::earlier_rounds_stand(draft, report);
    }
    Ok(())
}

pub(super) fn reveal(draft: &mut Draft<'_>, shoe: ShoeNo, salt: &Arc<str>, cards: &[Card]) -> Decided {
    let retired = draft.state.retired.iter().find(|it| it.no == shoe);
    let committed = retired.and_then(|it| it.commitment).ok_or(Reason::NoSuchShoe {})?;
    let retired = retired.expect("its commitment was found");
    let decks = (retired.cards / Card::KINDS as u16) as u8;
    let is_full = cards.iter().copied().collect::<Composition>() == Composition::decks(decks);
    // What was dealt is what lay behind the burnt cards, in that order.
    let was_dealt = cards.get(retired.burnt.into()..).is_some_and(|rest| rest.starts_with(&retired.sequence));
    if commitment(salt.as_bytes(), cards) != committed || !is_full || !was_dealt {
        return Err(Reason::RevealDoesNotMatch {}.into());
    }
    draft.push(Event::ShoeRevealed { shoe, salt: salt.clone(), cards: cards.to_vec() });
    Ok(())
}

/// Carried cards that decide a bet before anybody has placed it are used or discarded, as the Shift Manager says.
pub(super) fn rule_carried(draft: &mut Draft<'_>, keep: bool, reason: &str) -> Decided {
    has_reason(reason)?;
    // INTERPRETATION 40: no paragraph speaks of them; interpretation 24 does.
    let cite = Cite::interpretation(24);
    draft.push(Event::CarriedCardsRuled { keep, cite });
    if !keep {
        discard_carried(draft);
    }
    Ok(())
}
