//! Orders on their way to a table: tickets are found, people sign, and the table gets what it needs to know from outside.

use punto_ledger::Error;
use punto_record::{Actor, Command, CommandKind, Deed, Order, OrderId, Timestamp, Volume};
use punto_rules::Post;
use punto_table::{Given, Rules};

use super::staff::{Deceit, signers, works_as};
use super::{DOOR, Server};
use crate::dice::Dice;
use crate::phones::{Done, Phones, Shown, step_at};

/// An order on its way, and how the server that should have stopped it was deceived.
#[derive(Debug)]
pub(crate) struct Coming<'a> {
    pub(crate) table: usize,
    pub(crate) volume: &'a Volume,
    pub(crate) order: Order,
    pub(crate) deceit: Option<Deceit>,
}

impl Server {
    /// An order reaches its table.
    pub(crate) fn hand_in(
        &mut self,
        Coming { table, volume, mut order, deceit }: Coming<'_>,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        if let (Command::OpenBets {} | Command::CloseTable {}, true) =
            (&order.command, self.vault().kind().is_house())
        {
            self.approvals_change(table, now, dice, phones)?;
        }
        let vault = self.vault.as_mut().expect("the house is open");
        let clock = Timestamp(now.saturating_add_signed(self.ahead));
        // The house's own clock never runs backwards: no deed after this has an earlier time than the order.
        self.latest = self.latest.max(clock.0);
        let desk = &mut self.desks[table];
        order.at = clock;
        let rules = Rules::of(vault.kind(), vault.approvals(), desk.table(), &order);
        let state = desk.table().state();
        let held = order.by.person().and_then(|person| state.posts.get(person)).copied();
        let mandates = match deceit {
            Some(Deceit::DeedOfAnother) => {
                let by = Actor::Staff { person: "p-5".into(), post: Post::ShiftManager };
                vault.staff().mandates(&Order { by, ..order.clone() }, held)
            }
            Some(
                Deceit::SecondNotAsked
                | Deceit::GiverDidNotSign
                | Deceit::Alone
                | Deceit::Oneself
                | Deceit::SecondHasNoPost,
            )
            | None => vault.staff().mandates(&order, held),
        };
        let mut given = Given { mandates, rules, ..Given::default() };
        // Whoever has a ticket presents its number, and the house finds the ticket.
        if let Some(ticket) = order.command.presented()
            && let Some(number) = self.printed.get(ticket)
        {
            *ticket = number.first_release_name().clone();
        }
        vault.find_presented(&mut order.command)?;
        // Only an order that is new can need a ticket.
        let is_new = state.devices.get(&order.id.device).is_none_or(|last| order.id.n > last.n);
        let at = clock.max(state.now);
        if let Command::RedeemTicket { ticket, .. } = &order.command
            && is_new
        {
            given.ticket = Some(vault.reserve(ticket, &order.id, at)?);
        }
        if let (Command::CashOut { .. }, Volume::Table(id), true) = (&order.command, volume, is_new) {
            desk.tick(clock);
            let seq = desk.table().state().seq.next();
            if let Some((new, number)) = vault.new_ticket(id, seq, &order.id)? {
                self.printed.insert(new.ticket.clone(), number);
                given.new_ticket = Some(new);
            }
        }
        // Whoever answers for an order signs for it, each for themselves.
        if is_new && let Volume::Table(id) = volume {
            let approval = Deed::ApprovalGiven {
                digest: Some(order.signed_at(id)),
                table: Some(id.clone()),
                round: order.round,
                factor: None,
            };
            let at = at.max(Timestamp(self.latest));
            for by in signers(&order, deceit) {
                self.sign(by, approval.clone(), at, dice, phones)?;
            }
        }
        let asked = order.clone();
        let desk = &mut self.desks[table];
        desk.hand_in(order, &given);
        if let Command::RedeemTicket { ticket, .. } = &asked.command
            && desk.table().answered(&asked).is_none()
        {
            self.vault().release(ticket, &asked.id);
        }
        Ok(())
    }

    /// The second person signs for a deed.
    pub(crate) fn sign_deed(
        &mut self,
        by: &Actor,
        deed: &Deed,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let Some(second) = deed.second() else { return Ok(()) };
        let (signer, at) = (works_as(second), self.recorded(now));
        let approval =
            Deed::ApprovalGiven { digest: Some(deed.signed_by(by)), table: None, round: None, factor: None };
        self.sign(signer, approval, at, dice, phones)
    }

    /// Somebody signs: in a session of their own, or at the screen of somebody else, where it takes a code as well.
    fn sign(
        &mut self,
        by: Actor,
        mut approval: Deed,
        at: Timestamp,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let id = self.at_the_door();
        if let (Some(person), Deed::ApprovalGiven { factor, .. }) = (by.person(), &mut approval)
            && self.door.knows(person)
            && dice.chance(30)
            && let Some(seed) = phones.of(person).seeds.last().copied()
        {
            let shown = Shown::Code { seed, step: step_at(at.0) };
            *factor = self.door.takes(person, &shown);
            if factor.is_some() {
                phones.remember(&id, Done { shown: Some(shown), leaves: None });
            }
        }
        self.vault().deed(id, by, at, approval).map(|_| ())
    }

    /// The id of the next deed at the door.
    pub(crate) fn at_the_door(&mut self) -> OrderId {
        self.signed += 1;
        OrderId { device: DOOR.into(), n: self.signed }
    }

    /// Whether an order is not passed on to its table: no Round opens, and nothing is paid out, while this may not be the
    /// latest history.
    pub(crate) fn denies(&mut self, kind: CommandKind) -> bool {
        let waits = matches!(
            kind,
            CommandKind::OpenBets
                | CommandKind::CashOut
                | CommandKind::RedeemTicket
                | CommandKind::PayUnclaimed
                | CommandKind::DecideHeld
                | CommandKind::SettleCase
        );
        waits && self.is_in_doubt()
    }

    /// Whether nobody elsewhere confirmed this history since the start, or somebody keeps another one.
    pub(crate) fn is_in_doubt(&mut self) -> bool {
        self.unwitnessed || (self.vault().kind().is_house() && self.vault().witnesses().contested())
    }
}
