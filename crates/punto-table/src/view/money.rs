//! Money at a table as somebody may see it: wagers, limits that they break, credits.

use punto_record::{
    BoxNo, CaseNo, CaseReport, CommandKind, DeviceId, DropNo, LimitsMode, MatterNo, Person, RoundNo, SlipNo,
    Timestamp,
};
use punto_rules::{BetId, Flag, Money, PatronNo, Range, Stance};
use serde::Serialize;

use super::floor::{DisputeView, dispute};
use super::orders::Means;
use crate::audience::Audience;
use crate::decide::{Hold, hold, is_theirs, odd, outside, payable};
use crate::law::Law;
use crate::round::{Round, Stage, Standing, WagerKey};
use crate::state::{Account, State};

/// One's own money.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct OwnView<'a> {
    pub patron: PatronNo,
    pub credits: Money,
    pub owed: Money,
    /// The box that one sits at.
    pub seat: Option<BoxNo>,
    /// What a claim holds back of a cash-out, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HoldView>,
    /// Payouts that are held and not decided about.
    #[serde(skip_serializing_if = "Money::is_zero")]
    pub held_payouts: Money,
    pub wagers: Vec<WagerView<'a>>,
    pub total: Money,
    /// Until when one may choose, if one is asked.
    pub choose_until: Option<Timestamp>,
    /// Cards that one was granted to squeeze.
    pub squeezes: Vec<u8>,
    /// Orders that one lacks something for: credits, a wager, a question to answer.
    pub lacks: Vec<CommandKind>,
    /// The Round that one may still dispute in time.
    pub disputable: Option<RoundNo>,
    /// One's disputes that are not closed.
    pub disputes: Vec<DisputeView<'a>>,
}

/// A wager that stands.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct WagerView<'a> {
    pub patron: PatronNo,
    #[serde(rename = "box")]
    pub box_no: Option<BoxNo>,
    pub stance: Option<Stance>,
    pub bet: &'a BetId,
    pub stake: Money,
    pub playing: Money,
    /// The range of a side bet that the stake is outside of; only where chips were recorded as they lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outside: Option<Range>,
    /// What of the stake is no whole unit and goes back when bets close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd: Option<Money>,
    /// The patron was told that it is outside its limits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub advised: bool,
}

/// Somebody's money at the table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct AccountView {
    pub patron: PatronNo,
    pub credits: Money,
    pub owed: Money,
    pub unclaimed: u128,
    /// How much of what is kept can be paid now.
    pub payable: Money,
    /// What a claim holds back, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HoldView>,
    pub lost: bool,
    pub away: bool,
    /// From when on credits may be set aside, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abandoned_at: Option<Timestamp>,
}

/// What claims hold back of somebody's money.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoldView {
    /// The most that they could take.
    pub most: Money,
    /// The claims.
    pub matters: Vec<MatterNo>,
    /// When nothing is held back any more, if nobody decides or extends the time before.
    pub until: Option<Timestamp>,
    /// Slips that the patron has for it.
    pub slips: Vec<SlipNo>,
}

/// A note that was not credited or a ticket that nobody took, which waits for somebody.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct CaseView<'a> {
    pub case: CaseNo,
    pub patron: PatronNo,
    pub report: &'a CaseReport,
}

/// Money that is in acceptors, or was taken out of one and is not counted. What a box should hold is not told to those
/// who count it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AcceptorsView<'a> {
    /// Acceptors that hold something, and how much; pit and auditor.
    pub holding: Vec<(&'a DeviceId, Money)>,
    /// Boxes that wait to be counted.
    pub uncounted: Vec<(DropNo, &'a DeviceId)>,
}

/// Credits that were set aside and wait for the Shift Manager's review.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct SetAsideView<'a> {
    pub slip: SlipNo,
    pub patron: PatronNo,
    pub amount: Money,
    pub by: &'a Person,
    pub attendant: &'a Person,
}

/// A payout that is held, or will be when its Round is over.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct HeldPayoutView<'a> {
    pub slip: SlipNo,
    pub patron: PatronNo,
    pub round: RoundNo,
    pub amount: Money,
    pub reference: &'a str,
}

/// The House's figures.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct HouseView {
    pub won: i128,
    pub disputes: usize,
}

pub(super) fn own_view<'a>(state: &'a State, law: Option<&Law>, audience: Audience) -> Option<OwnView<'a>> {
    let Audience::Terminal { patron } = audience else { return None };
    let account = state.account(patron);
    let round = state.round();
    let wagers = round.zip(law).map_or_else(Vec::new, |(round, law)| {
        round.wagers.of(patron).map(|it| wager(it, law)).collect::<Vec<_>>()
    });
    let choose_until = match round.map(|round| &round.stage) {
        Some(Stage::Choosing { until, waiting }) if waiting.contains(&patron) => Some(*until),
        Some(_) | None => None,
    };
    let means = Means::of(state, patron);
    let granted = round.zip(law).map_or_else(Vec::new, |(round, law)| {
        let own = round.squeezes.iter().filter(|it| it.patron == patron && it.granted == Some(true));
        own.filter(|it| is_theirs(round, law, it)).map(|it| it.card).collect()
    });
    Some(OwnView {
        patron,
        credits: account.map_or(Money::ZERO, |account| account.credits),
        owed: account.map_or(Money::ZERO, |account| account.owed),
        seat: state.seats.iter().find(|(_, it)| **it == patron).map(|(box_no, _)| *box_no),
        held: hold_view(state, patron),
        held_payouts: state
            .held_payouts
            .values()
            .filter(|it| it.patron == patron)
            .fold(Money::ZERO, |sum, it| sum.plus(it.amount).unwrap_or(Money::MAX)),
        total: wagers.iter().map(|wager| wager.stake).sum(),
        wagers,
        choose_until,
        squeezes: granted,
        lacks: CommandKind::ALL.iter().copied().filter(|kind| means.lack(*kind)).collect(),
        disputable: state.disputable().filter(|round| {
            state.bettors.had_wager(*round, patron) && !state.bettors.has_disputed(*round, patron)
        }),
        disputes: own_disputes(state, patron),
    })
}

fn own_disputes(state: &State, patron: PatronNo) -> Vec<DisputeView<'_>> {
    let own = state.disputes.iter().filter(|(_, it)| it.patron == Some(patron));
    own.map(|(no, it)| dispute(state, *no, it, Some(patron))).collect()
}

fn wager<'a>((key, standing): (&'a WagerKey, &'a Standing), law: &Law) -> WagerView<'a> {
    // Where limits are enforced no bet gets there.
    let is_watched = law.settings.limits == LimitsMode::Observed;
    let bet = is_watched.then(|| law.terms.bet_no(key.bet.as_str())).flatten();
    WagerView {
        patron: key.patron,
        box_no: key.box_no,
        stance: standing.stance,
        bet: &key.bet,
        stake: standing.stake,
        playing: standing.playing.unwrap_or(standing.stake),
        outside: bet.and_then(|bet| outside(law, bet, standing.stake)),
        odd: if is_watched { odd(law, standing.stake) } else { None },
        advised: standing.advised,
    }
}

pub(super) fn wagers<'a>(round: &'a Round, law: &Law) -> Vec<WagerView<'a>> {
    let mut wagers: Vec<_> = round.wagers.iter().collect();
    wagers.sort_by_key(|(key, standing)| (key.box_no, standing.first));
    wagers.into_iter().map(|it| wager(it, law)).collect()
}

pub(super) fn flags(state: &State, law: &Law) -> Vec<(BoxNo, Vec<Flag>)> {
    let (Some(round), Some(limits)) = (state.round(), law.terms.box_limits()) else { return Vec::new() };
    let boxes = round.wagers.boxes().map(|(no, betting_box)| (no, betting_box.flags(limits)));
    boxes.filter(|(_, flags)| !flags.is_empty()).collect()
}

fn hold_view(state: &State, patron: PatronNo) -> Option<HoldView> {
    let Hold { most, matters, until } = hold(state, patron, state.now);
    let own = state.held_back.iter().filter(|(_, held)| held.patron == patron);
    let slips: Vec<SlipNo> = own.map(|(slip, _)| *slip).collect();
    (!matters.is_empty() || !slips.is_empty()).then_some(HoldView { most, matters, until, slips })
}

pub(super) fn set_aside(state: &State) -> Vec<SetAsideView<'_>> {
    state
        .set_aside
        .iter()
        .map(|(slip, it)| SetAsideView {
            slip: *slip,
            patron: it.patron,
            amount: it.amount,
            by: &it.by,
            attendant: &it.attendant,
        })
        .collect()
}

pub(super) fn held_payouts(state: &State) -> Vec<HeldPayoutView<'_>> {
    let held = state.held_payouts.iter();
    held.map(|(slip, it)| HeldPayoutView {
        slip: *slip,
        patron: it.patron,
        round: it.round,
        amount: it.amount,
        reference: &it.reference,
    })
    .collect()
}

pub(super) fn cases(state: &State) -> Vec<CaseView<'_>> {
    let cases = state.cases.iter();
    cases.map(|(case, it)| CaseView { case: *case, patron: it.patron, report: &it.report }).collect()
}

pub(super) fn acceptors(state: &State, audience: Audience) -> AcceptorsView<'_> {
    let shown = !matches!(audience, Audience::Cage);
    let holding = state.acceptors.iter().filter(|_| shown);
    AcceptorsView {
        holding: holding.map(|(acceptor, amount)| (acceptor, *amount)).collect(),
        uncounted: state.drops.iter().map(|(drop, it)| (*drop, &it.acceptor)).collect(),
    }
}

pub(super) fn accounts(state: &State) -> Vec<AccountView> {
    let minutes = state.settings.as_ref().map(|settings| settings.abandoned_minutes);
    let account = |(patron, it): (&PatronNo, &Account)| AccountView {
        patron: *patron,
        credits: it.credits,
        owed: it.owed,
        unclaimed: it.unclaimed,
        payable: payable(state, *patron, state.now),
        held: hold_view(state, *patron),
        lost: it.lost,
        away: it.away,
        abandoned_at: minutes
            .filter(|_| !it.credits.is_zero())
            .map(|minutes| state.active.get(patron).copied().unwrap_or_default().plus_minutes(minutes)),
    };
    state.accounts.iter().map(account).collect()
}
