//! Meters: what was wagered, won and returned, what came in and went out, by terminal, table and bet.
//!
//! Wagers are metered when their Round is settled. A correction takes the old lines off and puts the new ones on; a void
//! of a settled Round takes them off. So a meter always says what the record says now, and not what it said once.
//!
//! The identity, after every event, for every terminal and every table:
//!
//! ```text
//! in − out = credits + felt + unclaimed + held − owed + (wagered − won − returned) + adjusted
//! ```
//!
//! `in` is cash, tickets and chips; `out` is tickets, chips, unclaimed money paid in cash and held payouts that were
//! forfeited. `won` is all that goes back
//! to a patron beside `returned`: the stake of a win and its winnings. So `wagered − won − returned` is what the House
//! won, and `adjusted` what rulings moved on top of it.

use std::collections::BTreeMap;

use punto_record::{Change, Entry, HeldOutcome, Return, SettledLine, TableId, VerdictWord};
use punto_rules::{BetId, PatronNo};
use serde::Serialize;

use crate::context::Context;
use crate::movement::{Movement, Spot, Step, minor, to_patron};

/// What wagers came to, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Play {
    /// Stakes of settled wagers: the turnover.
    pub wagered: i128,
    /// How much of them played (5.1.1): the handle.
    pub played: i128,
    /// Back to patrons by wins: stakes and winnings.
    pub won: i128,
    /// Back to patrons unplayed, or by a return.
    pub returned: i128,
    /// What the House kept of gross winnings; it is in the House's win already.
    pub commission: i128,
    /// Settled wagers, won and in all.
    pub wins: i64,
    pub wagers: i64,
}

impl Play {
    /// What the House won.
    pub const fn house(&self) -> i128 {
        self.wagered - self.won - self.returned
    }

    pub(crate) fn add(&mut self, line: &SettledLine, times: i64) {
        let by = i128::from(times);
        self.wagered += by * minor(line.stake);
        self.played += by * minor(line.playing);
        self.won += by * (minor(line.to_patron) - minor(line.returned));
        self.returned += by * minor(line.returned);
        self.commission += by * minor(line.commission);
        self.wins += times * i64::from(line.verdict == VerdictWord::Won);
        self.wagers += times;
    }
}

/// The meter of a terminal or of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Meter {
    #[serde(flatten)]
    pub play: Play,
    pub cash_in: i128,
    pub tickets_in: i128,
    pub chips_in: i128,
    pub tickets_out: i128,
    pub chips_out: i128,
    /// Unclaimed money that was paid in cash.
    pub unclaimed_out: i128,
    /// Held payouts that were forfeited.
    pub forfeited_out: i128,
    /// What rulings about earlier Rounds gave the House; negative where it paid.
    pub adjusted: i128,
    pub credits: i128,
    pub felt: i128,
    pub unclaimed: i128,
    /// Payouts that are held.
    pub held: i128,
    pub owed: i128,
    /// Rounds that were settled, void and corrected. Of a terminal: those in which it had a wager.
    pub rounds: i64,
    pub voids: i64,
    pub corrections: i64,
}

impl Meter {
    /// Everything that came in.
    pub const fn total_in(&self) -> i128 {
        self.cash_in + self.tickets_in + self.chips_in
    }

    /// Everything that went out.
    pub const fn total_out(&self) -> i128 {
        self.tickets_out + self.chips_out + self.unclaimed_out + self.forfeited_out
    }

    /// Whether the identity holds.
    pub const fn is_balanced(&self) -> bool {
        let there = self.credits + self.felt + self.unclaimed + self.held - self.owed;
        self.total_in() - self.total_out() == there + self.play.house() + self.adjusted
    }
}

/// The meters of one table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TableMeters {
    /// All terminals, or all patrons with chips, together.
    pub table: Meter,
    /// Each of them.
    pub terminals: BTreeMap<PatronNo, Meter>,
    /// Each bet.
    pub bets: BTreeMap<BetId, Play>,
    /// Cash into the drop box of a chip table.
    pub drop: i128,
    #[serde(skip)]
    context: Context,
    #[serde(skip)]
    felt: BTreeMap<(PatronNo, Option<punto_record::BoxNo>, BetId), i128>,
}

/// The meters of every table.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Meters {
    tables: BTreeMap<TableId, TableMeters>,
}

impl Meters {
    /// Takes an entry of a table's record.
    pub fn enter(&mut self, table: &TableId, entry: &Entry) {
        if !self.tables.contains_key(table) {
            self.tables.insert(table.clone(), TableMeters::default());
        }
        let Some(meters) = self.tables.get_mut(table) else { return };
        for event in &entry.events {
            meters.take(&Movement::of(event));
        }
    }

    /// Those of one table.
    pub fn table(&self, table: &TableId) -> Option<&TableMeters> {
        self.tables.get(table)
    }

    /// All of them.
    pub fn tables(&self) -> impl Iterator<Item = (&TableId, &TableMeters)> {
        self.tables.iter()
    }
}

impl TableMeters {
    /// Whether the identity holds for the table and for every terminal.
    pub fn is_balanced(&self) -> bool {
        self.table.is_balanced() && self.terminals.values().all(Meter::is_balanced)
    }

    fn both(&mut self, patron: PatronNo, change: impl Fn(&mut Meter)) {
        change(&mut self.table);
        change(self.terminals.entry(patron).or_default());
    }

    fn take(&mut self, movement: &Movement<'_>) {
        match movement {
            Movement::Nothing
            | Movement::Settings(_)
            | Movement::Parts { .. }
            | Movement::HoldOrdered { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. } => {}
            Movement::RoundCommenced { .. } => self.felt.clear(),
            Movement::Stake { spot, step } => match step {
                Step::More { amount, .. } => self.stake(*spot, minor(*amount)),
                Step::Less { amount, .. } => self.stake(*spot, -minor(*amount)),
                Step::Is { stake } => self.set_stake(*spot, minor(*stake)),
            },
            Movement::Amended { spot, stake, .. } => self.set_stake(*spot, minor(*stake)),
            Movement::TakenBack { returns, .. } => self.give_back(returns),
            Movement::Voided { returns, changes, .. } => self.void(returns, changes),
            Movement::Settled { lines, .. } => {
                for line in lines.iter() {
                    let (stake, back) = (minor(line.stake), minor(line.to_patron));
                    self.both(line.patron, |meter| meter.felt -= stake);
                    self.hand_out(line.patron, back);
                }
                self.lines(lines, 1);
                self.table.rounds += 1;
                self.each_once(lines, |meter| meter.rounds += 1);
            }
            Movement::Corrected { lines, changes, .. } => {
                self.compensate(changes);
                let last = self.context.last.take();
                self.lines(last.as_ref().map_or(&[], |last| &last.lines), -1);
                self.lines(lines, 1);
                self.table.corrections += 1;
                self.each_once(lines, |meter| meter.corrections += 1);
            }
            Movement::Adjusted { changes, .. } => {
                self.compensate(changes);
                for change in changes.iter() {
                    self.both(change.patron, |meter| meter.adjusted -= to_patron(change));
                }
            }
            Movement::Pushed { patron, payout, counted, .. } => {
                let over = minor(counted.less(*payout));
                self.both(*patron, |meter| meter.owed += over);
                self.hand_out(*patron, over);
            }
            Movement::Bought { patron, amount, .. } | Movement::Noted { patron, amount, .. } => {
                self.both(*patron, |meter| {
                    meter.cash_in += minor(*amount);
                    meter.credits += minor(*amount);
                })
            }
            Movement::Redeemed { patron, amount, .. } => self.both(*patron, |meter| {
                meter.tickets_in += minor(*amount);
                meter.credits += minor(*amount);
            }),
            Movement::CashedOut { patron, amount, .. } => self.both(*patron, |meter| {
                meter.tickets_out += minor(*amount);
                meter.credits -= minor(*amount);
            }),
            Movement::Collected { patron, amount, .. } => {
                self.both(*patron, |meter| meter.owed -= minor(*amount));
                self.bring(*patron, minor(*amount));
            }
            Movement::UnclaimedKept { patron, amount, .. } => {
                self.both(*patron, |meter| meter.unclaimed += minor(*amount));
                self.hand_out(*patron, -minor(*amount));
            }
            Movement::UnclaimedPaid { patron, amount } => {
                let chips = self.context.chips;
                self.both(*patron, |meter| {
                    meter.unclaimed -= minor(*amount);
                    *if chips { &mut meter.chips_out } else { &mut meter.unclaimed_out } += minor(*amount);
                });
            }
            Movement::PayoutHeld { patron, amount, from_unclaimed, .. } => {
                self.both(*patron, |meter| {
                    meter.held += minor(*amount);
                    meter.unclaimed -= minor(*from_unclaimed);
                });
                self.hand_out(*patron, minor(*from_unclaimed) - minor(*amount));
            }
            Movement::HeldDecided { patron, amount, outcome, .. } => self.both(*patron, |meter| {
                meter.held -= minor(*amount);
                match outcome {
                    HeldOutcome::Released => meter.unclaimed += minor(*amount),
                    HeldOutcome::Forfeited => meter.forfeited_out += minor(*amount),
                }
            }),
            Movement::Dropped { amount } => self.drop += minor(*amount),
        }
        self.context.take(movement);
    }

    /// A patron brings money to the felt or to the Dealer.
    fn bring(&mut self, patron: PatronNo, amount: i128) {
        let chips = self.context.chips;
        self.both(patron, |meter| if chips { meter.chips_in += amount } else { meter.credits -= amount });
    }

    /// Money goes to a patron.
    fn hand_out(&mut self, patron: PatronNo, amount: i128) {
        let chips = self.context.chips;
        self.both(patron, |meter| if chips { meter.chips_out += amount } else { meter.credits += amount });
    }

    fn stake(&mut self, spot: Spot<'_>, more: i128) {
        if more > 0 {
            self.bring(spot.patron, more)
        } else {
            self.hand_out(spot.patron, -more)
        }
        self.both(spot.patron, |meter| meter.felt += more);
        *self.felt.entry((spot.patron, spot.box_no, spot.bet.clone())).or_default() += more;
    }

    fn set_stake(&mut self, spot: Spot<'_>, stake: i128) {
        let there = self.felt.get(&(spot.patron, spot.box_no, spot.bet.clone())).copied().unwrap_or_default();
        self.stake(spot, stake - there);
    }

    fn give_back(&mut self, returns: &[Return]) {
        for Return { patron, box_no, bet, amount, .. } in returns {
            self.stake(Spot { patron: *patron, box_no: *box_no, bet }, -minor(*amount));
        }
    }

    fn void(&mut self, returns: &[Return], changes: &[Change]) {
        self.table.voids += 1;
        let mut patrons: Vec<PatronNo> = returns.iter().map(|it| it.patron).collect();
        self.give_back(returns);
        self.compensate(changes);
        if let Some(last) = self.context.last.take() {
            self.lines(&last.lines, -1);
            self.table.rounds -= 1;
            self.each_once(&last.lines, |meter| {
                meter.rounds -= 1;
                meter.voids += 1;
            });
        }
        patrons.sort();
        patrons.dedup();
        patrons.iter().for_each(|patron| self.terminals.entry(*patron).or_default().voids += 1);
    }

    fn lines(&mut self, lines: &[SettledLine], times: i64) {
        for line in lines {
            self.both(line.patron, |meter| meter.play.add(line, times));
            match self.bets.get_mut(&line.bet) {
                Some(play) => play.add(line, times),
                None => self.bets.entry(line.bet.clone()).or_default().add(line, times),
            }
        }
    }

    /// Each terminal that has a line, once.
    fn each_once(&mut self, lines: &[SettledLine], change: impl Fn(&mut Meter)) {
        let mut patrons: Vec<PatronNo> = lines.iter().map(|line| line.patron).collect();
        patrons.sort();
        patrons.dedup();
        patrons.into_iter().for_each(|patron| change(self.terminals.entry(patron).or_default()));
    }

    fn compensate(&mut self, changes: &[Change]) {
        for change in changes {
            self.both(change.patron, |meter| {
                meter.credits -= minor(change.taken);
                meter.unclaimed -= minor(change.from_unclaimed);
                meter.held -= minor(change.from_held);
                meter.owed += minor(change.uncollected) - minor(change.cancelled);
            });
            self.hand_out(change.patron, minor(change.paid));
        }
    }
}
