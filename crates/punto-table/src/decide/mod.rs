//! Orders become events. One file for each part of a table's life.

mod acceptor;
mod adjust;
mod amend;
mod approved;
mod bets;
mod cards;
mod choices;
mod claims;
mod clause;
mod correction;
mod credits;
mod disputes;
mod float;
mod held;
mod interruption;
mod keyed;
mod limits;
mod number;
mod order;
mod people;
mod report;
mod reportable;
mod rule;
mod seats;
mod second;
mod settle;
mod shoe;
mod table;
mod void;
mod wager;

use punto_record::{Command, Event, MoneyKind, Order, Person, Reason, Rejection, Whose};
use punto_rules::Cite;

use crate::draft::Draft;
use crate::gate;
use crate::law::Law;
use crate::state::State;
use crate::table::{Given, Rules};

pub(crate) use cards::is_theirs;
pub(crate) use claims::{Hold, hold, is_running, payable};
pub(crate) use clause::{clause, decides, decides_in_time};
pub(crate) use interruption::not_alone;
pub(crate) use limits::{noticed, odd, outside};
pub(crate) use number::{discretion, proposed};
pub(crate) use order::{as_they_lie, open};
pub(crate) use reportable::reportable;
pub(crate) use rule::rulings;
pub(crate) use second::may_take_two;
pub(crate) use table::{open_table, waits_for_last};

type Decided = Result<(), Rejection>;

/// Decides what comes by the thousand and is one event: wagers, terminals that go and come. `None` for everything else.
pub(crate) fn direct(state: &State, law: &Law, order: &Order) -> Option<Result<Vec<Event>, Rejection>> {
    wager::wager(state, law, order).or_else(|| people::terminal(state, law, order))
}

/// Chips and credits do not move in a house on one person's word; and whoever is named is another one.
fn two_people(order: &Order, given: &Given) -> Decided {
    if !gate::takes_two(order.command.kind(), &order.by) {
        return Ok(());
    }
    let is_house = matches!(given.rules, Rules::Approved(_));
    let other = |it: &Person| Some(it) != order.by.person() && !it.as_str().trim().is_empty();
    match order.command.second() {
        Some(second) if other(second) => Ok(()),
        None if !is_house => Ok(()),
        Some(_) | None => Err(Reason::SecondPersonNeeded {}.into()),
    }
}

pub(crate) fn decide(mut draft: Draft<'_>, order: &Order, given: &Given) -> Result<Vec<Event>, Rejection> {
    two_people(order, given)?;
    let it = &mut draft;
    match &order.command {
        Command::OpenTable { settings, rulebook, second } => {
            table::open_again(it, settings, rulebook, second.as_ref(), given)
        }
        Command::ChangeSettings { settings, rulebook, second } => {
            table::change_settings(it, settings, rulebook, second.as_ref(), given)
        }
        Command::ChangeLimits { betting_box, bets, other_bets } => {
            table::change_limits(it, *betting_box, bets, *other_bets)
        }
        Command::AnnounceClosing {} => table::announce_closing(it),
        Command::CloseTable {} => table::close(it),

        Command::LoadShoe { card_set, shuffled_by, commitment } => {
            shoe::load(it, card_set, shuffled_by.as_ref(), *commitment)
        }
        Command::InspectCards { missing, extra } => shoe::inspect(it, missing, extra),
        Command::CutCards { at } => shoe::cut(it, *at),
        Command::BurnCards { shown, count } => shoe::burn(it, *shown, *count),
        Command::RetireShoe { reason } => shoe::retire(it, reason),
        Command::ExchangeShoe { card_set, shuffled_by, commitment, reason } => {
            shoe::exchange(it, card_set, shuffled_by.as_ref(), *commitment, reason)
        }
        Command::ReconcileShoe { shoe, left, discarded } => shoe::reconcile(it, *shoe, left, discarded),
        Command::RevealShoe { shoe, salt, cards } => shoe::reveal(it, *shoe, salt, cards),
        Command::RuleCarriedCards { keep, reason } => shoe::rule_carried(it, *keep, reason),

        Command::OpenBets {} => bets::open(it, given),
        Command::CloseBets {} => bets::close_by(it),
        Command::PlaceWager { .. }
        | Command::WithdrawWager { .. }
        | Command::LoseTerminal { .. }
        | Command::RestoreTerminal { .. } => unreachable!("decided without a draft"),
        Command::RecordChips { patron, box_no, stance, bet, stake } => {
            bets::record_chips(it, *patron, *box_no, *stance, bet, *stake)
        }
        Command::RejectExcess { box_no } => limits::reject_excess(it, *box_no),
        Command::Advise { patron, box_no, bet } => limits::advise(it, *patron, *box_no, bet),
        Command::AmendWager {
            patron,
            box_no,
            stance,
            bet,
            stake,
            reason,
            surveillance,
            second,
            second_post: _,
        } => {
            let chips =
                amend::Chips { patron: *patron, box_no: *box_no, stance: *stance, bet, stake: *stake };
            amend::amend(it, &chips, reason, surveillance.as_ref(), second.as_ref())
        }

        Command::AskSqueeze { patron, card } => cards::ask_squeeze(it, *patron, *card),
        Command::HandCards { side, patron } => cards::hand(it, *side, *patron),
        Command::GrantSqueeze { patron, card, grant } => cards::grant_squeeze(it, *patron, *card, *grant),
        Command::DrawCard { card, source, to } => cards::draw(it, card, *source, *to),
        Command::ReadCard { card } => cards::read(it, card),
        Command::CorrectCard { at, was, card } => keyed::correct(it, *at, *was, *card),
        Command::TurnCards { cards } => cards::turn(it, cards),
        Command::ConfirmCards { cards, second } => interruption::confirm_cards(it, cards, second.as_ref()),
        Command::ConfirmResult {} => settle::confirm(it),

        Command::Report { report } => report::report(it, report),
        Command::Rule { matter, ruling, replace_shoe, reason, second, second_post: _, departs } => {
            rule::rule(it, *matter, ruling, *replace_shoe, reason, second.as_ref(), *departs)
        }
        Command::Choose { patron, choice } => choices::choose(it, *patron, *choice),
        Command::CloseChoices {} => choices::close(it),

        Command::BuyCredits { patron, amount } => credits::buy(it, *patron, *amount),
        Command::AcceptNote { patron, amount } => acceptor::accept(it, *patron, *amount),
        Command::ReportCase { patron, report } => acceptor::report(it, *patron, report),
        Command::SettleCase { case, outcome, reason, second } => {
            acceptor::settle(it, *case, outcome, reason, second.as_ref())
        }
        Command::EmptyAcceptor { acceptor, second } => acceptor::empty(it, acceptor, second.as_ref()),
        Command::CountAcceptor { drop, counted, second } => {
            acceptor::count(it, *drop, *counted, second.as_ref())
        }
        Command::RedeemTicket { patron, ticket } => credits::redeem(it, *patron, ticket, given),
        Command::CashOut { patron, second: _ } => credits::cash_out(it, *patron, given),
        Command::Collect { patron, amount, second: _ } => credits::collect(it, *patron, *amount),
        Command::RecordPush { round, patron, counted, surveillance, second, second_post: _ } => {
            adjust::record_push(it, *round, *patron, *counted, surveillance, second.as_ref())
        }
        Command::HoldPayout { patron, reference } => held::order(it, *patron, reference),
        Command::DecideHeld { slip, outcome, reference, second, second_post: _ } => {
            held::decide(it, *slip, *outcome, reference, second.as_ref())
        }
        Command::ExtendHold { matter, reason } => claims::extend(it, *matter, reason),
        Command::KeepUnclaimed { patron, attendant } => {
            credits::keep_unclaimed(it, *patron, attendant.as_ref())
        }
        Command::ReviewSetAside { slip, reason } => credits::review(it, *slip, reason),
        Command::PayUnclaimed { patron, amount, second: _ } => credits::pay_unclaimed(it, *patron, *amount),

        Command::OpenFloat { amount, second: _ } => float::open(it, *amount),
        Command::CloseFloat { counted, second: _ } => float::close(it, *counted),
        Command::Fill { amount, slip, second: _ } => float::fill(it, *amount, slip),
        Command::Credit { amount, slip, second: _ } => float::credit(it, *amount, slip),
        Command::CoverFloat { cause } => float::cover(it, *cause),
        Command::UncoverFloat { second } => float::uncover(it, second.as_ref()),
        Command::Drop { amount, second: _ } => float::drop(it, *amount),

        Command::OpenDispute { round, patron, words, about, box_no } => {
            disputes::open(it, *round, *patron, words, (*about, *box_no))
        }
        Command::BundleDispute { dispute, digest } => disputes::bundle(it, *dispute, *digest),
        Command::SeeDispute { dispute, surveillance } => disputes::see(it, *dispute, surveillance.as_ref()),
        Command::CloseDispute { dispute, words, matter } => disputes::close(it, *dispute, words, *matter),
        Command::TakeSeat { patron, box_no } => seats::take(it, *patron, *box_no),
        Command::LeaveSeat { box_no } => seats::leave(it, *box_no),
        Command::TakePost { person, post } => people::take_post(it, person, *post),
        Command::LeavePost { person, post } => people::leave_post(it, person, *post),
        Command::StartShift { name } => people::start_shift(it, name),
        Command::NoteClock { from, to } => people::note_clock(it, *from, *to),
    }?;
    Ok(draft.finish())
}

/// A patron orders for nobody else, and nobody withdraws or chooses for a patron whose terminal can be reached.
// INTERPRETATION 42: where bets are credits, every patron has a terminal.
pub(crate) fn is_own(state: &State, law: Option<&Law>, order: &Order) -> Decided {
    let facts = order.command.kind().facts();
    let concerned = order.command.patron().filter(|_| facts.by.patron || facts.by.acceptor);
    match order.by.patron() {
        Some(patron) if concerned != Some(patron) => return Err(Reason::NotYours {}.into()),
        Some(_) => return Ok(()),
        None => {}
    }
    let has_terminals = law.is_some_and(|law| law.settings.money == MoneyKind::Credits);
    let is_lost = concerned.and_then(|patron| state.account(patron)).is_some_and(|account| account.lost);
    if facts.whose == Whose::Patrons && has_terminals && !is_lost {
        return Err(Reason::PatronsOwn {}.under(&Cite::interpretation(42)));
    }
    Ok(())
}

/// A wager names its Round, so that a late retry can never land in the next one; other orders may.
pub(crate) fn names_its_round(state: &State, order: &Order) -> Decided {
    let current = state.round().map(|round| round.no);
    match order.round {
        None if order.command.kind().facts().names_its_round => Err(Reason::RoundMissing {}.into()),
        // A wager for the Round that has just ended is told that bets are not open, not that it is lost.
        Some(round) if current.unwrap_or(state.rounds) != round => Err(Reason::WrongRound { current }.into()),
        Some(_) | None => Ok(()),
    }
}

/// A reason in words.
fn has_reason(reason: &str) -> Decided {
    if reason.trim().is_empty() { Err(Reason::NoReason {}.into()) } else { Ok(()) }
}
