//! What the house owes: tickets that nobody has redeemed, money that nobody has claimed and payouts that are held, by
//! age. And what patrons owe the house.
//!
//! A liability is a stock and not a flow: everything up to the time asked for counts, whatever the filter begins with.
//! Tables may be read one after another in any order; a ticket may be seen spent before it is seen issued.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use punto_record::{Deed, HeldOutcome, HouseEntry, TableId, TicketNo, Timestamp};
use punto_rules::PatronNo;
use serde::Serialize;

use super::moment::Moment;
use crate::movement::{Movement, minor};
use crate::sheet::{Cell, ColumnKind, Sheet};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// Amounts by age. A thing of exactly one day is in the second of them, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Ageing {
    pub under_a_day: Aged,
    pub under_a_week: Aged,
    pub under_a_month: Aged,
    /// 30 days and more.
    pub older: Aged,
    /// Tickets past their time, whatever their age.
    pub expired: Aged,
}

/// How many, and how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Aged {
    pub count: u64,
    pub amount: i128,
}

impl Ageing {
    fn add(&mut self, since: Timestamp, expires: Option<Timestamp>, at: Timestamp, amount: i128) {
        let age = at.0.saturating_sub(since.0);
        let bucket = if expires.is_some_and(|expires| at > expires) {
            &mut self.expired
        } else if age < DAY {
            &mut self.under_a_day
        } else if age < 7 * DAY {
            &mut self.under_a_week
        } else if age < 30 * DAY {
            &mut self.under_a_month
        } else {
            &mut self.older
        };
        bucket.count += 1;
        bucket.amount += amount;
    }

    /// The buckets in their order.
    pub const fn buckets(&self) -> [(&'static str, Aged); 5] {
        [
            ("0–1 day", self.under_a_day),
            ("1–7 days", self.under_a_week),
            ("7–30 days", self.under_a_month),
            ("over 30 days", self.older),
            ("expired", self.expired),
        ]
    }

    /// All of them.
    pub fn total(&self) -> Aged {
        let buckets = self.buckets();
        Aged {
            count: buckets.iter().map(|(_, it)| it.count).sum(),
            amount: buckets.iter().map(|(_, it)| it.amount).sum(),
        }
    }
}

#[derive(Clone, Debug)]
enum Ticket {
    Issued {
        amount: i128,
        at: Timestamp,
        expires: Timestamp,
        currency: Arc<str>,
        counts: bool,
    },
    /// Seen spent, not yet issued.
    Spent,
}

/// What patrons of a table owe, and what is kept for them: oldest first.
#[derive(Clone, Debug, Default)]
struct OfPatron {
    currency: Arc<str>,
    kept: VecDeque<(Timestamp, i128)>,
    held: VecDeque<(Timestamp, i128)>,
    owed: VecDeque<(Timestamp, i128)>,
}

/// Tickets, unclaimed money, held payouts and what is owed.
#[derive(Clone, Debug, Default)]
pub struct LiabilityReport {
    at: Timestamp,
    tickets: HashMap<TicketNo, Ticket>,
    patrons: BTreeMap<(TableId, PatronNo), OfPatron>,
}

impl LiabilityReport {
    pub(crate) fn new(at: Timestamp) -> LiabilityReport {
        LiabilityReport { at, ..LiabilityReport::default() }
    }

    /// `counts`: whether the table is one of those asked for. A ticket may be spent at any table.
    pub(crate) fn take(&mut self, moment: &Moment<'_>, counts: bool) {
        if moment.at > self.at {
            return;
        }
        if let Movement::Redeemed { ticket, .. } = moment.movement {
            self.spend(ticket);
        }
        if let Movement::CashedOut { ticket, amount, expires, .. } = moment.movement {
            let currency = moment.desk.currency.clone();
            let issued = Ticket::Issued { amount: minor(amount), at: moment.at, expires, currency, counts };
            if let Some(Ticket::Spent) = self.tickets.insert(ticket.clone(), issued) {
                self.tickets.remove(ticket);
            }
        }
        if counts {
            self.patron(moment);
        }
    }

    fn patron(&mut self, moment: &Moment<'_>) {
        match &moment.movement {
            Movement::UnclaimedKept { patron, amount, .. } => {
                self.of(moment, *patron).kept.push_back((moment.at, minor(*amount)));
            }
            Movement::PayoutHeld { patron, amount, from_unclaimed, .. } => {
                let of = self.of(moment, *patron);
                take_oldest(&mut of.kept, minor(*from_unclaimed));
                of.held.push_back((moment.at, minor(*amount)));
            }
            Movement::HeldDecided { patron, amount, outcome, .. } => {
                let of = self.of(moment, *patron);
                take_oldest(&mut of.held, minor(*amount));
                match outcome {
                    HeldOutcome::Released if amount.is_zero() => {}
                    HeldOutcome::Released => of.kept.push_back((moment.at, minor(*amount))),
                    HeldOutcome::Forfeited => {}
                }
            }
            Movement::UnclaimedPaid { patron, amount } => {
                take_oldest(&mut self.of(moment, *patron).kept, minor(*amount));
            }
            Movement::Collected { patron, amount, .. } => {
                take_oldest(&mut self.of(moment, *patron).owed, minor(*amount));
            }
            Movement::Pushed { patron, payout, counted, .. } if counted > payout => {
                let over = minor(counted.less(*payout));
                self.of(moment, *patron).owed.push_back((moment.at, over));
            }
            Movement::Voided { changes, .. }
            | Movement::Corrected { changes, .. }
            | Movement::Adjusted { changes, .. } => {
                for change in changes.iter() {
                    let of = self.of(moment, change.patron);
                    take_oldest(&mut of.kept, minor(change.from_unclaimed));
                    take_oldest(&mut of.held, minor(change.from_held));
                    take_oldest(&mut of.owed, minor(change.cancelled));
                    if !change.uncollected.is_zero() {
                        of.owed.push_back((moment.at, minor(change.uncollected)));
                    }
                }
            }
            Movement::Nothing
            | Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::HoldOrdered { .. }
            | Movement::Stake { .. }
            | Movement::Parts { .. }
            | Movement::Amended { .. }
            | Movement::TakenBack { .. }
            | Movement::Settled { .. }
            | Movement::Pushed { .. }
            | Movement::Bought { .. }
            | Movement::Redeemed { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::CashedOut { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::Dropped { .. } => {}
        }
    }

    fn of(&mut self, moment: &Moment<'_>, patron: PatronNo) -> &mut OfPatron {
        let of = self.patrons.entry((moment.table.clone(), patron)).or_default();
        of.currency = moment.desk.currency.clone();
        of
    }

    pub(crate) fn take_deed(&mut self, entry: &HouseEntry) {
        if let Deed::TicketPaid { ticket, .. } | Deed::TicketVoided { ticket, .. } = &entry.deed
            && entry.at <= self.at
        {
            self.spend(ticket);
        }
    }

    fn spend(&mut self, ticket: &TicketNo) {
        if self.tickets.remove(ticket).is_none() {
            self.tickets.insert(ticket.clone(), Ticket::Spent);
        }
    }

    /// Tickets that are good or expired, by currency.
    pub fn tickets(&self) -> BTreeMap<Arc<str>, Ageing> {
        let mut by_currency: BTreeMap<Arc<str>, Ageing> = BTreeMap::new();
        for ticket in self.tickets.values() {
            if let Ticket::Issued { amount, at, expires, currency, counts: true } = ticket {
                by_currency.entry(currency.clone()).or_default().add(*at, Some(*expires), self.at, *amount);
            }
        }
        by_currency
    }

    /// What is kept for patrons who walked away, by currency.
    pub fn unclaimed(&self) -> BTreeMap<Arc<str>, Ageing> {
        self.aged(|of| &of.kept)
    }

    /// Payouts that are held, by currency.
    pub fn held(&self) -> BTreeMap<Arc<str>, Ageing> {
        self.aged(|of| &of.held)
    }

    /// What patrons owe, by currency.
    pub fn owed(&self) -> BTreeMap<Arc<str>, Ageing> {
        self.aged(|of| &of.owed)
    }

    fn aged(&self, which: fn(&OfPatron) -> &VecDeque<(Timestamp, i128)>) -> BTreeMap<Arc<str>, Ageing> {
        let mut by_currency: BTreeMap<Arc<str>, Ageing> = BTreeMap::new();
        for of in self.patrons.values() {
            for (since, amount) in which(of) {
                by_currency.entry(of.currency.clone()).or_default().add(*since, None, self.at, *amount);
            }
        }
        by_currency
    }

    /// Tickets, unclaimed money, held payouts and what is owed.
    pub fn sheets(&self) -> Vec<Sheet> {
        let tickets = sheet("tickets-by-age", "Ticket liability by age", &self.tickets());
        let unclaimed = sheet("unclaimed-by-age", "Unclaimed money by age", &self.unclaimed());
        let held = sheet("held-by-age", "Held payouts by age", &self.held());
        let mut owed = sheet("owed-by-age", "Uncollected from patrons, by age", &self.owed());
        owed.note("What corrections and adjustments could not take back, and nobody has collected since.");
        vec![tickets, unclaimed, held, owed]
    }
}

impl Serialize for LiabilityReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct All {
            at: Timestamp,
            tickets: BTreeMap<Arc<str>, Ageing>,
            unclaimed: BTreeMap<Arc<str>, Ageing>,
            held: BTreeMap<Arc<str>, Ageing>,
            owed: BTreeMap<Arc<str>, Ageing>,
        }
        let (tickets, unclaimed, held, owed) = (self.tickets(), self.unclaimed(), self.held(), self.owed());
        All { at: self.at, tickets, unclaimed, held, owed }.serialize(serializer)
    }
}

/// What is paid is paid of the oldest first.
fn take_oldest(lots: &mut VecDeque<(Timestamp, i128)>, mut amount: i128) {
    while amount > 0
        && let Some((_, left)) = lots.front_mut()
    {
        let taken = amount.min(*left);
        *left -= taken;
        amount -= taken;
        if *left == 0 {
            lots.pop_front();
        }
    }
}

fn sheet(id: &'static str, title: &'static str, by_currency: &BTreeMap<Arc<str>, Ageing>) -> Sheet {
    use ColumnKind::{Count, Money, Text};
    let columns = [
        ("age", "Age", Text),
        ("currency", "Currency", Text),
        ("count", "How many", Count),
        ("amount", "Amount", Money),
    ];
    let mut sheet = Sheet::new(id, title, &columns);
    for (currency, ageing) in by_currency {
        let total = ("all", ageing.total());
        // Only tickets expire.
        let buckets =
            ageing.buckets().into_iter().filter(|(age, _)| *age != "expired" || id == "tickets-by-age");
        for (age, Aged { count, amount }) in buckets.chain([total]) {
            sheet.row(vec![age.into(), (&**currency).into(), Cell::Count(count.into()), Cell::Money(amount)]);
        }
    }
    sheet
}
