//! Whether the table is at the point for an order: what must be over, open or there before it.

use punto_record::planted::{Bug, is};
use punto_record::{CommandKind, MoneyKind, Point, Reason, Rejection, RoundNo, Waiting};
use punto_rules::{Cite, IrregularityKind};

use crate::decide;
use crate::law::Law;
use crate::round::{Matter, Round, Stage};
use crate::state::State;

/// Checks that the table is at the point where an order of this kind is declared to be possible, and what else it takes.
pub(super) fn point(state: &State, law: &Law, kind: CommandKind) -> Result<(), Rejection> {
    match kind.facts().at {
        Point::Closed => unreachable!("looked at before"),
        Point::Open | Point::Own => {}
        Point::Between => between(state)?,
        Point::Bets => betting(state, law)?,
        Point::Cards => dealing(state)?,
        Point::Choices => choosing(state)?,
        Point::Waits(waiting) => waits(state, waiting)?,
        Point::Float if law.settings.money == MoneyKind::Chips => float_open(state)?,
        Point::Float => {}
    }
    beyond(state, law, kind)
}

/// What an order takes beyond its declared point.
#[expect(clippy::wildcard_enum_match_arm, reason = "most orders take nothing else")]
fn beyond(state: &State, law: &Law, kind: CommandKind) -> Result<(), Rejection> {
    use CommandKind as Kind;
    match kind {
        Kind::ChangeSettings => {
            no_credits(state)?;
            if state.shoe.is_some() { Err(Reason::ShoeInUse {}.into()) } else { Ok(()) }
        }
        Kind::AnnounceClosing => match state.closing {
            Some(_) => Err(Reason::AlreadyAnnounced {}.into()),
            None => Ok(()),
        },
        Kind::CloseTable => close_table(state),
        Kind::LoadShoe if state.shoe.is_some() => Err(Reason::ShoeInUse {}.into()),
        Kind::InspectCards | Kind::CutCards | Kind::BurnCards => {
            let shoe = state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
            let started = shoe.drawn + shoe.burnt > 0;
            if started { Err(Reason::ShoeStarted {}.into()) } else { Ok(()) }
        }
        Kind::RetireShoe => {
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
        Kind::RuleCarriedCards => {
            // INTERPRETATION 36: cards that decide no bet are used; nobody throws them away.
            let waits = !state.carried_ruled && law.decides(&state.carried);
            if waits { Ok(()) } else { Err(Reason::NoCarriedCards {}.into()) }
        }
        Kind::OpenBets => open_bets(state, law),
        Kind::CloseBets => nothing_noticed(state, law),
        Kind::AmendWager => amend_wager(state),
        Kind::DrawCard => draw_card(state),
        Kind::CorrectCard => correct_card(state),
        Kind::TurnCards => {
            let round = state.round().ok_or(Reason::NoRound {})?;
            if round.has_covered() { Ok(()) } else { Err(Reason::NotFaceDown {}.into()) }
        }
        Kind::ConfirmResult => confirm_result(state),
        Kind::HoldPayout => hold_payout(state),
        Kind::CoverFloat if state.float_covered => Err(Reason::FloatCovered {}.into()),
        Kind::UncoverFloat if !state.float_covered => Err(Reason::FloatNotCovered {}.into()),
        Kind::OpenFloat if state.float.is_some() => Err(Reason::FloatOpen {}.into()),
        Kind::CloseFloat => {
            nothing_held(state)?;
            nothing_undecided(state)?;
            float_open(state)
        }
        Kind::RecordPush if state.rounds == RoundNo(0) => Err(Reason::NoSuchRound {}.into()),
        Kind::RecordPush => float_open(state),
        _ => Ok(()),
    }
}

/// Whether what the order answers is there.
fn waits(state: &State, waiting: Waiting) -> Result<(), Rejection> {
    let (is_there, reason) = match waiting {
        Waiting::Matter => {
            let held = state.round().is_some_and(|round| !round.matters().is_empty());
            (held || !state.matters.is_empty(), Reason::NoSuchMatter {})
        }
        Waiting::Hold => (decide::is_running(state), Reason::NoHold {}),
        Waiting::HeldPayout => (!state.held_payouts.is_empty(), Reason::NoSuchHeld {}),
        Waiting::Case => (!state.cases.is_empty(), Reason::NoSuchCase {}),
        Waiting::Acceptor => (!state.acceptors.is_empty(), Reason::NoSuchAcceptor {}),
        Waiting::DropBox => (!state.drops.is_empty(), Reason::NoSuchDrop {}),
        Waiting::SetAside => (!state.set_aside.is_empty(), Reason::NoSuchSlip {}),
        Waiting::Dispute => (!state.disputes.is_empty(), Reason::NoSuchDispute {}),
        Waiting::UnreconciledShoe => {
            (state.retired.iter().any(|shoe| !shoe.reconciled), Reason::NoSuchShoe {})
        }
        Waiting::UnrevealedShoe => {
            (state.retired.iter().any(|shoe| shoe.commitment.is_some()), Reason::NoSuchShoe {})
        }
        Waiting::UnreadCard => {
            let unread = matches!(state.round().map(|round| &round.stage), Some(Stage::Unread {}));
            (unread, Reason::NoCardUnread {})
        }
        Waiting::CardsToConfirm => {
            let round = state.round().filter(|round| matches!(round.stage, Stage::Interrupted { .. }));
            if let Some(matter) = round.and_then(Round::disputed) {
                return Err(Reason::RulingPending { matter: matter.no }.into());
            }
            (round.is_some(), Reason::NotInterrupted {})
        }
    };
    if is_there { Ok(()) } else { Err(reason.into()) }
}

fn choosing(state: &State) -> Result<(), Rejection> {
    match state.round().map(|round| &round.stage) {
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
    }
}

fn amend_wager(state: &State) -> Result<(), Rejection> {
    let Some(round) = state.round() else {
        // INTERPRETATION 51: until the next Round commences.
        let settled = state.last().is_some_and(|last| last.result.is_some());
        return if settled { float_open(state) } else { Err(Reason::NoRound {}.into()) };
    };
    match &round.stage {
        Stage::Betting { .. } => Err(Reason::BetsOpen {}.into()),
        Stage::Dealing {} | Stage::Unread {} | Stage::Confirming { .. } => Ok(()),
        Stage::Choosing { .. } => Err(Reason::ChoicePending {}.into()),
        Stage::Held { matters, .. } => Err(pending(matters)),
        Stage::Interrupted { .. } => Err(Reason::TableInterrupted {}.into()),
    }
}

fn draw_card(state: &State) -> Result<(), Rejection> {
    let shoe = state.shoe.as_ref().ok_or(Reason::NoShoe {})?;
    let Some(round) = state.round() else {
        return if shoe.left() == 0 { Err(Reason::TooFewCards { left: 0 }.into()) } else { Ok(()) };
    };
    if round.shoe_awaited {
        return Err(Reason::ShoeAwaited {}.into());
    }
    if round.stage == (Stage::Unread {}) { Err(Reason::CardUnread {}.into()) } else { Ok(()) }
}

/// A Round is held by some matter; the first is to be ruled.
fn pending(matters: &[Matter]) -> Rejection {
    let first = matters.first().expect("a Round is held only while a matter is open");
    Reason::RulingPending { matter: first.no }.into()
}

/// A bet binds once bets are closed, and what it gave is at the table until the next Round commences.
fn hold_payout(state: &State) -> Result<(), Rejection> {
    let Some(round) = state.round() else {
        let settled = state.last().is_some_and(|last| last.result.is_some());
        return if settled { Ok(()) } else { Err(Reason::NoRound {}.into()) };
    };
    match &round.stage {
        Stage::Betting { .. } | Stage::Held { closes_at: Some(_), .. } => Err(Reason::BetsOpen {}.into()),
        Stage::Dealing {}
        | Stage::Unread {}
        | Stage::Held { closes_at: None, .. }
        | Stage::Choosing { .. }
        | Stage::Confirming { .. }
        | Stage::Interrupted { .. } => Ok(()),
    }
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

/// Cases are settled and boxes are taken out of acceptors while the table is open. What was taken out is in transit under
/// its number and may be counted later.
// INTERPRETATION 41: money at a terminal never outlives its table, and a patron's case is settled while people are there.
pub(crate) fn nothing_in_acceptors(state: &State) -> Result<(), Rejection> {
    let cite = Cite::interpretation(41);
    if let Some(case) = state.cases.keys().next() {
        return Err(Reason::CaseOpen { case: *case }.under(&cite));
    }
    match state.acceptors.keys().next() {
        Some(acceptor) => Err(Reason::AcceptorHolds { acceptor: acceptor.clone() }.under(&cite)),
        None => Ok(()),
    }
}

fn float_open(state: &State) -> Result<(), Rejection> {
    state.float.map(|_| ()).ok_or(Reason::FloatNotOpen {}.into())
}

/// A card that is out of the shoe and waits for a ruling keeps its shoe here.
fn no_card_waits(state: &State) -> Result<(), Rejection> {
    match state.matters.iter().find(|matter| matter.exposed().is_some()) {
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

/// Where an earlier Round stands once the next has commenced (5.6), what was disputed in time is decided before.
// INTERPRETATION 43: elsewhere it only has to be seen, see `decide/disputes.rs`.
fn nothing_undecided(state: &State) -> Result<(), Rejection> {
    match state.undecided() {
        Some(dispute) => Err(Reason::DisputeUndecided { dispute }.under(&Cite::interpretation(43))),
        None => Ok(()),
    }
}

fn close_table(state: &State) -> Result<(), Rejection> {
    nothing_held(state)?;
    nothing_undecided(state)?;
    // Whether the last Round is still to be played is decided with the register of the house at hand (`waits_for_last` in `decide/table.rs`).
    if state.rounds > state.rounds_before && state.closing.is_none() {
        return Err(Reason::ClosingNotAnnounced {}.into());
    }
    no_credits(state)?;
    nothing_in_acceptors(state)?;
    if state.float.is_some() {
        return Err(Reason::FloatOpen {}.into());
    }
    if state.shoe.is_some() { Err(Reason::ShoeInUse {}.into()) } else { Ok(()) }
}

fn open_bets(state: &State, law: &Law) -> Result<(), Rejection> {
    nothing_held(state)?;
    nothing_undecided(state)?;
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
    if law.burn_due(shoe) {
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
    if !state.carried_ruled && law.decides(&state.carried) {
        return Err(Reason::CarriedCardsDecide {}.under(&Cite::interpretation(24)));
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

/// What breaks a limit and was shown to the Dealer is dealt with before bets close.
// INTERPRETATION 49: a flag is notice.
fn nothing_noticed(state: &State, law: &Law) -> Result<(), Rejection> {
    match state.round().and_then(|round| decide::noticed(law, &round.wagers)) {
        Some((box_no, cite)) => Err(Reason::LimitBroken { box_no }.under(&cite)),
        None => Ok(()),
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

/// A card that was keyed wrongly is said anew while nothing waits for anybody's decision.
fn correct_card(state: &State) -> Result<(), Rejection> {
    let round = state.round().ok_or(Reason::NoRound {})?;
    match &round.stage {
        Stage::Dealing {} | Stage::Confirming { .. } => {}
        Stage::Betting { .. } => return Err(Reason::BetsOpen {}.into()),
        Stage::Unread {} => return Err(Reason::CardUnread {}.into()),
        Stage::Held { matters, .. } => return Err(pending(matters)),
        Stage::Choosing { .. } => return Err(Reason::ChoicePending {}.into()),
        Stage::Interrupted { .. } => return Err(Reason::TableInterrupted {}.into()),
    }
    if round.correctable().next().is_some() { Ok(()) } else { Err(Reason::NotKeyed {}.into()) }
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
