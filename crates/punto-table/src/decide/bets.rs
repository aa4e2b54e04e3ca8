//! Opening and closing bets, and what the Dealer does about chips on a felt.

use punto_record::{BoxNo, Event, LimitsMode, Part, Reason, Seen, Source};
use punto_rules::{
    BetId, BetNo, Cite, Deal, IrregularityKind, Money, PatronNo, Remedy, Stance, Step, Wager, fix_playing,
};

use super::{Decided, approved, choices, disputes, limits, seats, settle, table, wager};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Stage, WagerKey, Wagers};
use crate::table::Given;

/// "Place your Bets, please": a Round commences (1.22). Carried cards open it.
// INTERPRETATION 33: under rules that are approved now; from here on it is played to its end under them.
pub(super) fn open(draft: &mut Draft<'_>, given: &Given) -> Decided {
    disputes::are_seen(draft)?;
    let approval = approved::to_commence(given, &draft.state, draft.law, draft.at)?;
    table::limits_due(draft);
    let carried = draft.state.carried.clone();
    draft.push(Event::BetsOpened {
        round: draft.state.rounds.next(),
        shoe: draft.state.shoe.as_ref().expect("the gate saw a shoe").no,
        carried: carried.clone(),
        closes_at: draft.at.plus_seconds(draft.law.settings.betting_seconds),
        cite: draft.law.rulebook.play.open_bets.clone(),
        approval: approved::deed(approval),
    });
    let mut so_far = Deal::new();
    for card in carried {
        // What even this Round does not need opens the one after.
        let side = match so_far.step() {
            Step::Draw(side) => {
                so_far = so_far.take(card);
                Some(side)
            }
            Step::Complete(_) => None,
        };
        draft.push(Event::CardDrawn {
            card: Seen::Card(card),
            side,
            source: Source::Carried,
            covered: false,
        });
    }
    Ok(())
}

/// "No more Bets", said by the Dealer or, on the electronic game, by the clock.
pub(super) fn close_by(draft: &mut Draft<'_>) -> Decided {
    let Stage::Betting { closes_at } = draft.round().stage else { unreachable!("the gate saw open bets") };
    let cite = draft.law.rulebook.play.close_bets.as_ref();
    if draft.law.is_electronic() && draft.at < closes_at {
        return Err(Reason::TooEarly {}.under_some(cite));
    }
    close(draft);
    choices::ask_or_go_on(draft);
    Ok(())
}

/// Bets are open again after the table was held or interrupted, for the full time: nobody could bet meanwhile.
// INTERPRETATION 18: the clock closes an electronic table, and never while it is held.
pub(super) fn reopen(draft: &mut Draft<'_>) {
    let closes_at = Some(draft.at.plus_seconds(draft.law.settings.betting_seconds));
    draft.push(Event::PlayResumed { closes_at });
}

/// A card ends the time for bets, whoever drew it too soon.
pub(super) fn close_if_open(draft: &mut Draft<'_>) {
    if let Stage::Betting { .. } | Stage::Held { closes_at: Some(_), .. } = draft.round().stage {
        close(draft);
    }
}

/// Closes bets: enforced boxes are trimmed; of observed ones, what was noticed goes back and what nobody could notice is
/// apportioned.
pub(super) fn close(draft: &mut Draft<'_>) {
    let boxes: Vec<BoxNo> = draft.round().wagers.boxes().map(|(no, _)| no).collect();
    let mut parts = Vec::new();
    for box_no in boxes {
        match draft.law.settings.limits {
            LimitsMode::Enforced => trim(draft, box_no),
            LimitsMode::Observed => {}
        }
    }
    if draft.law.settings.limits == LimitsMode::Observed {
        limits::put_right(draft);
        let boxes = draft.round().wagers.boxes();
        parts = boxes.flat_map(|(no, _)| apportion(draft.law, &draft.round().wagers, no)).collect();
    }
    let cite = draft.law.rulebook.play.close_bets.clone();
    let parts_cite = pro_rata(draft.law, &parts);
    let chips_cite = draft.law.rulebook.conduct.chips_at_close.clone();
    draft.push(Event::BetsClosed { round: draft.round().no, parts, parts_cite, cite, chips_cite });
}

/// The paragraph by which wagers do not play in full.
pub(super) fn pro_rata(law: &Law, parts: &[Part]) -> Option<Cite> {
    law.cite(IrregularityKind::OverDifferential).filter(|_| !parts.is_empty()).cloned()
}

/// Takes a box back to the Differential: Standing first, then Seated, latest first (5.1).
pub(super) fn trim(draft: &mut Draft<'_>, box_no: BoxNo) {
    let limits = draft.law.terms.box_limits().expect("boxes have limits");
    let mut betting_box = draft.round().wagers.betting_box(box_no).cloned().unwrap_or_default();
    betting_box.join_odd_layers(draft.law.terms.unit());
    let trims = betting_box.close(limits);
    let cite = draft.law.cite(IrregularityKind::OverDifferential).unwrap_or(&draft.law.rulebook.limits.cite);
    for event in wager::trimmed(draft.law, box_no, &betting_box, &trims, cite) {
        draft.push(event);
    }
    let round = draft.round().no;
    settle::put_by(draft, round, trims.iter().map(|trim| (trim.patron, trim.amount)).collect());
}

/// How much of each wager in a box plays, where it is not all (5.1.1, 5.1.2).
pub(super) fn apportion(law: &Law, wagers: &Wagers, box_no: BoxNo) -> Vec<Part> {
    let remedy = law.rulebook.irregularity(IrregularityKind::OverDifferential).map(|it| it.remedy);
    if remedy != Some(Remedy::ProRata) {
        return Vec::new();
    }
    let standing = wagers.in_box(box_no);
    let mut playing: Vec<Wager> = standing
        .iter()
        .map(|(key, it)| {
            Wager::new(law.terms.bet_no(key.bet.as_str()).expect("placed bets are offered"), it.stake)
        })
        .collect();
    fix_playing(&law.terms, &mut playing);
    let parts = standing.iter().zip(&playing).filter(|(_, wager)| wager.playing != wager.stake);
    parts
        .map(|((key, _), wager)| Part {
            patron: key.patron,
            box_no,
            bet: key.bet.clone(),
            playing: wager.playing,
        })
        .collect()
}

/// Records what lies on the felt of a chip table.
// INTERPRETATION 14: everything is recorded; what breaks a limit is flagged while bets are open.
pub(super) fn record_chips(
    draft: &mut Draft<'_>,
    patron: PatronNo,
    box_no: BoxNo,
    stance: Option<Stance>,
    bet: &BetId,
    stake: Money,
) -> Decided {
    let (no, stance) = check_chips(draft, patron, box_no, stance, bet, stake)?;
    let (side, bet) = (draft.law.terms.bet(no).original, bet.clone());
    draft.push(Event::ChipsRecorded { patron, box_no, stance, bet, side, stake });
    for event in limits::flags(draft.law, &draft.round().wagers, box_no, patron, no) {
        draft.push(event);
    }
    Ok(())
}

pub(super) fn check_chips(
    draft: &Draft<'_>,
    patron: PatronNo,
    box_no: BoxNo,
    claimed: Option<Stance>,
    bet: &BetId,
    stake: Money,
) -> Result<(BetNo, Stance), punto_record::Rejection> {
    let (law, round) = (draft.law, draft.round());
    let no = wager::bet_no(law, bet)?;
    let stance = seats::stance(&draft.state, law, patron, Some(box_no), claimed)?;
    let stance = stance.expect("the gate saw a table with boxes");
    let key = WagerKey { patron, box_no: Some(box_no), bet: bet.clone() };
    let before = round.wagers.stake(&key);
    if stake == before {
        return Err(if stake.is_zero() { Reason::NoSuchWager {} } else { Reason::Nothing {} }.into());
    }
    if stake.is_zero() {
        return Ok((no, stance));
    }
    // INTERPRETATION 51: chips on the felt are a fact, a whole number of units or not. What is amended plays.
    if !matches!(round.stage, Stage::Betting { .. }) || law.settings.limits == LimitsMode::Enforced {
        wager::whole_units(law, no, stake)?;
    }
    let most = law.room(round.wagers.total(), Money::ZERO);
    if stake.less(before) > most {
        return Err(Reason::PayoutTooLarge { most: before.plus(most).unwrap_or(Money::MAX) }.into());
    }
    Ok((no, stance))
}
