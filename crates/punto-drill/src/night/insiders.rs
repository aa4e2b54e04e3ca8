//! Dishonest insiders of a house: they try alone what takes a colleague, a password or a higher role, at a console whose
//! server asks nobody. The table or the vault refuses it, or the auditor names the entry.
//!
//! What one person is allowed to do alone, and could do dishonestly, leaves nothing in the record that could be named
//! (docs/alone.md says what reveals it). Changes to the store itself are tried by the tests of the ledger.

use std::collections::BTreeMap;

use punto_record::{Actor, Command, CommandKind, Deed, OrderId, Person, Timestamp, Volume};
use punto_rules::Post;

use super::Night;
use super::attempt::Attempt;
use super::deeds_tried::cashier;
use crate::Tried;
use crate::network::Happening;
use crate::people::Scene;
use crate::server::{Coming, Deceit, NEVER_ASKED, SIGNS_BLINDLY};

/// The device of everything that insiders try.
pub(crate) const INSIDER: &str = "insider";

/// How often an insider looks for an order that can be given now.
const LOOKS: usize = 12;

/// Where insiders stand: the numbers of their device at each table.
#[derive(Debug, Default)]
pub(super) struct Insiders {
    numbers: Vec<u64>,
    /// What they ordered at each table.
    orders: BTreeMap<(usize, u64), Tried>,
    /// Names that were made up.
    pub(super) tries: u32,
}

impl Insiders {
    pub(super) fn at(tables: usize) -> Insiders {
        Insiders { numbers: vec![0; tables], orders: BTreeMap::new(), tries: 0 }
    }
}

impl Night<'_> {
    /// An insider tries something. Only a house asks for signatures.
    pub(super) fn insider_acts(&mut self) -> Result<(), String> {
        let next = self.now + self.dice.between(40, 200);
        self.queue.put(next, Happening::InsiderActs);
        match self.dice.chance(50) {
            true => self.insider_writes_a_deed(),
            false => self.insider_orders(),
        }
    }

    /// An order of an insider was refused, or is in the record and was named.
    pub(super) fn insider_hears(&mut self, table: usize, n: u64, refused: bool) {
        let Some(tried) = self.insiders.orders.remove(&(table, n)) else { return };
        let outcomes = self.counters.tried.entry(tried).or_default();
        outcomes.refused += u64::from(refused);
        outcomes.named += u64::from(!refused);
        self.counters.insiders_refused += u64::from(refused);
    }

    fn insider_orders(&mut self) -> Result<(), String> {
        let table = self.dice.below(self.stations.len());
        let deceit = self.dice.weigh(&[
            (6, Deceit::SecondNotAsked),
            (3, Deceit::GiverDidNotSign),
            (2, Deceit::DeedOfAnother),
            (4, Deceit::Alone),
            (3, Deceit::Oneself),
            (3, Deceit::SecondHasNoPost),
        ]);
        let Some((by, command)) = self.something_to_try(table, deceit) else { return Ok(()) };
        let state = self.server.desks[table].table().state();
        let round = state.round().map(|round| round.no).filter(|_| command.kind().facts().names_its_round);
        self.insiders.numbers[table] += 1;
        let n = self.insiders.numbers[table];
        let id = OrderId { device: INSIDER.into(), n };
        let order = punto_record::Order { id, by, at: Timestamp(0), round, command };
        self.counters.insiders_tried += 1;
        self.insiders.orders.insert((table, n), (order.command.kind().id(), deceit.id()));
        let people = self.people_of(&order);
        if !self.come_in(&people)? {
            return Ok(());
        }
        let volume = &self.volumes[table];
        let coming = Coming { table, volume, order, deceit: Some(deceit) };
        let handed = self.server.hand_in(coming, self.now, &mut self.dice, &mut self.phones);
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
            let moves = matches!(deceit, Deceit::Alone | Deceit::Oneself | Deceit::SecondHasNoPost);
            let kind = scene.dice.pick(if moves { &MOVES[..] } else { &TRIED[..] });
            let (_, by) = scene.somebody(kind);
            let mut command = scene.command(kind);
            if moves {
                // A patron's own credits are their own to take: it is the Cashier who does not do that alone.
                let by = if kind == CommandKind::CashOut { cashier() } else { by };
                let giver = by.person().cloned();
                let (Some(second), true) = (second_of(&mut command), giver.is_some()) else { continue };
                *second = match deceit {
                    Deceit::Oneself => giver,
                    Deceit::SecondHasNoPost => Some("a-1".into()),
                    Deceit::Alone
                    | Deceit::SecondNotAsked
                    | Deceit::GiverDidNotSign
                    | Deceit::DeedOfAnother => None,
                };
                return Some((by, command));
            }
            let second = if deceit == Deceit::GiverDidNotSign { SIGNS_BLINDLY } else { NEVER_ASKED };
            command.agreed_to_in(&second.into(), Post::DutyManager);
            let by = match deceit == Deceit::DeedOfAnother {
                true => Actor::Staff { person: "p-1".into(), post: Post::ShiftManager },
                false => by,
            };
            let is_staff = by.person().is_some();
            if is_staff && command.second().map(Person::as_str) == Some(second) {
                return Some((by, command));
            }
        }
        None
    }

    fn insider_writes_a_deed(&mut self) -> Result<(), String> {
        // What is tried is worked out from the record as it stands.
        self.look()?;
        if !self.come_in(&[NEVER_ASKED.into(), SIGNS_BLINDLY.into()])? {
            return Ok(());
        }
        let Some(attempt) = self.deed_to_try() else { return Ok(()) };
        let Attempt { way, by, deed, signed, credential, done } = attempt;
        let tried = (deed.kind().id(), way.id());
        self.counters.insiders_tried += 1;
        if let Some(signed) = signed {
            let second: Vec<Person> = signed.second().cloned().into_iter().collect();
            if !self.come_in(&second)? {
                return Ok(());
            }
            let given = self.server.sign_deed(&by, &signed, self.now, &mut self.dice, &mut self.phones);
            if let Err(error) = given {
                return self.failed(&error);
            }
        }
        let at = self.server.recorded(self.now);
        let n = self.server.vault().head(&Volume::House).seq.next();
        let id = OrderId { device: INSIDER.into(), n: n.0 };
        let made = done.as_ref().and_then(|done| done.leaves.clone());
        self.phones.remember(&id, done.unwrap_or_default());
        match self.server.vault().deed_with(id, by.clone(), at, deed.clone(), credential) {
            Ok(_) => {
                self.look()?;
                self.counters.tried.entry(tried).or_default().named += 1;
                if let (Some(made), Some(person)) = (made, by.person()) {
                    self.server.door.set(person, &made);
                }
                if let (Deed::FactorEnrolled { step, .. }, Some(person)) = (&deed, by.person()) {
                    self.server.door.begin(person, *step);
                }
                Ok(())
            }
            Err(error) if error.is_refusal() => {
                self.counters.insiders_refused += 1;
                self.counters.tried.entry(tried).or_default().refused += 1;
                Ok(())
            }
            Err(error) => self.failed(&error),
        }
    }
}

/// Takes the second person out of an order for chips or credits.
const fn second_of(command: &mut Command) -> Option<&mut Option<Person>> {
    if let Command::OpenFloat { second, .. }
    | Command::CloseFloat { second, .. }
    | Command::Fill { second, .. }
    | Command::Credit { second, .. }
    | Command::Drop { second, .. }
    | Command::Collect { second, .. }
    | Command::CashOut { second, .. }
    | Command::PayUnclaimed { second, .. } = command
    {
        Some(second)
    } else {
        None
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

/// Orders that move chips or credits, which nobody gives alone.
const MOVES: [CommandKind; 8] = [
    CommandKind::OpenFloat,
    CommandKind::CloseFloat,
    CommandKind::Fill,
    CommandKind::Credit,
    CommandKind::Drop,
    CommandKind::Collect,
    CommandKind::CashOut,
    CommandKind::PayUnclaimed,
];
