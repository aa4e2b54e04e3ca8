//! Books that begin in the middle of a record: with what a table has at that moment.

use punto_record::{BoxNo, Currency, DeviceId, DropNo, Part, RoundNo, SettledLine, SlipNo, TableId};
use punto_rules::{BetId, Money, PatronNo};

use crate::account::{Account, Posting};
use crate::accounts::{Accounts, AtTable};
use crate::context::{Context, Settled};

/// Where the money of a table is when its books are opened.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The currency of the table; none if it was never opened.
    pub currency: Option<Currency>,
    /// Whether patrons bet with chips.
    pub chips: bool,
    /// The last Round that commenced.
    pub round: RoundNo,
    /// Chips that should be in the tray, while it is open.
    pub tray: Option<i64>,
    /// Credits of each patron, what they owe, and what is kept for them.
    pub patrons: Vec<(PatronNo, Money, Money, u128)>,
    /// Payouts that are held, each with its slip, patron and Round.
    pub held: Vec<(SlipNo, PatronNo, RoundNo, Money)>,
    /// What is in each note acceptor.
    pub acceptors: Vec<(DeviceId, Money)>,
    /// Boxes of acceptors that were taken out and are not counted.
    pub boxes: Vec<(DropNo, Money)>,
    /// What lies on the felt, and how much of it plays where it is not all.
    pub wagers: Vec<OnTheFelt>,
    /// The Round that can still be put right.
    pub last: Option<(RoundNo, Vec<SettledLine>)>,
}

/// A wager that stands.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct OnTheFelt {
    pub patron: PatronNo,
    pub box_no: Option<BoxNo>,
    pub bet: BetId,
    pub stake: Money,
    pub playing: Option<Money>,
}

impl Accounts {
    /// The books of a table from here on. What stands there came from the cage, as far as these books know.
    pub fn opened(table: &TableId, opening: Opening) -> Accounts {
        let mut accounts = Accounts::default();
        let currency = opening.currency.unwrap_or_else(Currency::unknown);
        let of = |patron: PatronNo| (table.clone(), patron);
        for (patron, credits, owed, unclaimed) in opening.patrons {
            let (table, patron) = of(patron);
            let credit = Account::Credits { table: table.clone(), patron };
            accounts.post(&currency, Account::CageCash, credit, credits.get().into());
            accounts.post(
                &currency,
                Account::Owed { table: table.clone(), patron },
                Account::CageCash,
                owed.get().into(),
            );
            accounts.post(&currency, Account::CageCash, Account::Unclaimed { table, patron }, unclaimed);
        }
        for (_, patron, _, amount) in &opening.held {
            let (table, patron) = of(*patron);
            accounts.post(&currency, Account::CageCash, Account::Held { table, patron }, amount.get().into());
        }
        for (acceptor, amount) in opening.acceptors {
            let inside = Account::InAcceptors { table: table.clone(), acceptor };
            accounts.post(&currency, inside, Account::CageCash, amount.get().into());
        }
        for (_, amount) in &opening.boxes {
            let boxes = Account::AcceptorBoxes { table: table.clone() };
            accounts.post(&currency, boxes, Account::CageCash, amount.get().into());
        }
        let (mut felt, mut parts) = (0, Vec::new());
        for OnTheFelt { patron, box_no, bet, stake, playing } in opening.wagers {
            felt += i128::from(stake.get());
            if let (Some(playing), Some(box_no)) = (playing, box_no) {
                parts.push(Part { patron, box_no, bet: bet.clone(), playing });
            }
            let on_felt = Account::Felt { table: table.clone(), round: opening.round, patron, box_no, bet };
            accounts.post(&currency, Account::CageCash, on_felt, stake.get().into());
        }
        let tray = Account::Tray { table: table.clone() };
        match opening.tray.unwrap_or_default() {
            chips @ 0.. => accounts.post(&currency, tray, Account::CageChips, chips.unsigned_abs().into()),
            chips => accounts.post(&currency, Account::CageChips, tray, chips.unsigned_abs().into()),
        }
        let context = Context {
            currency,
            chips: opening.chips,
            round: opening.round,
            tray_is_open: opening.tray.is_some(),
            parts,
            last: opening.last.map(|(round, lines)| Settled { round, lines }),
            boxes: opening.boxes.into_iter().collect(),
            held: opening
                .held
                .into_iter()
                .map(|(slip, patron, round, amount)| (slip, (patron, round, amount.get().into())))
                .collect(),
            paid: Vec::new(),
        };
        accounts.tables.insert(table.clone(), AtTable { context, felt });
        accounts
    }

    fn post(&mut self, currency: &Currency, debit: Account, credit: Account, mut amount: u128) {
        // A posting holds what money can hold; only what is kept for many Rounds may be more.
        while amount > 0 {
            let part = Money::MAX.get().min(u64::try_from(amount).unwrap_or(u64::MAX));
            let money = Money::new(part).expect("no more than money holds");
            let (debit, credit, currency) = (debit.clone(), credit.clone(), currency.clone());
            let posting = Posting { debit, credit, amount: money, currency };
            self.books.entry(posting.currency.clone()).or_default().post(&posting);
            amount -= u128::from(part);
        }
    }
}
