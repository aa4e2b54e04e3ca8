//! Who may give which order: the auditor's own reading of "Posts and people".
//!
//! The table has a gate of its own. This one is written a second time on purpose, from the readings and not from the
//! gate, so that a mistake in one of them is noticed by the other. Whoever is not named may not.

use punto_record::{Actor, Cards, Command, CommandKind, DeedKind, MoneyKind};
use punto_rules::rulebook::Mode;
use punto_rules::{PatronNo, Post};

use crate::law::Law;

/// Whether this person may give an order of this kind at some table.
pub fn permitted(kind: CommandKind, by: &Actor) -> bool {
    match by {
        Actor::Patron { .. } => patron_may(kind),
        Actor::Staff { post, .. } => least_post(kind).is_some_and(|least| *post >= least),
        Actor::Cashier { .. } => cashier_may(kind),
        // Reads everything, changes nothing.
        Actor::Auditor { .. } => false,
        Actor::Administrator { .. } => administrator_may(kind),
        Actor::House => software_may(kind),
        // It says what it took, and nothing else.
        Actor::Acceptor { .. } => matches!(kind, CommandKind::AcceptNote | CommandKind::ReportCase),
    }
}

/// A patron bets, chooses, squeezes, disputes, and moves their own credits.
const fn patron_may(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::PlaceWager
            | CommandKind::WithdrawWager
            | CommandKind::AskSqueeze
            | CommandKind::Choose
            | CommandKind::OpenDispute
            | CommandKind::RedeemTicket
            | CommandKind::CashOut
    )
}

/// Credits and tickets.
const fn cashier_may(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::BuyCredits
            | CommandKind::RedeemTicket
            | CommandKind::CashOut
            | CommandKind::Collect
            | CommandKind::PayUnclaimed
            | CommandKind::CountAcceptor
    )
}

/// Tables, devices, staff; no money, no rulings.
const fn administrator_may(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::OpenTable
            | CommandKind::ChangeSettings
            | CommandKind::CloseTable
            | CommandKind::TakePost
            | CommandKind::LeavePost
    )
}

/// The table's own clock, card reader and start-up.
const fn software_may(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::LoadShoe
            | CommandKind::BurnCards
            | CommandKind::RetireShoe
            | CommandKind::ExchangeShoe
            | CommandKind::RevealShoe
            | CommandKind::OpenBets
            | CommandKind::CloseBets
            | CommandKind::DrawCard
            | CommandKind::Report
            | CommandKind::CloseChoices
            | CommandKind::TakeSeat
            | CommandKind::LeaveSeat
            | CommandKind::LoseTerminal
            | CommandKind::RestoreTerminal
            | CommandKind::NoteClock
    )
}

/// The least post of floor staff; none for what is the Cashier's or the software's alone.
const fn least_post(kind: CommandKind) -> Option<Post> {
    match kind {
        CommandKind::LoadShoe
        | CommandKind::InspectCards
        | CommandKind::CutCards
        | CommandKind::BurnCards
        | CommandKind::RetireShoe
        | CommandKind::ExchangeShoe
        | CommandKind::OpenBets
        | CommandKind::CloseBets
        | CommandKind::PlaceWager
        | CommandKind::WithdrawWager
        | CommandKind::RecordChips
        | CommandKind::RejectExcess
        | CommandKind::Advise
        | CommandKind::AskSqueeze
        | CommandKind::HandCards
        | CommandKind::CoverFloat
        | CommandKind::GrantSqueeze
        | CommandKind::DrawCard
        | CommandKind::ReadCard
        | CommandKind::CorrectCard
        | CommandKind::TurnCards
        | CommandKind::ConfirmCards
        | CommandKind::ConfirmResult
        | CommandKind::Report
        | CommandKind::Rule
        | CommandKind::Choose
        | CommandKind::CloseChoices
        | CommandKind::Collect
        | CommandKind::Drop
        | CommandKind::OpenDispute
        | CommandKind::ReportCase
        | CommandKind::TakeSeat
        | CommandKind::LeaveSeat
        | CommandKind::TakePost
        | CommandKind::LeavePost => Some(Post::Dealer),
        CommandKind::ChangeLimits
        | CommandKind::AnnounceClosing
        | CommandKind::CloseTable
        | CommandKind::ReconcileShoe
        | CommandKind::AmendWager
        | CommandKind::KeepUnclaimed
        | CommandKind::HoldPayout
        | CommandKind::SettleCase
        | CommandKind::EmptyAcceptor
        | CommandKind::RecordPush
        | CommandKind::OpenFloat
        | CommandKind::CloseFloat
        | CommandKind::UncoverFloat
        | CommandKind::Fill
        | CommandKind::Credit
        | CommandKind::BundleDispute
        | CommandKind::SeeDispute
        | CommandKind::CloseDispute => Some(Post::PitSupervisor),
        CommandKind::StartShift => Some(Post::PitManager),
        CommandKind::OpenTable
        | CommandKind::ChangeSettings
        | CommandKind::RuleCarriedCards
        | CommandKind::ExtendHold
        | CommandKind::DecideHeld
        | CommandKind::ReviewSetAside => Some(Post::ShiftManager),
        CommandKind::RevealShoe
        | CommandKind::BuyCredits
        | CommandKind::RedeemTicket
        | CommandKind::CashOut
        | CommandKind::AcceptNote
        | CommandKind::CountAcceptor
        | CommandKind::PayUnclaimed
        | CommandKind::LoseTerminal
        | CommandKind::RestoreTerminal
        | CommandKind::NoteClock => None,
    }
}

/// Why an order is not for this person at this table, in words.
pub(crate) fn forbidden(law: Option<&Law>, command: &Command, by: &Actor) -> Option<&'static str> {
    let kind = command.kind();
    if !permitted(kind, by) {
        return Some("not for this post to order");
    }
    if by.patron().is_some_and(|own| Some(own) != patron_of(command)) {
        return Some("a patron orders for nobody else");
    }
    let law = law?;
    let (live, software) = (law.rulebook.mode == Mode::Live, law.settings.cards == Cards::Software);
    let is_house = matches!(by, Actor::House);
    // 5.17/5.16: a Pit Employee bets at a patron's request, where the game has that paragraph.
    if let (CommandKind::PlaceWager, Some(post)) = (kind, by.post()) {
        let may = law.rulebook.conduct.pit_employee_bets.is_some() && post.is_pit_employee();
        return (!may).then_some("only a Pit Employee bets for a patron, and where the game says so");
    }
    // INTERPRETATION 18: the clock speaks on the electronic game only.
    if is_house && live && matches!(kind, CommandKind::OpenBets | CommandKind::CloseBets) {
        return Some("a live table opens and closes at the Dealer's word");
    }
    let moves = matches!(
        kind,
        CommandKind::LoadShoe | CommandKind::ExchangeShoe | CommandKind::RetireShoe | CommandKind::BurnCards
    );
    if is_house && moves && !software {
        return Some("hands move real cards");
    }
    if !is_house && matches!(kind, CommandKind::DrawCard | CommandKind::CorrectCard) && software {
        return Some("only the House knows the cards of its own shoe");
    }
    let seats = matches!(kind, CommandKind::TakeSeat | CommandKind::LeaveSeat);
    // INTERPRETATION 39: a terminal stands at a box; on chips the Dealer sees who sits down.
    if seats && is_house != (law.settings.money == MoneyKind::Credits) {
        return Some("terminals say who sits where, and at a table with chips the Dealer");
    }
    if kind == CommandKind::Collect && by.post().is_some() && law.settings.money == MoneyKind::Credits {
        return Some("credits are collected by the Cashier");
    }
    if let (Command::TakePost { post, .. }, Some(own)) = (command, by.post())
        && own < *post
    {
        return Some("nobody gives a post above their own");
    }
    None
}

/// The patron that an order is about, where patrons may give it.
pub(crate) fn patron_of(command: &Command) -> Option<PatronNo> {
    if let Command::PlaceWager { patron, .. }
    | Command::WithdrawWager { patron, .. }
    | Command::AskSqueeze { patron, .. }
    | Command::Choose { patron, .. }
    | Command::RedeemTicket { patron, .. }
    | Command::AcceptNote { patron, .. }
    | Command::ReportCase { patron, .. }
    | Command::CashOut { patron, .. } = command
    {
        return Some(*patron);
    }
    if let Command::OpenDispute { patron, .. } = command { *patron } else { None }
}

/// Whether this person may do that for the house.
pub(crate) const fn may_do(deed: DeedKind, by: &Actor) -> bool {
    let own = matches!(
        deed,
        DeedKind::SignedIn
            | DeedKind::SignedOut
            | DeedKind::PasswordChosen
            | DeedKind::FactorEnrolled
            | DeedKind::RecoveryCodesMade
            | DeedKind::RecoveryCodeUsed
            | DeedKind::FactorResetStopped
            | DeedKind::ApprovalGiven
    );
    match by {
        Actor::House => {
            !own && !matches!(
                deed,
                DeedKind::TicketPaid
                    | DeedKind::TicketVoided
                    | DeedKind::TableUnlocked
                    | DeedKind::ClockConfirmed
                    | DeedKind::RulesApproved
                    | DeedKind::RulesWithdrawn
                    | DeedKind::ReadingsAdopted
                    | DeedKind::RestorationSeen
                    | DeedKind::RegisterCleared
                    | DeedKind::WitnessChanged
                    | DeedKind::OpenedUnwitnessed
                    | DeedKind::LossDeclared
                    | DeedKind::FactorResetBegun
            )
        }
        Actor::Administrator { .. } => {
            own || matches!(
                deed,
                DeedKind::KeyAdopted
                    | DeedKind::EntriesArchived
                    | DeedKind::TableUnlocked
                    | DeedKind::ClockConfirmed
                    | DeedKind::RulesApproved
                    | DeedKind::RulesWithdrawn
                    | DeedKind::ReadingsAdopted
                    | DeedKind::StaffChanged
                    | DeedKind::RestorationSeen
                    | DeedKind::RegisterCleared
                    | DeedKind::WitnessChanged
                    | DeedKind::OpenedUnwitnessed
                    | DeedKind::LossDeclared
                    | DeedKind::FactorResetBegun
                    | DeedKind::DeviceEnrolled
                    | DeedKind::DeviceRevoked
            )
        }
        Actor::Cashier { .. } => own || matches!(deed, DeedKind::TicketPaid | DeedKind::TicketVoided),
        Actor::Staff { .. } | Actor::Auditor { .. } => own,
        Actor::Patron { .. } | Actor::Acceptor { .. } => false,
    }
}
