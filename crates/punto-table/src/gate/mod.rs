//! What stands before every order: who may give it, and whether the table is at the point for it.
//!
//! [`Table::decide`](crate::Table::decide) and the orders that a view offers go through the same gate, so a screen never
//! offers what would be refused for the person or the moment.

mod point;

use punto_record::{
    Actor, Cards, CommandKind, Equipment, LimitsMode, MoneyKind, PostsBy, Reason, Rejection, SecondPerson,
    Whose,
};
use punto_rules::{Cite, IrregularityKind, Post};

use crate::decide;
use crate::law::Law;
use crate::round::{Round, Stage};
use crate::state::{Phase, State};
pub(crate) use point::nothing_in_acceptors;
use point::point;

/// Whether an order takes a second person in a house.
pub fn takes_two(kind: CommandKind, by: &Actor) -> bool {
    match kind.facts().second {
        SecondPerson::No => false,
        SecondPerson::InAHouse => true,
        SecondPerson::FromCashiers => matches!(by, Actor::Cashier { .. }),
    }
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
    // INTERPRETATION 41: the count team comes later; a box that is out is counted when the table is closed too.
    let is_count = kind == CommandKind::CountAcceptor && law.is_some();
    if state.phase == Phase::Closed && !is_count {
        return Err(Reason::TableNotOpen {}.into());
    }
    let law = law.ok_or(Reason::RulebookUnreadable {})?;
    permit(kind, by, Some(law))?;
    if matches!(kind, CommandKind::RetireShoe | CommandKind::ExchangeShoe) {
        keeps_carried(state, law, by)?;
    }
    if kind == CommandKind::CorrectCard
        && state.round().is_some_and(Round::corrections_take_supervisor)
        && by.post().is_none_or(|post| post < Post::PitSupervisor)
    {
        return Err(Reason::NotPermitted { least: Some(Post::PitSupervisor) }.into());
    }
    // INTERPRETATION 31: once a card was drawn, the Dealer does not confirm alone what lies on the felt.
    if let (CommandKind::ConfirmCards, Some(post), Some(round)) = (kind, by.post(), state.round())
        && round.has_drawn()
        && post < Post::PitSupervisor
    {
        return Err(decide::not_alone());
    }
    // INTERPRETATION 42: a patron with a terminal withdraws and chooses there; if it is down, a Pit Supervisor records it.
    if let (true, Some(post), MoneyKind::Credits) =
        (kind.facts().whose == Whose::Patrons, by.post(), law.settings.money)
    {
        let own = Cite::interpretation(42);
        if !state.accounts.values().any(|account| account.lost) {
            return Err(Reason::PatronsOwn {}.under(&own));
        }
        if post < Post::PitSupervisor {
            return Err(Reason::NotPermitted { least: Some(Post::PitSupervisor) }.under(&own));
        }
    }
    // INTERPRETATION 43: a Pit Supervisor decides what play waits for; every other claim is closed by the Shift Manager.
    if let (CommandKind::CloseDispute, Some(post)) = (kind, by.post())
        && post < Post::ShiftManager
        && state.undecided().is_none()
    {
        return Err(Reason::NotPermitted { least: Some(Post::ShiftManager) }.into());
    }
    if let (CommandKind::Rule, Some(post)) = (kind, by.post()) {
        let held = state.round().map_or(&[][..], |round| round.matters());
        let clauses = held.iter().chain(&state.matters).map(|it| (it.kind, decide::clause(law, it)));
        if let Some((_, clause)) = clauses.min_by_key(|(kind, clause)| (clause.least(), *kind))
            && post < clause.least()
        {
            return Err(Reason::NotPermitted { least: Some(clause.least()) }.under(&clause.cite));
        }
    }
    Ok(())
}

/// Whether whoever gives the order holds the post in which they give it. Screens are shown to a post, so they do not ask.
// INTERPRETATION 46: who holds the post or a higher one in the running shift; signing in is not holding a post.
pub(crate) fn holds(
    state: &State,
    law: Option<&Law>,
    kind: CommandKind,
    by: &Actor,
) -> Result<(), Rejection> {
    let is_asked = law.is_some_and(|law| law.settings.posts == PostsBy::Held);
    let Actor::Staff { person, post } = by else { return Ok(()) };
    // A table that is not open has nobody at it, and a Shift Manager comes by their role (`decide/people.rs`).
    let begins = kind == CommandKind::OpenTable || (kind == CommandKind::TakePost && !post.may_be_acting());
    if !is_asked || begins || state.posts.get(person).is_some_and(|held| held >= post) {
        return Ok(());
    }
    Err(Reason::PostNotHeld { post: *post }.under(&Cite::interpretation(46)))
}

/// Whether the table is at the point for it.
pub(crate) fn moment(state: &State, law: Option<&Law>, kind: CommandKind) -> Result<(), Rejection> {
    let Some(law) = law.filter(|_| kind != CommandKind::OpenTable) else { return Ok(()) };
    // INTERPRETATION 51: while the float is covered, nobody is there to play, pay or rule.
    if state.float_covered && !kind.facts().while_covered {
        return Err(Reason::FloatCovered {}.under(&Cite::interpretation(51)));
    }
    // INTERPRETATION 21: an interrupted table takes nothing but word of the cards that are out; where that is in
    // dispute, a ruling on it (31).
    if let Some(round) = state.round()
        && let Stage::Interrupted { .. } = round.stage
        && !kind.facts().while_interrupted
        && !(kind == CommandKind::Rule && round.disputed().is_some())
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
    let facts = kind.facts();
    let refuse = |cite: Option<&Cite>| Err(Reason::NotPermitted { least: facts.by.from }.under_some(cite));
    // INTERPRETATION 39: a terminal stands at a box; where there is none, the Dealer sees who sits down.
    // INTERPRETATION 41: a patron cannot say what an acceptor took.
    // INTERPRETATION 45: the cage pays what is kept, so it does not decide what is.
    // INTERPRETATION 51: one person holds a payout, two others decide about it.
    if !facts.by.includes(by) {
        return refuse(None);
    }
    if let Some(law) = law {
        narrow(kind, by, law)?;
    }
    // INTERPRETATION 42: only bets are placed for a patron; what staff withdraw or choose, they record.
    if let (Whose::OnBehalf, Some(post), Some(law)) = (facts.whose, by.post(), law) {
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
    if is_house && kind == Kind::CloseChoices && !law.clock_ends_choices() {
        return refuse(dealer, Some(&Cite::interpretation(34)));
    }
    // Hands move real cards. A software shoe is a card reader inside the house; nobody else can know its cards.
    let moves_cards =
        matches!(kind, Kind::LoadShoe | Kind::ExchangeShoe | Kind::RetireShoe | Kind::BurnCards);
    if is_house && !software && moves_cards {
        return refuse(dealer, None);
    }
    if !is_house && software && matches!(kind, Kind::DrawCard | Kind::CorrectCard) {
        return refuse(None, None);
    }
    // INTERPRETATION 39: a terminal stands where it was enrolled, whatever a Dealer says; on chips nobody else sees it.
    if matches!(kind, Kind::TakeSeat | Kind::LeaveSeat)
        && is_house != (law.settings.money == MoneyKind::Credits)
    {
        return refuse(dealer.filter(|_| is_house), Some(&Cite::interpretation(39)));
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
    let facts = kind.facts();
    match facts.takes {
        Some(Equipment::Squeeze) if law.rulebook.squeeze.is_none() => return Err(Reason::WrongGame {}.into()),
        Some(Equipment::Boxes) if law.settings.boxes.is_none() => {
            return Err(Reason::NoBoxes {}.under(&law.terms.layout().cite));
        }
        Some(Equipment::ObservedLimits) if law.settings.limits != LimitsMode::Observed => {
            return Err(Reason::WrongMoney {}.into());
        }
        Some(_) | None => {}
    }
    // A patron's own orders come from a terminal.
    let by_terminal = matches!(kind, Kind::PlaceWager | Kind::WithdrawWager) && by.patron().is_some();
    let money = if by_terminal { Some(MoneyKind::Credits) } else { facts.money };
    match money {
        Some(money) if money != law.settings.money => Err(Reason::WrongMoney {}.into()),
        Some(_) | None => Ok(()),
    }
}
