//! Dishonest insiders of a house: they try alone what takes a colleague, a password or a higher role, at a console whose
//! server asks nobody. The table or the vault refuses it, or the auditor names the entry.
//!
//! What one person is allowed to do alone, and could do dishonestly, leaves nothing in the record that could be named
//! (docs/alone.md says what reveals it). Changes to the store itself are tried by the tests of the ledger.

use punto_record::{Actor, Command, CommandKind, Deed, OrderId, Person, Seq, Timestamp, Volume};
use punto_rules::{PatronNo, Post};

use super::Night;
use crate::floor::PATRONS;
use crate::network::Happening;
use crate::people::Scene;
use crate::server::{Deceit, NEVER_ASKED, SIGNS_BLINDLY};

/// The device of everything that insiders try.
pub(crate) const INSIDER: &str = "insider";

/// How often an insider looks for an order that can be given now.
const LOOKS: usize = 12;

/// Where insiders stand: the numbers of their device at each table.
#[derive(Debug, Default)]
pub(super) struct Insiders {
    numbers: Vec<u64>,
    accomplices: u32,
}

impl Insiders {
    pub(super) fn at(tables: usize) -> Insiders {
        Insiders { numbers: vec![0; tables], accomplices: 0 }
    }
}

impl Night<'_> {
    /// An insider tries something. Only a house asks for signatures.
    pub(super) fn insider_acts(&mut self) -> Result<(), String> {
        let next = self.now + self.dice.between(100, 500);
        self.queue.put(next, Happening::InsiderActs);
        match self.dice.chance(25) {
            true => self.insider_writes_a_deed(),
            false => self.insider_orders(),
        }
    }

    fn insider_orders(&mut self) -> Result<(), String> {
        let table = self.dice.below(self.stations.len());
        let deceit = self.dice.weigh(&[
            (6, Deceit::SecondNotAsked),
            (3, Deceit::GiverDidNotSign),
            (2, Deceit::DeedOfAnother),
        ]);
        let Some((by, command)) = self.something_to_try(table, deceit) else { return Ok(()) };
        let state = self.server.desks[table].table().state();
        let round = state.round().map(|round| round.no).filter(|_| command.kind().facts().names_its_round);
        self.insiders.numbers[table] += 1;
        let n = self.insiders.numbers[table];
        let id = OrderId { device: INSIDER.into(), n };
        let order = punto_record::Order { id, by, at: Timestamp(0), round, command };
        self.counters.insiders_tried += 1;
        let place = (table, &self.volumes[table]);
        let handed = self.server.hand_in(place, order, Some(deceit), self.now, &mut self.dice);
        if let Err(error) = handed {
            return self.failed(&error);
        }
        let outbox = self.server.desks[table].outbox();
        self.say(table, outbox)?;
        self.commit_soon();
        Ok(())
    }

    /// An order that names a second person or takes a signature, if one fits the table as it stands.
    fn something_to_try(&mut self, table: usize, deceit: Deceit) -> Option<(Actor, Command)> {
        let mut scene = Scene {
            dice: &mut self.dice,
            table: self.server.desks[table].table(),
            station: &mut self.stations[table],
            pockets: &[],
            spent: &[],
            counters: self.counters,
            speaker: None,
        };
        for _ in 0..LOOKS {
            let kind = scene.dice.pick(&TRIED);
            let (_, by) = scene.somebody(kind);
            let mut command = scene.command(kind);
            let (second, post) = match deceit {
                Deceit::SecondNotAsked | Deceit::DeedOfAnother => (NEVER_ASKED, Post::DutyManager),
                Deceit::GiverDidNotSign => (SIGNS_BLINDLY, Post::DutyManager),
            };
            command.agreed_to_in(&second.into(), post);
            let by = match deceit {
                Deceit::DeedOfAnother => Actor::Staff { person: "p-1".into(), post: Post::ShiftManager },
                Deceit::SecondNotAsked | Deceit::GiverDidNotSign => by,
            };
            let is_staff = by.person().is_some();
            if is_staff && command.second().map(Person::as_str) == Some(second) {
                return Some((by, command));
            }
        }
        None
    }

    fn insider_writes_a_deed(&mut self) -> Result<(), String> {
        let administrator = Actor::Administrator { person: "o-1".into() };
        let second: Person = NEVER_ASKED.into();
        let reason = "as discussed".into();
        let (by, deed) = match self.dice.below(7) {
            0 => (administrator, self.accomplice(Some(second))),
            1 => (administrator, self.accomplice(None)),
            2 => (Actor::Cashier { person: "c-1".into() }, self.accomplice(Some(second))),
            3 => {
                let role = "duty-manager".into();
                let raised = Deed::staff_changed("o-1".into(), role, true, false);
                (administrator, raised)
            }
            4 => {
                let Some(ticket) = self.watch().good_ticket() else { return Ok(()) };
                let (amount, currency) =
                    self.watch().worth(&ticket).expect("a ticket in a pocket has a worth");
                let voided = Deed::TicketVoided { ticket, amount, currency, second, reason };
                (Actor::Cashier { person: "c-1".into() }, voided)
            }
            5 => {
                let restored = Deed::AdministratorsRestored { persons: vec!["o-1".into()], reason };
                (administrator, restored)
            }
            _ => {
                self.insiders.accomplices += 1;
                let table = self.stations[self.dice.below(self.stations.len())].id.clone();
                let enrolled = Deed::DeviceEnrolled {
                    device: format!("own-{}", self.insiders.accomplices).parse().expect("a name"),
                    kind: "terminal".into(),
                    table,
                    patron: Some(PatronNo(1 + self.dice.below(PATRONS as usize) as u32)),
                    at_box: None,
                    second: Some(second),
                    reason: Some(reason),
                    credential: None,
                };
                (administrator, enrolled)
            }
        };
        self.counters.insiders_tried += 1;
        let at = self.server.recorded(self.now);
        let n = self.server.vault().head(&Volume::House).seq.next();
        let id = OrderId { device: INSIDER.into(), n: n.0 };
        match self.server.vault().deed(id, by, at, deed) {
            Ok(Seq(_)) => self.look(),
            Err(error) if error.is_refusal() => {
                self.counters.insiders_refused += 1;
                Ok(())
            }
            Err(error) => self.failed(&error),
        }
    }

    /// Somebody who does not work here is hired.
    fn accomplice(&mut self, second: Option<Person>) -> Deed {
        self.insiders.accomplices += 1;
        Deed::StaffChanged {
            person: format!("x-{}", self.insiders.accomplices).parse().expect("a name"),
            role: "cashier".into(),
            enabled: true,
            invited: true,
            name: None,
            second,
            reason: Some("as discussed".into()),
            credential: None,
        }
    }
}

/// Orders that name a second person.
const TRIED: [CommandKind; 17] = [
    CommandKind::Rule,
    CommandKind::AmendWager,
    CommandKind::ConfirmCards,
    CommandKind::RecordPush,
    CommandKind::DecideHeld,
    CommandKind::SettleCase,
    CommandKind::EmptyAcceptor,
    CommandKind::CountAcceptor,
    CommandKind::UncoverFloat,
    CommandKind::OpenFloat,
    CommandKind::CloseFloat,
    CommandKind::Fill,
    CommandKind::Credit,
    CommandKind::Drop,
    CommandKind::Collect,
    CommandKind::CashOut,
    CommandKind::PayUnclaimed,
];
