//! A Pit Supervisor or a Shift Manager at the pit's screen of a table: rules on what is open, with their password, and
//! sees and closes disputes.

use std::time::Duration;

use punto_record::{
    Command, CommandKind, DisputeNo, MatterNo, Person, Ruling, RulingWord, SlipNo, Timestamp,
};
use punto_rules::{IrregularityKind, PatronNo, Post};
use serde::Deserialize;

use super::chance::Chance;
use super::set_up::Table;
use super::staff::Staff;
use super::{Floor, Worker};
use crate::client::{Error, Line, Shown};
use crate::pending::Pending;
use crate::role::Role;
use crate::wire::Screen;

/// The reason that is given with every ruling.
pub(super) const REASON: &str = "as the table and the surveillance saw it";

/// How long it takes to come to the table and to look.
const COMING: Duration = Duration::from_secs(4);
const IDLE: Duration = Duration::from_secs(2);
const REFUSED: Duration = Duration::from_millis(500);

/// A member of the pit's staff, at one table.
pub(super) struct Pit {
    floor: Floor,
    table: Table,
    staff: Staff,
    /// Who agrees where two must.
    other: Staff,
    chance: Chance,
    /// The matter at hand, and how many rulings on it were refused.
    at_hand: (MatterNo, usize),
}

/// A dispute, as far as it says who is to look at it.
#[derive(Clone, Debug, Deserialize)]
struct Dispute {
    dispute: DisputeNo,
    seen: bool,
    waits: Option<serde_json::Value>,
}

/// A matter, as far as it says who rules and how.
#[derive(Clone, Debug, Deserialize)]
struct Matter {
    matter: MatterNo,
    kind: IrregularityKind,
    decides: Post,
    take_two: Vec<RulingWord>,
}

impl Worker for Pit {
    const WHO: &'static str = "pit";

    async fn work(&mut self) -> Result<(), Error> {
        let mut line = self.staff.sit_down(&self.table, Screen::Pit).await?;
        loop {
            drop(line.events());
            if let Some(matter) = self.mine(line.view()) {
                line.rest(self.floor.pace.of(COMING)).await?;
                // Somebody else may have ruled meanwhile, or the clock.
                if self.mine(line.view()).is_some_and(|it| it.matter == matter.matter) {
                    self.rule(&mut line, matter).await?;
                }
            } else if self.is_shift_manager() && line.view().may(CommandKind::RuleCarriedCards) {
                let command = Command::RuleCarriedCards { keep: true, reason: REASON.into() };
                self.ask(&mut line, command).await?;
            } else if let Some(dispute) = self.to_decide(line.view()) {
                line.rest(self.floor.pace.of(COMING)).await?;
                let words = "explained to the patron, who agreed".into();
                let command = Command::CloseDispute { dispute, words, matter: None };
                let answer = line.ask(command, None).await?;
                self.floor.book.is_refusal(&answer);
            } else if let Some(dispute) = self.to_see(line.view()) {
                line.rest(self.floor.pace.of(COMING)).await?;
                let answer = line.ask(Command::SeeDispute { dispute, surveillance: None }, None).await?;
                self.floor.book.is_refusal(&answer);
            } else if let Some(command) = self.left_behind(line.view()) {
                self.ask(&mut line, command).await?;
            } else {
                line.listen(IDLE).await?;
            }
        }
    }
}

/// An account, as far as it says whether somebody left it behind.
#[derive(Deserialize)]
struct Account {
    patron: PatronNo,
    lost: bool,
    #[serde(default)]
    held: Option<serde_json::Value>,
    #[serde(default)]
    abandoned_at: Option<Timestamp>,
}

/// Credits that wait for a review.
#[derive(Deserialize)]
struct SetAside {
    slip: SlipNo,
    by: Person,
    attendant: Person,
}

impl Pit {
    /// Credits that nobody plays with any more are set aside by the supervisor and reviewed by the manager.
    fn left_behind(&self, view: &Shown) -> Option<Command> {
        if self.is_shift_manager() {
            let person = self.staff.person();
            let waiting: Vec<SetAside> = view.read("/set_aside")?;
            let mine = waiting.into_iter().find(|it| it.by != person && it.attendant != person)?;
            let review = Command::ReviewSetAside { slip: mine.slip, reason: REASON.into() };
            return view.may(CommandKind::ReviewSetAside).then_some(review);
        }
        let (now, accounts): (Timestamp, Vec<Account>) = (view.read("/now")?, view.read("/accounts")?);
        let is_left =
            |it: &Account| !it.lost && it.held.is_none() && it.abandoned_at.is_some_and(|at| at <= now);
        let left = accounts.into_iter().find(is_left)?;
        let keep = Command::KeepUnclaimed { patron: left.patron, attendant: Some(self.other.person()) };
        (view.phase() == "between" && view.may(CommandKind::KeepUnclaimed)).then_some(keep)
    }

    pub(super) fn new(floor: Floor, table: Table, (staff, other): (Staff, Staff), chance: Chance) -> Pit {
        Pit { floor, table, staff, other, chance, at_hand: (MatterNo(0), 0) }
    }

    fn is_shift_manager(&self) -> bool {
        self.staff.role() == Role::ShiftManager
    }

    /// The first matter that is this person's to rule.
    fn mine(&self, view: &Shown) -> Option<Matter> {
        let matters: Vec<Matter> = view.read("/matters")?;
        let first = matters.into_iter().next()?;
        let is_mine = (first.decides > Post::PitSupervisor) == self.is_shift_manager();
        (is_mine && view.may(CommandKind::Rule)).then_some(first)
    }

    fn disputes(view: &Shown) -> Vec<Dispute> {
        view.read("/floor/disputes").unwrap_or_default()
    }

    /// The Shift Manager closes disputes; those for which play waits, the Pit Supervisor does.
    fn to_decide(&self, view: &Shown) -> Option<DisputeNo> {
        let is_mine = |it: &Dispute| {
            let waits = it.waits.as_ref().is_some_and(|waits| waits["for"] == "decided");
            waits != self.is_shift_manager()
        };
        let open = Pit::disputes(view).into_iter().filter(|_| view.may(CommandKind::CloseDispute));
        open.filter(is_mine).map(|it| it.dispute).next()
    }

    /// What a Pit Supervisor has not seen.
    fn to_see(&self, view: &Shown) -> Option<DisputeNo> {
        let open = Pit::disputes(view).into_iter().filter(|_| view.may(CommandKind::SeeDispute));
        open.filter(|it| !it.seen && !self.is_shift_manager()).map(|it| it.dispute).next()
    }

    async fn rule(&mut self, line: &mut Line, matter: Matter) -> Result<(), Error> {
        let attempt = if self.at_hand.0 == matter.matter { self.at_hand.1 } else { 0 };
        let in_round = line.view().phase() != "between";
        let rulings = rulings(matter.kind, in_round, self.chance.once_in(3));
        let ruling = rulings[attempt % rulings.len()].clone();
        let reason = REASON.into();
        let two = matter.take_two.contains(&ruling.word());
        let (second, second_post) = match two {
            true => (Some(self.other.person()), self.other.role().post()),
            false => (None, None),
        };
        let command = Command::Rule {
            matter: matter.matter,
            ruling,
            replace_shoe: false,
            reason,
            second,
            second_post,
            departs: None,
        };
        let was_carried_out = self.ask(line, command).await?;
        self.at_hand = (matter.matter, if was_carried_out { 0 } else { attempt + 1 });
        Ok(())
    }

    /// Has an order wait, and it is signed: with one's password, and by the other where it names them, from wherever they are.
    async fn signed(&self, command: Command) -> Result<Pending, Error> {
        let takes_two = command.second().is_some();
        let asked = self.staff.propose(self.table.id(), command).await?;
        self.staff.sign(&asked).await?;
        if takes_two {
            self.other.sign(&asked).await?;
        }
        Ok(asked)
    }

    /// Gives an order with one's password. Whether it was carried out.
    async fn ask(&mut self, line: &mut Line, command: Command) -> Result<bool, Error> {
        let asked = match self.signed(command).await {
            Ok(asked) => asked,
            // The table went on meanwhile; whoever looks again sees what is to be done now.
            Err(error) if error.is_conflict() => {
                line.rest(REFUSED).await?;
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let Some(order) = &asked.order else { return Ok(false) };
        let answer = line.ask_signed(&asked.pending, order).await?;
        let is_refused = self.floor.book.is_refusal(&answer);
        // The screen shows what an order did a little later; a refusal is thought about.
        line.rest(REFUSED).await?;
        Ok(!is_refused)
    }
}

/// What may be ruled, most sensible first.
fn rulings(kind: IrregularityKind, in_round: bool, mildly: bool) -> Vec<Ruling> {
    use IrregularityKind as Kind;
    if !in_round {
        return vec![Ruling::Stand {}, Ruling::Reconstruct {}];
    }
    let first = match kind {
        Kind::ForeignCard | Kind::ShortageOrExcess | Kind::NotShuffled if mildly => {
            Ruling::Misread { card: None }
        }
        Kind::ForeignCard | Kind::ShortageOrExcess | Kind::NotShuffled => Ruling::Void {},
        Kind::WrongNumberOfCards | Kind::ExcessOrExposedCard | Kind::WrongSide => Ruling::Reconstruct {},
        Kind::OverDifferential
        | Kind::UnderMinimum
        | Kind::WalkAway
        | Kind::TechnicalInterruption
        | Kind::TerminalInterruption
        | Kind::ShoeExhausted
        | Kind::LateBet
        | Kind::FaceUp
        | Kind::SimultaneousDraw
        | Kind::LateDiscovery
        | Kind::OtherDealingError
        | Kind::BetPlacedInError
        | Kind::WrongResult
        | Kind::Uncovered => Ruling::Continue {},
    };
    let others = [Ruling::Continue {}, Ruling::Reconstruct {}, Ruling::Void {}, Ruling::Stand {}];
    let others = others.into_iter().filter(|other| *other != first);
    std::iter::once(first.clone()).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulings_are_tried_once_each_and_the_sensible_one_first() {
        let rulings_of = |kind| rulings(kind, true, false);
        assert_eq!(rulings_of(IrregularityKind::NotShuffled)[0], Ruling::Void {});
        assert_eq!(rulings_of(IrregularityKind::WrongSide)[0], Ruling::Reconstruct {});
        assert_eq!(rulings_of(IrregularityKind::Uncovered).len(), 4);
        assert_eq!(rulings(IrregularityKind::WrongResult, false, true)[0], Ruling::Stand {});
        let mild = rulings(IrregularityKind::ForeignCard, true, true);
        assert_eq!((mild[0].clone(), mild.len()), (Ruling::Misread { card: None }, 5));
    }
}
