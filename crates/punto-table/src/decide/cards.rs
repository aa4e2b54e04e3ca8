//! Cards: the squeeze, a card out of the shoe, turning cards over. A card that is out is a fact; what is wrong with it
//! becomes a matter.

use punto_record::planted::{Bug, is};
use punto_record::{Cards, Event, Faces, Reason, Report, ResultBy, Seen, Source};
use punto_rules::rulebook::SqueezeRight;
use punto_rules::{Card, Cite, PatronNo, Side, Step, reconstruct};

use super::{Decided, bets, report, settle};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Round, Squeeze, Stage};

/// The most cards that a Round can have.
const MOST_CARDS: u8 = 6;
/// The number of the interpretation about Hands that are handed to people.
const HANDED: u8 = 51;

/// Asks for the squeeze (3.9): before that card leaves the shoe, by whoever has the highest bet.
pub(super) fn ask_squeeze(draft: &mut Draft<'_>, patron: PatronNo, card: u8) -> Decided {
    let squeeze = draft.law.rulebook.squeeze.as_ref().expect("the gate saw a game with a squeeze");
    let cite = squeeze.cite.clone();
    if draft.law.settings.faces != Faces::Down {
        return Err(Reason::NotFaceDown {}.under(&cite));
    }
    let round = draft.round();
    let is_to_come = usize::from(card) > round.drawn.len() && card <= MOST_CARDS;
    let is_new = !round.squeezes.iter().any(|it| it.card == card && it.patron == patron);
    if !is_to_come || !is_new {
        return Err(Reason::CardNotYet {}.under(&cite));
    }
    let highest = highest(round, squeeze.right);
    if highest != Some(patron) {
        // Who it is, is no other patron's business.
        let patron = highest.filter(|_| draft.by.patron().is_none());
        return Err(Reason::NotTheHighestBet { patron }.under(&cite));
    }
    draft.push(Event::SqueezeAsked { patron, card, cite });
    Ok(())
}

/// The cards of a Hand go to a person, as 5.9.2 (5.8.2) has it: whom the Dealer likes, as long as whoever has the right to
/// them does not ask.
// INTERPRETATION 51: only the highest bettor has a right to a Hand.
pub(super) fn hand(draft: &mut Draft<'_>, side: Side, patron: PatronNo) -> Decided {
    if draft.law.settings.faces != Faces::Down {
        let cite = draft.law.rulebook.squeeze.as_ref().map(|it| &it.cite);
        return Err(Reason::NotFaceDown {}.under_some(cite));
    }
    let round = draft.round();
    if round.wagers.of(patron).next().is_none() {
        return Err(Reason::NoSuchWager {}.into());
    }
    if round.accepting(side) == Some(patron) {
        return Err(Reason::Nothing {}.into());
    }
    let squeeze = draft.law.rulebook.squeeze.as_ref().expect("the gate saw a game with a squeeze");
    let highest = highest(round, squeeze.right);
    let asks = round
        .squeezes
        .iter()
        .any(|it| Some(it.patron) == highest && it.granted != Some(false) && may_be_of(it.card, side));
    if asks && highest != Some(patron) {
        return Err(Reason::NotTheHighestBet { patron: highest }.under(&squeeze.cite));
    }
    draft.push(Event::HandAccepted { side, patron, cite: Cite::interpretation(HANDED) });
    Ok(())
}

/// Whether a card, counted in drawing order, can come to a Hand: the first four go in turn, the others to either.
const fn may_be_of(card: u8, side: Side) -> bool {
    match (card, side) {
        (1 | 3, Side::Banker) | (2 | 4, Side::Player) => false,
        (_, Side::Player | Side::Banker) => true,
    }
}

/// Who has the largest single Player or Banker bet, the earliest on equal stakes.
// INTERPRETATION 16: of any Player, or of Seated Players even where a Standing Player's bet is larger.
// INTERPRETATION 39: whoever is Seated at a box has the right with all their bets, wherever they lie.
fn highest(round: &Round, right: SqueezeRight) -> Option<PatronNo> {
    let originals = round.wagers.iter().filter(|(_, it)| it.side.is_some());
    let may = originals.filter(|(key, _)| match right {
        SqueezeRight::AnyPlayer => true,
        SqueezeRight::SeatedPlayer => round.wagers.is_seated(key.patron),
    });
    may.max_by_key(|(_, it)| (it.stake, std::cmp::Reverse(it.first))).map(|(key, _)| key.patron)
}

/// Whether somebody still has a squeeze that they asked for: before the card is drawn it goes with the highest bet, so
/// that it ends when bets are taken back and passes on (3.9), and nobody else has the same card.
pub(crate) fn is_theirs(round: &Round, law: &Law, squeeze: &Squeeze) -> bool {
    let is_out = usize::from(squeeze.card) <= round.drawn.len();
    let right = law.rulebook.squeeze.as_ref().map(|it| it.right);
    is_out || right.is_some_and(|right| highest(round, right) == Some(squeeze.patron))
}

pub(super) fn grant_squeeze(draft: &mut Draft<'_>, patron: PatronNo, card: u8, granted: bool) -> Decided {
    let round = draft.round();
    let asked =
        round.squeezes.iter().any(|it| it.patron == patron && it.card == card && it.granted.is_none());
    if !asked {
        return Err(Reason::NotAsked {}.into());
    }
    if usize::from(card) <= round.drawn.len() {
        return Err(Reason::CardNotYet {}.into());
    }
    let squeeze = draft.law.rulebook.squeeze.as_ref().expect("the gate saw a game with a squeeze");
    let highest = highest(round, squeeze.right);
    if granted && highest != Some(patron) {
        return Err(Reason::NotTheHighestBet { patron: highest }.under(&squeeze.cite));
    }
    draft.push(Event::SqueezeAnswered { patron, card, granted });
    Ok(())
}

/// A card left the shoe.
pub(super) fn draw(draft: &mut Draft<'_>, card: &Seen, source: Source, to: Option<Side>) -> Decided {
    let is_dealing = matches!(draft.state.round().map(|round| &round.stage), Some(Stage::Dealing {}));
    if *card == Seen::Unreadable && (!is_dealing || draft.law.settings.cards == Cards::Software) {
        // Anywhere else a decision is pending already: the card is keyed. Software can always read its own.
        return Err(Reason::CardUnread {}.into());
    }
    if *card == Seen::Covered || source == Source::Carried {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    let Some(round) = draft.state.round() else { return report::early(draft, card, source) };
    let due = round.due();
    // A card ends the time for bets, whoever drew it too soon.
    bets::close_if_open(draft);
    let side = to.or(due);
    let card = &planted_card(draft, card);
    let covered = draft.law.settings.faces == Faces::Down;
    draft.push(Event::CardDrawn { card: card.clone(), side, source, covered });
    cut_card(draft);
    match card {
        Seen::Foreign(what) => report::hold(draft, Report::ForeignCard { card: what.clone() }),
        Seen::Unreadable | Seen::Covered => {}
        Seen::Card(card) => {
            let shoe = draft.state.shoe.as_ref().expect("the gate saw a shoe");
            let beyond_the_set = u32::from(shoe.drawn) + u32::from(shoe.burnt) > shoe.cards.into();
            if report::too_many(draft, &[*card]).is_some() || beyond_the_set {
                report::hold(
                    draft,
                    Report::ShortageOrExcess { missing: vec![], extra: vec![*card], shoe: None },
                );
            } else if due.is_none() {
                report::hold(draft, Report::ExcessOrExposedCard { cards: vec![] });
            } else if side != due {
                let hands = draft.round().hands();
                report::hold(draft, Report::WrongSide { hands });
            } else {
                go_on(draft);
            }
        }
    }
    Ok(())
}

/// Planted: another card than the next one of a software shoe.
fn planted_card(draft: &Draft<'_>, card: &Seen) -> Seen {
    match card.card() {
        Some(card) if is(Bug::CardOutOfOrder) && draft.law.settings.cards == Cards::Software => {
            Seen::Card(Card::from_index((card.index() + 1) % Card::KINDS))
        }
        Some(_) | None => card.clone(),
    }
}

/// Tells when the cut card came out: the Round in play is the last of this shoe.
pub(super) fn cut_card(draft: &mut Draft<'_>) {
    let behind = draft.law.settings.cut_card;
    if let Some(shoe) = &draft.state.shoe
        && behind > 0
        && !shoe.cut_card_out
        && shoe.left() <= behind
    {
        let shoe = shoe.no;
        draft.push(Event::CutCardReached { shoe });
    }
}

/// A card that the device could not read, keyed by hand.
pub(super) fn read(draft: &mut Draft<'_>, seen: &Seen) -> Decided {
    let card = match seen {
        Seen::Card(card) => *card,
        Seen::Foreign(what) => {
            draft.push(Event::CardRead { card: seen.clone() });
            report::hold(draft, Report::ForeignCard { card: what.clone() });
            return Ok(());
        }
        Seen::Unreadable | Seen::Covered => return Err(Reason::CardsDoNotAddUp {}.into()),
    };
    let due = match reconstruct(&draft.round().order).0.step() {
        Step::Draw(side) => Some(side),
        Step::Complete(_) => None,
    };
    draft.push(Event::CardRead { card: seen.clone() });
    let lies = draft.round().drawn.last().and_then(|dealt| dealt.side);
    if report::too_many(draft, &[card]).is_some() {
        report::hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![card], shoe: None });
    } else if lies != due {
        let hands = draft.round().hands();
        report::hold(draft, Report::WrongSide { hands });
    } else {
        go_on(draft);
    }
    Ok(())
}

pub(super) fn turn(draft: &mut Draft<'_>, cards: &[u16]) -> Decided {
    let cards = covered(draft.round(), cards).ok_or(Reason::CardNotYet {})?;
    show(draft, cards);
    settle::if_automatic(draft);
    Ok(())
}

/// Cards lie open now, for everybody.
pub(super) fn show(draft: &mut Draft<'_>, cards: Vec<u16>) {
    let drawn = &draft.round().drawn;
    let shown = cards.iter().map(|card| drawn[usize::from(*card) - 1].seen.clone()).collect();
    draft.push(Event::CardsTurned { cards, shown });
}

/// These cards, or all, if they lie face down.
pub(super) fn covered(round: &Round, cards: &[u16]) -> Option<Vec<u16>> {
    let face_down = |(i, dealt): (usize, &crate::round::Dealt)| dealt.covered.then_some(i as u16 + 1);
    let all: Vec<u16> = round.drawn.iter().enumerate().filter_map(face_down).collect();
    let cards = if cards.is_empty() { all.clone() } else { cards.to_vec() };
    (!cards.is_empty() && cards.iter().all(|card| all.contains(card))).then_some(cards)
}

/// Goes on with dealing: completes the Round if its cards do, and ends it if the shoe cannot.
pub(super) fn go_on(draft: &mut Draft<'_>) {
    let round = draft.round();
    let Stage::Dealing {} = round.stage else { return };
    let (deal, _) = reconstruct(&round.order);
    match deal.step() {
        Step::Complete(outcome) => {
            let cards: Vec<Card> = deal.drawn().collect();
            let result = punto_record::RoundResult::of(&cards, &outcome);
            draft.push(Event::RoundCompleted { result });
            settle::if_automatic(draft);
        }
        Step::Draw(_) => {
            let left = draft.state.shoe.as_ref().map_or(0, |shoe| shoe.left());
            // The replacement of a shoe is ordered by a ruling, never to escape an empty one.
            if left == 0 && !draft.law.is_continuous() && !round.shoe_awaited {
                report::hold(draft, Report::ShoeExhausted { left: None });
            }
        }
    }
}

/// Whether the last card settles.
pub(super) fn is_automatic(draft: &Draft<'_>) -> bool {
    draft.law.settings.result == Some(ResultBy::Automatic)
}
