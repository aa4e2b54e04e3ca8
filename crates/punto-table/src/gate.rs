//! What stands before every order: who may give it, and whether the table is at the point for it.
//!
//! [`Table::decide`](crate::Table::decide) and the orders that a view offers go through the same gate, so a screen never
//! offers what would be refused for the person or the moment.

use punto_record::planted::{Bug, is};
use punto_record::{Actor, Cards, CommandKind, LimitsMode, MoneyKind, Reason, Rejection};
use punto_rules::{Cite, IrregularityKind, Post};

use crate::decide;
use crate::law::Law;
use crate::round::{Matter, Stage};
use crate::state::{Phase, State};

/// Who may give an order. Nobody else may: deny by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Patrons, for themselves.
    pub patron: bool,
    /// Floor staff from this post upwards.
    pub from: Option<Post>,
    /// Cashiers.
    pub cashier: bool,
    /// Administrators.
    pub administrator: bool,
    /// The table's own software.
    pub house: bool,
}

const NOBODY: Allowed =
    Allowed { patron: false, from: None, cashier: false, administrator: false, house: false };

const fn from(post: Post) -> Allowed {
    Allowed { from: Some(post), ..NOBODY }
}

/// Who may give each kind of order.
pub const fn allowed(kind: CommandKind) -> Allowed {
    use CommandKind as Kind;
    match kind {
        Kind::OpenTable | Kind::ChangeSettings => Allowed { administrator: true, ..from(Post::ShiftManager) },
        Kind::CloseTable => Allowed { administrator: true, ..from(Post::PitSupervisor) },
        Kind::AnnounceClosing | Kind::ReconcileShoe | Kind::AmendWager => from(Post::PitSupervisor),
        Kind::LoadShoe | Kind::ExchangeShoe | Kind::RetireShoe | Kind::BurnCards => {
            Allowed { house: true, ..from(Post::Dealer) }
        }
        Kind::InspectCards | Kind::CutCards => from(Post::Dealer),
        Kind::RevealShoe | Kind::LoseTerminal | Kind::RestoreTerminal | Kind::NoteClock => {
            Allowed { house: true, ..NOBODY }
        }
        Kind::RuleCarriedCards => from(Post::ShiftManager),
        Kind::OpenBets | Kind::CloseBets | Kind::DrawCard | Kind::Report | Kind::CloseChoices => {
            Allowed { house: true, ..from(Post::Dealer) }
        }
        Kind::PlaceWager | Kind::WithdrawWager | Kind::AskSqueeze | Kind::Choose | Kind::OpenDispute => {
            Allowed { patron: true, ..from(Post::Dealer) }
        }
        Kind::RecordChips
        | Kind::RejectExcess
        | Kind::GrantSqueeze
        | Kind::ReadCard
        | Kind::TurnCards
        | Kind::ConfirmCards
        | Kind::ConfirmResult
        | Kind::Rule
        | Kind::Drop => from(Post::Dealer),
        Kind::BuyCredits | Kind::PayUnclaimed => Allowed { cashier: true, ..NOBODY },
        Kind::RedeemTicket | Kind::CashOut => Allowed { patron: true, cashier: true, ..NOBODY },
        Kind::Collect => Allowed { cashier: true, ..from(Post::Dealer) },
        Kind::KeepUnclaimed => Allowed { cashier: true, ..from(Post::PitSupervisor) },
        Kind::OpenFloat | Kind::CloseFloat | Kind::Fill | Kind::Credit => from(Post::PitSupervisor),
        Kind::BundleDispute => from(Post::PitSupervisor),
        Kind::CloseDispute => from(Post::ShiftManager),
        Kind::TakePost | Kind::LeavePost => Allowed { administrator: true, ..from(Post::Dealer) },
        Kind::StartShift => from(Post::PitManager),
    }
}

/// Whether an order must come from a Pit Employee: Dealer to Pit Manager, not above (1.15, 5.17/5.16).
const fn is_on_behalf(kind: CommandKind) -> bool {
    matches!(kind, CommandKind::PlaceWager | CommandKind::WithdrawWager)
}

/// The gate, for one kind of order given by one actor now.
///
/// # Errors
/// The first reason why no order of this kind can be carried out.
pub fn gate(state: &State, law: Option<&Law>, kind: CommandKind, by: &Actor) -> Result<(), Rejection> {
    person(state, law, kind, by)?;
    means(law, kind, by)?;
    moment(state, law, kind)
}

/// Whether the table is open at all and the order is for this person to give.
pub(crate) fn person(
    state: &State,
    law: Option<&Law>,
    kind: CommandKind,
    by: &Actor,
) -> Result<(), Rejection> {
    if kind == CommandKind::OpenTable {
        return match state.phase {
            Phase::Closed => permit(kind, by, None),
            Phase::Between { .. } | Phase::Round(_) => Err(Reason::TableOpen {}.into()),
        };
    }
    if state.phase == Phase::Closed {
        return Err(Reason::TableNotOpen {}.into());
    }
    let law = law.ok_or(Reason::RulebookUnreadable {})?;
    permit(kind, by, Some(law))?;
    if matches!(kind, CommandKind::RetireShoe | CommandKind::ExchangeShoe) {
        keeps_carried(state, law, by)?;
    }
    if let (CommandKind::Rule, Some(post)) = (kind, by.post()) {
        let held = state.round().map_or(&[][..], |round| round.matters());
        let least = held.iter().chain(&state.matters).map(|it| (decide::decides(law, it), it.kind)).min();
        if let Some((least, kind)) = least.filter(|(least, _)| post < *least) {
            return Err(Reason::NotPermitted { least: Some(least) }.under_some(law.cite(kind)));
        }
    }
    Ok(())
}

/// Whether the table is at the point for it.
pub(crate) fn moment(state: &State, law: Option<&Law>, kind: CommandKind) -> Result<(), Rejection> {
    let Some(law) = law.filter(|_| kind != CommandKind::OpenTable) else { return Ok(()) };
    // INTERPRETATION 21: an interrupted table takes nothing but the Dealer's word on the cards that are out.
    if let Some(round) = state.round()
        && let Stage::Interrupted { .. } = round.stage
        && !matches!(kind, CommandKind::ConfirmCards | CommandKind::NoteClock)
    {
        let cite = law.cite(IrregularityKind::TechnicalInterruption);
        return Err(Reason::TableInterrupted {}.under_some(cite));
    }
    point(state, law, kind)
}

/// A change of shoe discards carried cards (interpretation 24); that is not for a Dealer alone to do, unless the shoe is
/// due anyway.
fn keeps_carried(state: &State, law: &Law, by: &Actor) -> Result<(), Rejection> {
    let is_due = state.shoe.as_ref().is_none_or(|shoe| shoe.must_exchange.is_some() || shoe.cut_card_out);
    let waits_for_ruling = !state.carried_ruled && law.decides(&state.carried);
    let least = if waits_for_ruling { Post::ShiftManager } else { Post::PitSupervisor };
    if state.carried.is_empty() || is_due || by.post().is_none_or(|post| post >= least) {
        return Ok(());
    }
    let cite = law.cite(IrregularityKind::ExcessOrExposedCard);
    Err(Reason::NotPermitted { least: Some(least) }.under_some(cite))
}

fn permit(kind: CommandKind, by: &Actor, law: Option<&Law>) -> Result<(), Rejection> {
    let allowed = allowed(kind);
    let permitted = match by {
        Actor::Patron { .. } => allowed.patron,
        Actor::Staff { post, .. } => allowed.from.is_some_and(|least| *post >= least),
        Actor::Cashier { .. } => allowed.cashier,
        Actor::Auditor { .. } => false,
        Actor::Administrator { .. } => allowed.administrator,
        Actor::House => allowed.house,
    };
    let refuse = |cite: Option<&Cite>| Err(Reason::NotPermitted { least: allowed.from }.under_some(cite));
    if !permitted {
        return refuse(None);
    }
    if let Some(law) = law {
        narrow(kind, by, law)?;
    }
    if let (true, Some(post), Some(law)) = (is_on_behalf(kind), by.post(), law) {
        // INTERPRETATION 17: a Pit Employee may bet for a patron; where the game has no such paragraph, nobody may.
        let cite = law.rulebook.conduct.pit_employee_bets.as_ref();
        if cite.is_none() || !post.is_pit_employee() {
            return Err(Reason::NotPermitted { least: None }.under_some(cite));
        }
    }
    Ok(())
}

/// What depends on the table: whose word opens and closes bets, who handles cards and money.
fn narrow(kind: CommandKind, by: &Actor, law: &Law) -> Result<(), Rejection> {
    use CommandKind as Kind;
    let refuse = |least, cite: Option<&Cite>| Err(Reason::NotPermitted { least }.under_some(cite));
    let (dealer, play) = (Some(Post::Dealer), &law.rulebook.play);
    let software = law.settings.cards == Cards::Software;
    let is_house = by == &Actor::House;
    // INTERPRETATION 18: the clock closes electronic tables; at a live one the Dealer's word opens and closes.
    if is_house && !law.is_electronic() && kind == Kind::OpenBets {
        return refuse(dealer, play.open_bets.as_ref());
    }
    if is_house && !law.is_electronic() && kind == Kind::CloseBets {
        return refuse(dealer, play.close_bets.as_ref());
    }
    // Hands move real cards. A software shoe is a card reader inside the house; nobody else can know its cards.
    let moves_cards =
        matches!(kind, Kind::LoadShoe | Kind::ExchangeShoe | Kind::RetireShoe | Kind::BurnCards);
    if is_house && !software && moves_cards {
        return refuse(dealer, None);
    }
    if !is_house && software && kind == Kind::DrawCard {
        return refuse(None, None);
    }
    // Chips are collected at the table, credits by the Cashier.
    if kind == Kind::Collect && by.post().is_some() && law.settings.money == MoneyKind::Credits {
        return refuse(None, None);
    }
    Ok(())
}

/// Whether the table has what the order is about: its kind of money, the squeeze. Credits and chips have their own
/// orders; chips can only be moved by hand.
pub(crate) fn means(law: Option<&Law>, kind: CommandKind, by: &Actor) -> Result<(), Rejection> {
    use CommandKind as Kind;
    let Some(law) = law.filter(|_| kind != Kind::OpenTable) else { return Ok(()) };
    if matches!(kind, Kind::AskSqueeze | Kind::GrantSqueeze) && law.rulebook.squeeze.is_none() {
        return Err(Reason::WrongGame {}.into());
    }
    if matches!(kind, Kind::RecordChips | Kind::RejectExcess) && law.settings.limits != LimitsMode::Observed {
        return Err(Reason::WrongMoney {}.into());
    }
    let kept = match kind {
        Kind::BuyCredits | Kind::RedeemTicket | Kind::CashOut | Kind::KeepUnclaimed => {
            Some(MoneyKind::Credits)
        }
        Kind::OpenFloat | Kind::CloseFloat | Kind::Fill | Kind::Credit | Kind::Drop => Some(MoneyKind::Chips),
        Kind::RecordChips | Kind::RejectExcess | Kind::AmendWager => Some(MoneyKind::Chips),
        // A patron's own orders come from a terminal.
        Kind::PlaceWager | Kind::WithdrawWager if by.patron().is_some() => Some(MoneyKind::Credits),
        Kind::OpenTable
        | Kind::ChangeSettings
        | Kind::AnnounceClosing
        | Kind::CloseTable
        | Kind::LoadShoe
        | Kind::InspectCards
        | Kind::CutCards
        | Kind::BurnCards
        | Kind::RetireShoe
        | Kind::ExchangeShoe
        | Kind::ReconcileShoe
        | Kind::RevealShoe
        | Kind::RuleCarriedCards
        | Kind::OpenBets
        | Kind::CloseBets
        | Kind::PlaceWager
        | Kind::WithdrawWager
        | Kind::AskSqueeze
        | Kind::GrantSqueeze
        | Kind::DrawCard
        | Kind::ReadCard
        | Kind::TurnCards
        | Kind::ConfirmCards
        | Kind::ConfirmResult
        | Kind::Report
        | Kind::Rule
        | Kind::Choose
        | Kind::CloseChoices
        | Kind::Collect
        | Kind::PayUnclaimed
        | Kind::LoseTerminal
        | Kind::RestoreTerminal
        | Kind::OpenDispute
        | Kind::BundleDispute
        | Kind::CloseDispute
        | Kind::TakePost
        | Kind::LeavePost
        | Kind::StartShift
        | Kind::NoteClock => None,
    };
    match kept {
        Some(money) if money != law.settings.money => Err(Reason::WrongMoney {}.into()),
        Some(_) | None => Ok(()),
    }
}

fn point(state: &State, law: &Law, kind: CommandKind) -> Result<(), Rejection> {
    use CommandKind as Kind;
    match kind {
        Kind::OpenTable => unreachable!("looked at before"),
        Kind::ChangeSettings => {
            between(state)?;
            no_credits(state)?;
            if state.shoe.is_some() { Err(Reason::ShoeInUse {}.into()) } else { Ok(()) }
        }
        Kind::AnnounceClosing => match state.closing {
            Some(_) => Err(Reason::AlreadyAnnounced {}.into()),
            None => Ok(()),
        },
        Kind::CloseTable => close_table(state),
        Kind::LoadShoe => {
            between(state)?;
            if state.shoe.is_some() { Err(Reason::ShoeInUse {}.into()) } else { Ok(()) }
        }
        Kind::InspectCards | Kind::CutCards | Kind::BurnCards => {
            between(state)?;
            let shoe = state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
            let started = shoe.drawn + shoe.burnt > 0;
            if started { Err(Reason::ShoeStarted {}.into()) } else { Ok(()) }
        }
        Kind::RetireShoe => {
            between(state)?;
            no_card_waits(state)?;
            state.shoe.as_ref().map(|_| ()).ok_or(Reason::NoShoe {}.into())
        }
        Kind::ExchangeShoe => {
            if !state.round().is_some_and(|round| round.shoe_awaited) {
                between(state)?;
                no_card_waits(state)?;
            }
            state.shoe.as_ref().map(|_| ()).ok_or(Reason::NoShoe {}.into())
        }
        Kind::ReconcileShoe => match state.retired.iter().any(|shoe| !shoe.reconciled) {
            true => Ok(()),
            false => Err(Reason::NoSuchShoe {}.into()),
        },
        Kind::RevealShoe => match state.retired.iter().any(|shoe| shoe.commitment.is_some()) {
            true => Ok(()),
            false => Err(Reason::NoSuchShoe {}.into()),
        },
        Kind::RuleCarriedCards => {
            between(state)?;
            let waits = !state.carried.is_empty() && !state.carried_ruled;
            if waits { Ok(()) } else { Err(Reason::NoCarriedCards {}.into()) }
        }
        Kind::OpenBets => open_bets(state, law),
        Kind::CloseBets | Kind::PlaceWager | Kind::WithdrawWager | Kind::RecordChips | Kind::RejectExcess => {
            betting(state, law)
        }
        Kind::AmendWager => {
            let round = state.round().ok_or(Reason::NoRound {})?;
            match &round.stage {
                Stage::Betting { .. } => Err(Reason::BetsOpen {}.into()),
                Stage::Dealing {} if round.drawn.iter().all(|dealt| dealt.carried) => Ok(()),
                Stage::Dealing {}
                | Stage::Unread {}
                | Stage::Held { .. }
                | Stage::Choosing { .. }
                | Stage::Confirming { .. }
                | Stage::Interrupted { .. } => Err(Reason::CardsOut {}.into()),
            }
        }
        Kind::AskSqueeze | Kind::GrantSqueeze => dealing(state),
        Kind::DrawCard => {
            let shoe = state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
            if let Some(round) = state.round() {
                if round.shoe_awaited {
                    return Err(Reason::ShoeAwaited {}.into());
                }
                if let Stage::Unread {} = round.stage {
                    return Err(Reason::CardUnread {}.into());
                }
            } else if shoe.left() == 0 {
                return Err(Reason::TooFewCards { left: 0 }.into());
            }
            Ok(())
        }
        Kind::ReadCard => match state.round().map(|round| &round.stage) {
            Some(Stage::Unread {}) => Ok(()),
            Some(
                Stage::Betting { .. }
                | Stage::Dealing {}
                | Stage::Held { .. }
                | Stage::Choosing { .. }
                | Stage::Confirming { .. }
                | Stage::Interrupted { .. },
            )
            | None => Err(Reason::NoCardUnread {}.into()),
        },
        Kind::TurnCards => {
            let round = state.round().ok_or(Reason::NoRound {})?;
            if round.has_covered() { Ok(()) } else { Err(Reason::NotFaceDown {}.into()) }
        }
        Kind::ConfirmCards => match state.round().map(|round| &round.stage) {
            Some(Stage::Interrupted { .. }) => Ok(()),
            Some(
                Stage::Betting { .. }
                | Stage::Dealing {}
                | Stage::Unread {}
                | Stage::Held { .. }
                | Stage::Choosing { .. }
                | Stage::Confirming { .. },
            )
            | None => Err(Reason::NotInterrupted {}.into()),
        },
        Kind::ConfirmResult => confirm_result(state),
        Kind::Rule => {
            let held = state.round().is_some_and(|round| !round.matters().is_empty());
            if held || !state.matters.is_empty() { Ok(()) } else { Err(Reason::NoSuchMatter {}.into()) }
        }
        Kind::Choose | Kind::CloseChoices => match state.round().map(|round| &round.stage) {
            Some(Stage::Choosing { .. }) => Ok(()),
            Some(Stage::Held { matters, .. }) => Err(pending(matters)),
            Some(
                Stage::Betting { .. }
                | Stage::Dealing {}
                | Stage::Unread {}
                | Stage::Confirming { .. }
                | Stage::Interrupted { .. },
            )
            | None => Err(Reason::NoChoicePending {}.into()),
        },
        Kind::CashOut | Kind::KeepUnclaimed | Kind::PayUnclaimed => correction_pending(state, law),
        Kind::OpenFloat => match state.float {
            Some(_) => Err(Reason::FloatOpen {}.into()),
            None => Ok(()),
        },
        Kind::CloseFloat => {
            between(state)?;
            nothing_held(state)?;
            float_open(state)
        }
        Kind::Fill | Kind::Credit | Kind::Drop => float_open(state),
        Kind::BundleDispute | Kind::CloseDispute => match state.disputes.is_empty() {
            true => Err(Reason::NoSuchDispute {}.into()),
            false => Ok(()),
        },
        Kind::Collect if law.settings.money == MoneyKind::Chips => float_open(state),
        Kind::Report
        | Kind::BuyCredits
        | Kind::RedeemTicket
        | Kind::Collect
        | Kind::LoseTerminal
        | Kind::RestoreTerminal
        | Kind::OpenDispute
        | Kind::TakePost
        | Kind::LeavePost
        | Kind::StartShift
        | Kind::NoteClock => Ok(()),
    }
}

/// A Round is held by some matter; the first is to be ruled.
fn pending(matters: &[Matter]) -> Rejection {
    let first = matters.first().expect("a Round is held only while a matter is open");
    Reason::RulingPending { matter: first.no }.into()
}

fn between(state: &State) -> Result<(), Rejection> {
    match state.round() {
        Some(round) => Err(Reason::RoundOpen { round: round.no }.into()),
        None => Ok(()),
    }
}

fn no_credits(state: &State) -> Result<(), Rejection> {
    match state.accounts.iter().find(|(_, account)| !account.credits.is_zero()) {
        Some((patron, _)) => Err(Reason::CreditsStand { patron: *patron }.into()),
        None => Ok(()),
    }
}

fn float_open(state: &State) -> Result<(), Rejection> {
    state.float.map(|_| ()).ok_or(Reason::FloatNotOpen {}.into())
}

/// A card that is out of the shoe and waits for a ruling keeps its shoe here.
fn no_card_waits(state: &State) -> Result<(), Rejection> {
    let waits = |it: &&Matter| it.holds && it.kind == IrregularityKind::ExcessOrExposedCard;
    match state.matters.iter().find(waits) {
        Some(matter) => Err(Reason::RulingPending { matter: matter.no }.into()),
        None => Ok(()),
    }
}

/// A matter that was noticed in time must be ruled before the next Round commences.
fn nothing_held(state: &State) -> Result<(), Rejection> {
    match state.matters.iter().find(|matter| matter.holds) {
        Some(matter) => Err(Reason::RulingPending { matter: matter.no }.into()),
        None => Ok(()),
    }
}

// INTERPRETATION 28: cash-out waits while a correction is pending.
fn correction_pending(state: &State, law: &Law) -> Result<(), Rejection> {
    let pending = state.matters.iter().find(|matter| {
        matches!(matter.kind, IrregularityKind::WrongResult | IrregularityKind::WrongNumberOfCards)
    });
    match pending {
        Some(matter) => {
            Err(Reason::CorrectionPending { matter: matter.no }.under_some(law.cite(matter.kind)))
        }
        None => Ok(()),
    }
}

fn close_table(state: &State) -> Result<(), Rejection> {
    between(state)?;
    nothing_held(state)?;
    if state.rounds > state.rounds_before {
        let last = state.closing.ok_or(Reason::ClosingNotAnnounced {})?;
        if state.rounds < last {
            return Err(Reason::LastRoundToPlay { round: last }.into());
        }
    }
    no_credits(state)?;
    if state.float.is_some() {
        return Err(Reason::FloatOpen {}.into());
    }
    if state.shoe.is_some() { Err(Reason::ShoeInUse {}.into()) } else { Ok(()) }
}

fn open_bets(state: &State, law: &Law) -> Result<(), Rejection> {
    between(state)?;
    nothing_held(state)?;
    if state.closing.is_some_and(|last| state.rounds >= last) {
        return Err(Reason::LastRoundPlayed {}.into());
    }
    if law.settings.money == MoneyKind::Chips {
        float_open(state)?;
    }
    let shoe = state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
    if let Some(cite) = &shoe.must_exchange {
        return Err(Reason::MustExchange {}.under(cite));
    }
    if !shoe.shuffled {
        return Err(Reason::NotShuffled {}.under_some(law.cite(IrregularityKind::NotShuffled)));
    }
    if shoe.burnt == 0 && shoe.drawn == 0 && law.burn(None) > 0 {
        return Err(Reason::NotBurnt { count: law.burn(None) }.into());
    }
    if shoe.cut_card_out {
        return Err(Reason::CutCardOut {}.into());
    }
    let left = shoe.left() + state.carried.len() as u16;
    if left < 4 {
        return Err(Reason::TooFewCards { left }.under_some(law.cite(IrregularityKind::ShoeExhausted)));
    }
    // INTERPRETATION 24: where carried cards alone establish a bet, opening waits for the Shift Manager.
    if !state.carried.is_empty() && !state.carried_ruled && law.decides(&state.carried) {
        return Err(Reason::CarriedCardsDecide {}.under_some(law.cite(IrregularityKind::Uncovered)));
    }
    Ok(())
}

fn betting(state: &State, law: &Law) -> Result<(), Rejection> {
    let round = state.round().ok_or(Reason::BetsNotOpen {})?;
    match &round.stage {
        Stage::Betting { .. } => Ok(()),
        Stage::Held { closes_at: Some(_), matters, .. } => Err(pending(matters)),
        // Planted: while the first cards come.
        Stage::Dealing {} if is(Bug::BetAfterClose) => Ok(()),
        Stage::Dealing {}
        | Stage::Unread {}
        | Stage::Held { .. }
        | Stage::Choosing { .. }
        | Stage::Confirming { .. }
        | Stage::Interrupted { .. } => {
            Err(Reason::BetsClosed {}.under_some(law.cite(IrregularityKind::LateBet)))
        }
    }
}

fn dealing(state: &State) -> Result<(), Rejection> {
    let round = state.round().ok_or(Reason::NoRound {})?;
    match &round.stage {
        Stage::Dealing {} => Ok(()),
        Stage::Betting { .. } => Err(Reason::BetsOpen {}.into()),
        Stage::Unread {} => Err(Reason::CardUnread {}.into()),
        Stage::Held { matters, .. } => Err(pending(matters)),
        Stage::Choosing { .. } => Err(Reason::ChoicePending {}.into()),
        Stage::Confirming { .. } | Stage::Interrupted { .. } => Err(Reason::CardNotYet {}.into()),
    }
}

fn confirm_result(state: &State) -> Result<(), Rejection> {
    let round = state.round().ok_or(Reason::NoRound {})?;
    match &round.stage {
        Stage::Confirming { .. } if round.has_covered() => Err(Reason::CardsCovered {}.into()),
        Stage::Confirming { .. } => Ok(()),
        Stage::Betting { .. } => Err(Reason::BetsOpen {}.into()),
        Stage::Unread {} => Err(Reason::CardUnread {}.into()),
        // INTERPRETATION 19: nothing settles while an irregularity is open.
        Stage::Held { matters, .. } => Err(pending(matters)),
        Stage::Choosing { .. } => Err(Reason::ChoicePending {}.into()),
        Stage::Dealing {} | Stage::Interrupted { .. } => Err(Reason::RoundIncomplete {}.into()),
    }
}
