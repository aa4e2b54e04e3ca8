//! What a movement posts. Amounts are taken from the event as they stand; whether they can be right is asked in
//! `checks`.

use punto_record::{
    Change, Currency, Deed, DeviceId, HeldOutcome, Return, RoundNo, SettledLine, TableId, TicketNo,
};
use punto_rules::{Money, PatronNo};

use crate::account::{Account, Posting};
use crate::balances::Balances;
use crate::movement::{Movement, Spot, Step, minor};

/// What must be known of a table to post what happens there.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) table: &'a TableId,
    pub(crate) currency: &'a Currency,
    /// Whether patrons bet with chips.
    pub(crate) chips: bool,
    pub(crate) round: RoundNo,
    /// Whether a float was opened: nobody counts what moves in a tray that is closed.
    pub(crate) tray_is_open: bool,
    pub(crate) balances: &'a Balances,
}

impl Place<'_> {
    pub(crate) fn felt(&self, spot: Spot<'_>) -> Account {
        Account::Felt {
            table: self.table.clone(),
            round: self.round,
            patron: spot.patron,
            box_no: spot.box_no,
            bet: spot.bet.clone(),
        }
    }

    pub(crate) fn stake(&self, spot: Spot<'_>) -> i128 {
        self.balances.of(&self.felt(spot))
    }

    pub(crate) fn credits(&self, patron: PatronNo) -> Account {
        Account::Credits { table: self.table.clone(), patron }
    }

    pub(crate) fn owed(&self, patron: PatronNo) -> Account {
        Account::Owed { table: self.table.clone(), patron }
    }

    pub(crate) fn unclaimed(&self, patron: PatronNo) -> Account {
        Account::Unclaimed { table: self.table.clone(), patron }
    }

    pub(crate) fn held(&self, patron: PatronNo) -> Account {
        Account::Held { table: self.table.clone(), patron }
    }

    pub(crate) fn in_acceptor(&self, acceptor: &DeviceId) -> Account {
        Account::InAcceptors { table: self.table.clone(), acceptor: acceptor.clone() }
    }

    pub(crate) fn boxes(&self) -> Account {
        Account::AcceptorBoxes { table: self.table.clone() }
    }

    pub(crate) fn tray(&self) -> Account {
        Account::Tray { table: self.table.clone() }
    }

    /// Where a patron's money is while it is not on the felt.
    fn pocket(&self, patron: PatronNo) -> Account {
        if self.chips { Account::Chips { table: self.table.clone() } } else { self.credits(patron) }
    }

    fn house(&self) -> Account {
        Account::HouseWin { table: self.table.clone() }
    }
}

/// What an event posts.
pub(crate) fn post(place: &Place<'_>, movement: &Movement<'_>, out: &mut Vec<Posting>) {
    let mut journal = Journal { place, out };
    match movement {
        Movement::Nothing
        | Movement::Settings(_)
        | Movement::RoundCommenced { .. }
        | Movement::HoldOrdered { .. }
        | Movement::Parts { .. } => {}
        Movement::Stake { spot, step } => match step {
            Step::More { amount, .. } => journal.stake(*spot, *amount),
            Step::Less { amount, .. } => journal.unstake(*spot, *amount),
            Step::Is { stake } => journal.set_stake(*spot, *stake),
        },
        Movement::Amended { spot, stake, .. } => journal.set_stake(*spot, *stake),
        Movement::TakenBack { returns, .. } => journal.give_back(returns),
        Movement::Voided { returns, changes, .. } => {
            journal.give_back(returns);
            journal.compensate(changes);
        }
        Movement::Settled { lines, .. } => journal.settle(lines),
        Movement::Corrected { changes, .. } | Movement::Adjusted { changes, .. } => {
            journal.compensate(changes);
        }
        // INTERPRETATION 37: too little is made good at once, too much is owed; neither is a result.
        Movement::Pushed { patron, payout, counted, .. } => {
            let over = counted.less(*payout);
            journal.pair(place.owed(*patron), place.pocket(*patron), over);
            journal.tray(-minor(over));
        }
        Movement::Bought { patron, amount, .. } => {
            journal.pair(Account::CageCash, place.credits(*patron), *amount);
        }
        // INTERPRETATION 41: money in an acceptor is an account of its own until it is counted.
        Movement::Noted { patron, acceptor, amount, .. } => {
            journal.pair(place.in_acceptor(acceptor), place.credits(*patron), *amount);
        }
        Movement::NotePaid { acceptor, amount } => {
            journal.pair(place.in_acceptor(acceptor), Account::CageCash, *amount);
        }
        Movement::Emptied { acceptor, expected, .. } => {
            journal.pair(place.boxes(), place.in_acceptor(acceptor), *expected);
        }
        Movement::BoxCounted { counted, expected, .. } => {
            let difference = Account::AcceptorDifference { table: place.table.clone() };
            journal.pair(Account::CageCash, place.boxes(), *counted.min(expected));
            // What is too much was never booked as in the box.
            journal.pair(Account::CageCash, difference.clone(), counted.less(*expected));
            journal.pair(difference, place.boxes(), expected.less(*counted));
        }
        Movement::Redeemed { patron, amount, .. } => {
            journal.pair(Account::Tickets, place.credits(*patron), *amount);
        }
        Movement::CashedOut { patron, amount, .. } => {
            journal.pair(place.credits(*patron), Account::Tickets, *amount);
        }
        Movement::Collected { patron, amount, .. } => {
            journal.pair(place.pocket(*patron), place.owed(*patron), *amount);
            journal.tray(minor(*amount));
        }
        Movement::UnclaimedKept { patron, amount, .. } => {
            journal.pair(place.pocket(*patron), place.unclaimed(*patron), *amount);
        }
        Movement::UnclaimedPaid { patron, amount } => {
            let to =
                if place.chips { Account::Chips { table: place.table.clone() } } else { Account::CageCash };
            journal.pair(place.unclaimed(*patron), to, *amount);
        }
        // INTERPRETATION 51: a held payout is owed, never won.
        Movement::PayoutHeld { patron, amount, from_unclaimed, .. } => {
            let (patron, in_pocket) = (*patron, amount.less(*from_unclaimed));
            journal.pair(place.pocket(patron), place.held(patron), in_pocket);
            journal.pair(place.unclaimed(patron), place.held(patron), *from_unclaimed);
        }
        Movement::HeldDecided { patron, amount, outcome, .. } => {
            let to = match outcome {
                HeldOutcome::Released => place.unclaimed(*patron),
                HeldOutcome::Forfeited => Account::Forfeited { table: place.table.clone() },
            };
            journal.pair(place.held(*patron), to, *amount);
        }
        Movement::FloatOpened { amount } | Movement::Filled { amount } => {
            journal.pair(place.tray(), Account::CageChips, *amount);
        }
        Movement::Credited { amount } => journal.pair(Account::CageChips, place.tray(), *amount),
        Movement::FloatClosed { counted, expected } => {
            journal.pair(Account::CageChips, place.tray(), *counted);
            let difference = Account::FloatDifference { table: place.table.clone() };
            journal.signed(difference, place.tray(), i128::from(*expected) - minor(*counted));
        }
        Movement::Dropped { amount } => {
            let (table, drop_box) = (place.table.clone(), Account::DropBox { table: place.table.clone() });
            journal.pair(drop_box, Account::Chips { table }, *amount);
            journal.tray(-minor(*amount));
        }
    }
}

/// What a deed of the house does to a ticket.
pub(crate) struct TicketUsed<'a> {
    pub(crate) ticket: &'a TicketNo,
    pub(crate) amount: Money,
    /// As the deed names it.
    pub(crate) currency: Option<&'a Currency>,
    /// Against which account.
    pub(crate) credit: Account,
}

/// What a deed of the house posts.
#[expect(clippy::wildcard_enum_match_arm, reason = "a test asks that each deed that uses a ticket is here")]
pub(crate) fn of_deed(deed: &Deed) -> Option<TicketUsed<'_>> {
    match deed {
        Deed::TicketPaid { ticket, amount, currency, .. } => {
            let (amount, currency) = (*amount, currency.as_ref());
            Some(TicketUsed { ticket, amount, currency, credit: Account::CageCash })
        }
        Deed::TicketVoided { ticket, amount, currency, .. } => {
            let (amount, currency) = (*amount, currency.as_ref());
            Some(TicketUsed { ticket, amount, currency, credit: Account::VoidedTickets })
        }
        _ => None,
    }
}

struct Journal<'a, 'p> {
    place: &'a Place<'p>,
    out: &'a mut Vec<Posting>,
}

impl Journal<'_, '_> {
    fn pair(&mut self, debit: Account, credit: Account, amount: Money) {
        if !amount.is_zero() {
            let currency = self.place.currency.clone();
            self.out.push(Posting { debit, credit, amount, currency });
        }
    }

    /// An amount that may be negative, and then goes the other way. One beyond money is left out; the checks have
    /// found it already.
    fn signed(&mut self, debit: Account, credit: Account, amount: i128) {
        let Some(money) = u64::try_from(amount.unsigned_abs()).ok().and_then(Money::new) else { return };
        if amount < 0 { self.pair(credit, debit, money) } else { self.pair(debit, credit, money) }
    }

    /// Chips that come into the tray, or leave it, over the table.
    fn tray(&mut self, amount: i128) {
        if self.place.chips && self.place.tray_is_open {
            let across = Account::AcrossTheFelt { table: self.place.table.clone() };
            self.signed(self.place.tray(), across, amount);
        }
    }

    fn stake(&mut self, spot: Spot<'_>, amount: Money) {
        self.pair(self.place.pocket(spot.patron), self.place.felt(spot), amount);
    }

    fn unstake(&mut self, spot: Spot<'_>, amount: Money) {
        self.pair(self.place.felt(spot), self.place.pocket(spot.patron), amount);
    }

    fn set_stake(&mut self, spot: Spot<'_>, stake: Money) {
        let more = minor(stake) - self.place.stake(spot);
        self.signed(self.place.pocket(spot.patron), self.place.felt(spot), more);
    }

    fn give_back(&mut self, returns: &[Return]) {
        for Return { patron, box_no, bet, amount, .. } in returns {
            self.unstake(Spot { patron: *patron, box_no: *box_no, bet }, *amount);
        }
    }

    fn settle(&mut self, lines: &[SettledLine]) {
        let mut house = 0;
        for line in lines {
            let SettledLine { patron, box_no, bet, stake, to_patron, .. } = line;
            let felt = self.place.felt(Spot { patron: *patron, box_no: *box_no, bet });
            let pocket = self.place.pocket(*patron);
            let won = to_patron.less(*stake);
            self.pair(felt.clone(), pocket.clone(), to_patron.less(won));
            self.pair(self.place.house(), pocket, won);
            self.pair(felt, self.place.house(), stake.less(*to_patron));
            house += minor(*stake) - minor(*to_patron);
        }
        self.tray(house);
    }

    // INTERPRETATION 28: compensating entries; what cannot be taken is owed, and not in the tray.
    fn compensate(&mut self, changes: &[Change]) {
        let place = self.place;
        for Change { patron, paid, cancelled, taken, from_unclaimed, from_held, uncollected } in changes {
            self.pair(place.house(), place.pocket(*patron), *paid);
            self.pair(place.house(), place.owed(*patron), *cancelled);
            self.pair(place.credits(*patron), place.house(), *taken);
            self.pair(place.unclaimed(*patron), place.house(), *from_unclaimed);
            self.pair(place.held(*patron), place.house(), *from_held);
            self.pair(place.owed(*patron), place.house(), *uncollected);
            self.tray(minor(*taken) + minor(*from_unclaimed) + minor(*from_held) - minor(*paid));
        }
    }
}
