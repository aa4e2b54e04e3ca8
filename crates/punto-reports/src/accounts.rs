//! The books: balances by account, kept beside the tables, and the self-audit identity after every event.

use std::collections::HashMap;

use punto_record::{Deed, Entry, Event, HouseEntry, TableId, TicketNo, Volume};
use punto_rules::Money;

use crate::account::{Account, Normal, Posting};
use crate::balances::Balances;
use crate::checks;
use crate::context::Context;
use crate::mismatch::{Mismatch, Unequal, holds, same};
use crate::movement::{Movement, Step, minor};
use crate::postings::{self, Place};
use crate::sheet::{Cell, ColumnKind, Sheet};

/// Balances of one table, or of a whole house.
///
/// A ticket that this record issued is known by its amount; one from elsewhere is taken as it comes, so that the books
/// of one table can be kept without those of the others.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    pub(crate) balances: Balances,
    pub(crate) tables: HashMap<TableId, AtTable>,
    tickets: HashMap<TicketNo, Money>,
    scratch: Vec<Posting>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct AtTable {
    pub(crate) context: Context,
    /// All that lies on the felt.
    pub(crate) felt: i128,
}

impl Accounts {
    /// Takes an entry of a table's record: posts every event, and checks it against what it states itself.
    ///
    /// # Errors
    /// The first amount that does not add up. What came before it in the entry is posted; the table must be locked.
    pub fn enter(&mut self, table: &TableId, entry: &Entry) -> Result<(), Mismatch> {
        self.enter_with(table, entry, |_, _| {})
    }

    /// The same, and hands out every posting with its event: the journal.
    ///
    /// # Errors
    /// As [`Accounts::enter`].
    pub fn enter_with(
        &mut self,
        table: &TableId,
        entry: &Entry,
        mut each: impl FnMut(&Event, &Posting),
    ) -> Result<(), Mismatch> {
        if !self.tables.contains_key(table) {
            self.tables.insert(table.clone(), AtTable::default());
        }
        let Some(at) = self.tables.get_mut(table) else { return Ok(()) };
        let mut books = Books {
            balances: &mut self.balances,
            tickets: &mut self.tickets,
            scratch: &mut self.scratch,
            table,
            at,
        };
        books.at.context.paid.clear();
        for event in &entry.events {
            let movement = Movement::of(event);
            if let Movement::Nothing = movement {
                continue;
            }
            let done = books.take(&movement, &entry.order.command, |posting| each(event, posting));
            done.map_err(|unequal| unequal.at(Volume::Table(table.clone()), entry.seq, event.kind().id()))?;
        }
        Ok(())
    }

    /// Takes an entry of the house's own record.
    ///
    /// # Errors
    /// A ticket that is paid or made void with another amount than it was issued with.
    pub fn enter_deed(&mut self, entry: &HouseEntry) -> Result<Option<Posting>, Mismatch> {
        let posting = postings::of_deed(&entry.deed);
        if let Some(posting) = &posting {
            if let Deed::TicketPaid { ticket, amount } | Deed::TicketVoided { ticket, amount, .. } =
                &entry.deed
            {
                spend(&mut self.tickets, ticket, *amount)
                    .map_err(|unequal| unequal.at(Volume::House, entry.seq, entry.deed.kind().id()))?;
            }
            self.balances.post(posting);
        }
        Ok(posting)
    }

    /// The balance of an account, positive on the side where it usually stands.
    pub fn balance(&self, account: &Account) -> i128 {
        self.balances.of(account)
    }

    /// All accounts that hold something, in their order.
    pub fn all(&self) -> Vec<(Account, i128)> {
        let mut all: Vec<_> =
            self.balances.iter().map(|(account, balance)| (account.clone(), balance)).collect();
        all.sort();
        all
    }

    /// All credits less all debits: nothing, by construction.
    pub fn trial_balance(&self) -> i128 {
        self.balances.sum()
    }

    /// The trial balance as a sheet: every account on its side, and both sums, which are the same.
    pub fn sheet(&self) -> Sheet {
        use ColumnKind::{Money, Text};
        let columns = [("account", "Account", Text), ("debit", "Debit", Money), ("credit", "Credit", Money)];
        let mut sheet = Sheet::new("trial-balance", "Trial balance", &columns);
        let (mut debits, mut credits) = (0, 0);
        for (account, balance) in self.all() {
            let is_debit = (account.normal() == Normal::Debit) == (balance >= 0);
            let (amount, name) = (balance.abs(), account.to_string());
            if is_debit {
                debits += amount;
                sheet.row(vec![name.into(), Cell::Money(amount), Cell::Empty]);
            } else {
                credits += amount;
                sheet.row(vec![name.into(), Cell::Empty, Cell::Money(amount)]);
            }
        }
        sheet.row(vec!["all".into(), Cell::Money(debits), Cell::Money(credits)]);
        sheet
    }

    /// All that lies on the felt of a table.
    pub fn felt(&self, table: &TableId) -> i128 {
        self.tables.get(table).map_or(0, |at| at.felt)
    }
}

struct Books<'a> {
    balances: &'a mut Balances,
    tickets: &'a mut HashMap<TicketNo, Money>,
    scratch: &'a mut Vec<Posting>,
    table: &'a TableId,
    at: &'a mut AtTable,
}

impl Books<'_> {
    fn place(&self) -> Place<'_> {
        let Context { chips, round, tray_is_open, .. } = self.at.context;
        Place { table: self.table, chips, round, tray_is_open, balances: self.balances }
    }

    fn take(
        &mut self,
        movement: &Movement<'_>,
        command: &punto_record::Command,
        mut each: impl FnMut(&Posting),
    ) -> Result<(), Unequal> {
        checks::before(&self.place(), &self.at.context, movement, command)?;
        if let Movement::Redeemed { ticket, amount, .. } = movement {
            spend(self.tickets, ticket, *amount)?;
        }
        if let Movement::CashedOut { ticket, amount, .. } = movement {
            self.tickets.insert((*ticket).clone(), *amount);
        }
        if let Movement::Stake { spot, step: Step::Is { stake } } | Movement::Amended { spot, stake, .. } =
            movement
        {
            let back =
                u64::try_from(self.place().stake(*spot)).ok().and_then(Money::new).unwrap_or(Money::ZERO);
            self.at.context.paid.push((spot.patron, back.less(*stake)));
        }
        let mut scratch = std::mem::take(self.scratch);
        scratch.clear();
        postings::post(&self.place(), movement, &mut scratch);
        let posted = scratch.iter().try_for_each(|posting| {
            each(posting);
            self.post(posting)
        });
        *self.scratch = scratch;
        posted?;
        self.at.context.take(movement);
        checks::after(&self.place(), self.at.felt, movement)
    }

    fn post(&mut self, posting: &Posting) -> Result<(), Unequal> {
        self.balances.post(posting);
        if let Account::Felt { .. } = posting.debit {
            self.at.felt -= minor(posting.amount);
        }
        if let Account::Felt { .. } = posting.credit {
            self.at.felt += minor(posting.amount);
        }
        for account in [&posting.debit, &posting.credit] {
            if account.is_never_negative() {
                let balance = self.balances.of(account);
                if balance < 0 {
                    return holds(account, 0, balance);
                }
            }
        }
        Ok(())
    }
}

/// A ticket is worth what it was issued with, once.
fn spend(tickets: &mut HashMap<TicketNo, Money>, ticket: &TicketNo, amount: Money) -> Result<(), Unequal> {
    match tickets.remove(ticket) {
        Some(issued) => same(|| format!("ticket {ticket}"), minor(amount), minor(issued)),
        None => Ok(()),
    }
}
