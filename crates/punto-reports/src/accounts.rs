//! The books: balances by account, kept beside the tables, and the self-audit identity after every event.

use std::collections::{BTreeMap, HashMap};

use punto_record::{Currency, Entry, Event, HouseEntry, TableId, TicketNo, Volume};
use punto_rules::Money;

use crate::account::{Account, Normal, Posting};
use crate::balances::Balances;
use crate::checks;
use crate::context::Context;
use crate::mismatch::{Mismatch, Unequal, holds, same};
use crate::movement::{Movement, Step, minor};
use crate::postings::{self, Place, TicketUsed};
use crate::sheet::{Cell, ColumnKind, Sheet};

/// Balances of one table, or of a whole house, each currency by itself.
///
/// A ticket that this record issued is known by its amount; one from elsewhere is taken as it comes, so that the books
/// of one table can be kept without those of the others.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    pub(crate) books: BTreeMap<Currency, Balances>,
    pub(crate) tables: HashMap<TableId, AtTable>,
    tickets: HashMap<TicketNo, Worth>,
    scratch: Vec<Posting>,
}

/// What a ticket was issued for, and in which currency.
type Worth = (Money, Currency);

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
            books: &mut self.books,
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
    /// A ticket that is paid or made void with another amount, or in another currency, than it was issued with.
    pub fn enter_deed(&mut self, entry: &HouseEntry) -> Result<Option<Posting>, Mismatch> {
        let Some(TicketUsed { ticket, amount, currency, credit }) = postings::of_deed(&entry.deed) else {
            return Ok(None);
        };
        // Earlier builds did not name the currency; then it is that of the ticket.
        let currency = currency.or_else(|| self.issued_in(ticket)).cloned().unwrap_or_else(Currency::unknown);
        spend(&mut self.tickets, ticket, amount, &currency)
            .map_err(|unequal| unequal.at(Volume::House, entry.seq, entry.deed.kind().id()))?;
        let posting = Posting { debit: Account::Tickets, credit, amount, currency };
        self.books.entry(posting.currency.clone()).or_default().post(&posting);
        Ok(Some(posting))
    }

    /// The currency of a ticket that this record issued and that was not used.
    pub(crate) fn issued_in(&self, ticket: &TicketNo) -> Option<&Currency> {
        self.tickets.get(ticket).map(|(_, currency)| currency)
    }

    /// The balance of an account, positive on the side where it usually stands.
    pub fn balance(&self, currency: &Currency, account: &Account) -> i128 {
        self.books.get(currency).map_or(0, |balances| balances.of(account))
    }

    /// All accounts that hold something, in their order, by currency.
    pub fn all(&self) -> Vec<(Currency, Account, i128)> {
        let mut all = Vec::new();
        for (currency, balances) in &self.books {
            let accounts = balances.iter().map(|(account, balance)| (account.clone(), balance));
            all.extend(accounts.map(|(account, balance)| (currency.clone(), account, balance)));
        }
        all.sort();
        all
    }

    /// All credits less all debits of each currency: nothing, by construction.
    pub fn trial_balance(&self) -> BTreeMap<Currency, i128> {
        self.books.iter().map(|(currency, balances)| (currency.clone(), balances.sum())).collect()
    }

    /// The trial balance as a sheet: every account on its side, and both sums of each currency, which are the same.
    pub fn sheet(&self) -> Sheet {
        use ColumnKind::{Money, Text};
        let columns = [
            ("account", "Account", Text),
            ("debit", "Debit", Money),
            ("credit", "Credit", Money),
            ("currency", "Currency", Text),
        ];
        let mut sheet = Sheet::new("trial-balance", "Trial balance", &columns);
        for (currency, balances) in &self.books {
            let mut accounts: Vec<_> = balances.iter().collect();
            // What the record does not name a currency for is nothing, unless something was booked.
            if accounts.is_empty() && *currency == Currency::unknown() {
                continue;
            }
            accounts.sort();
            let (mut debits, mut credits) = (0, 0);
            for (account, balance) in accounts {
                let is_debit = (account.normal() == Normal::Debit) == (balance >= 0);
                let (amount, name) = (balance.abs(), account.to_string());
                let (debit, credit) = if is_debit {
                    debits += amount;
                    (Cell::Money(amount), Cell::Empty)
                } else {
                    credits += amount;
                    (Cell::Empty, Cell::Money(amount))
                };
                sheet.row(vec![name.into(), debit, credit, currency.as_str().into()]);
            }
            let (debits, credits) = (Cell::Money(debits), Cell::Money(credits));
            sheet.row(vec!["all".into(), debits, credits, currency.as_str().into()]);
        }
        sheet
    }

    /// All that lies on the felt of a table.
    pub fn felt(&self, table: &TableId) -> i128 {
        self.tables.get(table).map_or(0, |at| at.felt)
    }
}

struct Books<'a> {
    books: &'a mut BTreeMap<Currency, Balances>,
    tickets: &'a mut HashMap<TicketNo, Worth>,
    scratch: &'a mut Vec<Posting>,
    table: &'a TableId,
    at: &'a mut AtTable,
}

impl Books<'_> {
    fn place(&self) -> Place<'_> {
        let Context { chips, round, tray_is_open, ref currency, .. } = self.at.context;
        let balances = self.books.get(currency).expect("made before a movement is looked at");
        Place { table: self.table, currency, chips, round, tray_is_open, balances }
    }

    fn take(
        &mut self,
        movement: &Movement<'_>,
        command: &punto_record::Command,
        mut each: impl FnMut(&Posting),
    ) -> Result<(), Unequal> {
        if !self.books.contains_key(&self.at.context.currency) {
            self.books.insert(self.at.context.currency.clone(), Balances::default());
        }
        checks::before(&self.place(), &self.at.context, movement, command)?;
        if let Movement::Redeemed { ticket, amount, .. } = movement {
            spend(self.tickets, ticket, *amount, &self.at.context.currency)?;
        }
        if let Movement::CashedOut { ticket, amount, .. } = movement {
            self.tickets.insert((*ticket).clone(), (*amount, self.at.context.currency.clone()));
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
        // Before the table's books may become those of another currency: settings move no money.
        checks::after(&self.place(), self.at.felt, movement)?;
        self.at.context.take(movement);
        Ok(())
    }

    fn post(&mut self, posting: &Posting) -> Result<(), Unequal> {
        let balances = self.books.entry(posting.currency.clone()).or_default();
        balances.post(posting);
        if let Account::Felt { .. } = posting.debit {
            self.at.felt -= minor(posting.amount);
        }
        if let Account::Felt { .. } = posting.credit {
            self.at.felt += minor(posting.amount);
        }
        for account in [&posting.debit, &posting.credit] {
            if account.is_never_negative() {
                let balance = balances.of(account);
                if balance < 0 {
                    return holds(account, 0, balance);
                }
            }
        }
        Ok(())
    }
}

/// A ticket is worth what it was issued with, in the currency it was issued in, once.
fn spend(
    tickets: &mut HashMap<TicketNo, Worth>,
    ticket: &TicketNo,
    amount: Money,
    currency: &Currency,
) -> Result<(), Unequal> {
    let Some((issued, issued_in)) = tickets.remove(ticket) else { return Ok(()) };
    // Books that begin in the middle of a record may not know a table's currency.
    let is_known = [currency, &issued_in].into_iter().all(|it| *it != Currency::unknown());
    if is_known && *currency != issued_in {
        let what = format!("ticket {ticket} of {issued_in}, in {currency}");
        return Err(Unequal { what, stated: minor(amount), booked: 0 });
    }
    same(|| format!("ticket {ticket}"), minor(amount), minor(issued))
}
