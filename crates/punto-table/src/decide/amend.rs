//! The record amended to what lay on the felt when bets were closed (5.14/5.13).

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{BoxNo, Event, LimitsMode, Person, Reason, Rejection, RoundNo};
use punto_rules::{BetId, Cite, IrregularityKind, Money, PatronNo, Remedy, Stance, Wager, fix_playing};

use super::{Decided, bets, correction, has_reason, seats, second, settle, wager};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::WagerKey;
use crate::state::LastRound;

/// The number of the interpretation about chips found after the first card.
const AFTER_THE_FIRST_CARD: u8 = 51;

/// Chips as they lay.
pub(super) struct Chips<'a> {
    pub(super) patron: PatronNo,
    pub(super) box_no: BoxNo,
    /// What the order claims.
    pub(super) stance: Option<Stance>,
    pub(super) bet: &'a BetId,
    pub(super) stake: Money,
}

impl Chips<'_> {
    fn key(&self) -> WagerKey {
        WagerKey { patron: self.patron, box_no: Some(self.box_no), bet: self.bet.clone() }
    }
}

/// Amends the record: before the first card a Pit Supervisor, with a reason (interpretation 18); after it with a recording
/// that shows the chips and a second person, until the next Round commences.
pub(super) fn amend(
    draft: &mut Draft<'_>,
    chips: &Chips<'_>,
    reason: &str,
    surveillance: Option<&Arc<str>>,
    second: Option<&Person>,
) -> Decided {
    match (draft.state.round().map(|round| (round.no, round.has_drawn())), draft.state.last().cloned()) {
        (Some((_, false)), _) => in_play(draft, chips, reason, None, None),
        (Some((no, true)), _) => {
            let surveillance = is_shown(draft, no, surveillance, second, reason)?;
            if draft.round().taken_back {
                return Err(taken_back());
            }
            in_play(draft, chips, reason, Some(surveillance), second)
        }
        (None, Some(last)) => {
            let surveillance = is_shown(draft, last.no, surveillance, second, reason)?;
            if last.taken_back {
                return Err(taken_back());
            }
            settled(draft, &last, chips, surveillance, second)
        }
        (None, None) => Err(Reason::NoRound {}.into()),
    }
}

/// What is asked after the first card: the recording, and two people of whom neither dealt.
// INTERPRETATION 51: whoever knows the cards amends nothing alone.
fn is_shown<'a>(
    draft: &Draft<'_>,
    round: RoundNo,
    surveillance: Option<&'a Arc<str>>,
    second: Option<&Person>,
    reason: &str,
) -> Result<&'a Arc<str>, Rejection> {
    let own = Cite::interpretation(AFTER_THE_FIRST_CARD);
    let surveillance = surveillance.ok_or_else(|| Reason::CardsOut {}.under(&own))?;
    has_reason(reason)?;
    has_reason(surveillance)?;
    second::did_not_deal(draft, round, draft.person())?;
    second::agrees_on(draft, round, second, &own)?;
    Ok(surveillance)
}

/// Once somebody has taken bets back, what the others play is fixed (interpretation 15); a stake found after that is ruled
/// as uncovered.
fn taken_back() -> Rejection {
    Reason::BetsTakenBack {}.under(&Cite::interpretation(AFTER_THE_FIRST_CARD))
}

fn in_play(
    draft: &mut Draft<'_>,
    chips: &Chips<'_>,
    reason: &str,
    surveillance: Option<&Arc<str>>,
    second: Option<&Person>,
) -> Decided {
    has_reason(reason)?;
    let Chips { patron, box_no, stance, bet, stake } = *chips;
    let (no, stance) = bets::check_chips(draft, patron, box_no, stance, bet, stake)?;
    let (law, side) = (draft.law, draft.law.terms.bet(no).original);
    let mut after = draft.round().wagers.clone();
    let before = after.stake(&chips.key());
    match stake.minus(before) {
        Some(more) => after.add(chips.key(), Some(stance), side, more),
        None => after.take(&chips.key(), before.less(stake)),
    }
    // After the first card nothing is rejected any more: what lay over the Differential plays pro rata (5.1.1).
    let is_trimmed = law.settings.limits == LimitsMode::Enforced && surveillance.is_none();
    let parts = if is_trimmed { Vec::new() } else { bets::apportion(law, &after, box_no) };
    let parts_cite = bets::pro_rata(law, &parts);
    draft.push(Event::WagerAmended {
        patron,
        box_no,
        stance,
        bet: bet.clone(),
        side,
        stake,
        parts,
        parts_cite,
        cite: cite(law),
        surveillance: surveillance.cloned(),
        second: second.filter(|_| surveillance.is_some()).cloned(),
    });
    if is_trimmed {
        bets::trim(draft, box_no);
    }
    Ok(())
}

/// The paragraph by which bets are settled as chips lay at close.
fn cite(law: &Law) -> Cite {
    law.rulebook.conduct.chips_at_close.clone().unwrap_or_else(|| law.uncovered())
}

/// The Round just settled is settled anew with the chips as they lay. Everybody gets the difference, or owes it.
// INTERPRETATION 51: computed and never typed, as all money after the fact (37).
fn settled(
    draft: &mut Draft<'_>,
    last: &LastRound,
    chips: &Chips<'_>,
    surveillance: &Arc<str>,
    second: Option<&Person>,
) -> Decided {
    let law = draft.law;
    let stance = seats::stance(&draft.state, law, chips.patron, Some(chips.box_no), chips.stance)?;
    let wagers = wagers(law, last, chips)?;
    let result = last.result.clone().expect("the gate saw a settled Round");
    let (lines, house) = settle::lines(law, &wagers, &settle::outcome(&result));
    // More at stake is more that was brought, as much as a payout is more that is taken away.
    let mut owed: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for (lines, sign) in [(&lines, 1), (&last.lines, -1)] {
        for line in lines {
            let won = i128::from(line.to_patron.get()) - i128::from(line.stake.get());
            *owed.entry(line.patron).or_default() += sign * won;
        }
    }
    let changes = correction::changes(draft, last.no, owed)?;
    let round = last.no;
    let paid = changes.iter().map(|it| (it.patron, it.paid)).collect();
    draft.push(Event::RoundAmended {
        round,
        patron: chips.patron,
        box_no: chips.box_no,
        stance: stance.expect("the gate saw a table with boxes"),
        bet: chips.bet.clone(),
        stake: chips.stake,
        result,
        lines,
        house,
        changes,
        surveillance: surveillance.clone(),
        second: second.cloned(),
        cite: cite(law),
    });
    settle::put_by(draft, round, paid);
    Ok(())
}

/// The wagers of a settled Round with one of them as it lay, its box apportioned anew.
fn wagers(law: &Law, last: &LastRound, chips: &Chips<'_>) -> Result<Vec<(WagerKey, Wager)>, Rejection> {
    let bet = wager::bet_no(law, chips.bet)?;
    let known = |bet: &BetId| law.terms.bet_no(bet.as_str()).expect("settled bets are offered");
    let mut wagers: Vec<(WagerKey, Wager)> = last
        .lines
        .iter()
        .map(|line| {
            let key = WagerKey { patron: line.patron, box_no: line.box_no, bet: line.bet.clone() };
            (key, Wager { bet: known(&line.bet), stake: line.stake, playing: line.playing })
        })
        .collect();
    let (key, stake) = (chips.key(), chips.stake);
    let place = wagers.iter().position(|(it, _)| *it == key);
    let before = place.map_or(Money::ZERO, |place| wagers[place].1.stake);
    if stake == before {
        return Err(if stake.is_zero() { Reason::NoSuchWager {} } else { Reason::Nothing {} }.into());
    }
    if !stake.is_zero() {
        wager::whole_units(law, bet, stake)?;
    }
    let standing = wagers.iter().fold(Money::ZERO, |sum, (_, it)| sum.plus(it.stake).unwrap_or(Money::MAX));
    let most = law.room(standing, Money::ZERO);
    if stake.less(before) > most {
        return Err(Reason::PayoutTooLarge { most: before.plus(most).unwrap_or(Money::MAX) }.into());
    }
    match place {
        Some(place) if stake.is_zero() => {
            wagers.remove(place);
        }
        Some(place) => wagers[place].1 = Wager::new(bet, stake),
        None => {
            // Wagers stand by box, in the order in which they came; this one came to the record last.
            let after = wagers.iter().rposition(|(it, _)| it.box_no <= key.box_no).map_or(0, |it| it + 1);
            wagers.insert(after, (key, Wager::new(bet, stake)));
        }
    }
    let is_pro_rata = law.rulebook.irregularity(IrregularityKind::OverDifferential).map(|it| it.remedy);
    if is_pro_rata == Some(Remedy::ProRata) {
        let of_box = || (0..wagers.len()).filter(|at| wagers[*at].0.box_no == Some(chips.box_no));
        let places: Vec<usize> = of_box().collect();
        let mut playing: Vec<Wager> =
            places.iter().map(|at| Wager::new(wagers[*at].1.bet, wagers[*at].1.stake)).collect();
        fix_playing(&law.terms, &mut playing);
        places.into_iter().zip(playing).for_each(|(at, wager)| wagers[at].1 = wager);
    }
    Ok(wagers)
}
