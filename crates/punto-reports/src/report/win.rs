//! Win and handle: by table, by bet, by gaming day. Hold and edge stand apart.
//!
//! Handle is what played; edge is win ÷ handle, what the odds are about. Drop is cash into a drop box; hold is win ÷
//! drop, and says as much about how long patrons stay as about the game. Where there is no drop box there is no hold.
//! A correction or a void is booked when it is made, as the compensating entry that it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{SettledLine, TableId};
use punto_rules::BetId;
use serde::Serialize;

use super::moment::Moment;
use crate::day::GamingDay;
use crate::figure::Share;
use crate::meters::Play;
use crate::movement::{Movement, minor, to_patron};
use crate::sheet::{Bar, Cell, ColumnKind, Plot, Sheet};

/// What play came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Figures {
    #[serde(flatten)]
    pub play: Play,
    pub rounds: i64,
    /// What rulings about earlier Rounds gave the House.
    pub adjusted: i128,
    /// Cash into the drop boxes, where there are any.
    pub drop: Option<i128>,
    /// The part of the win that was made where there is a drop box.
    pub win_over_drop: i128,
}

impl Figures {
    /// What the House won, adjustments included.
    pub const fn win(&self) -> i128 {
        self.play.house() + self.adjusted
    }

    /// Win ÷ handle: of play alone, without adjustments.
    pub const fn edge(&self) -> Option<Share> {
        Share::new(self.play.house(), self.play.played)
    }

    /// Win ÷ drop, of the tables that have a drop box.
    pub fn hold(&self) -> Option<Share> {
        self.drop.and_then(|drop| Share::new(self.win_over_drop, drop))
    }

    fn plus(&mut self, other: &Figures) {
        let Play { wagered, played, won, returned, commission, wins, wagers } = other.play;
        self.play.wagered += wagered;
        self.play.played += played;
        self.play.won += won;
        self.play.returned += returned;
        self.play.commission += commission;
        self.play.wins += wins;
        self.play.wagers += wagers;
        self.rounds += other.rounds;
        self.adjusted += other.adjusted;
        self.win_over_drop += other.win_over_drop;
        if let Some(drop) = other.drop {
            *self.drop.get_or_insert_default() += drop;
        }
    }
}

/// Amounts of two currencies are never added up.
type Currency = Arc<str>;

/// Win and handle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct WinReport {
    pub tables: BTreeMap<(Currency, TableId), Figures>,
    pub bets: BTreeMap<(Currency, TableId, BetId), Figures>,
    pub days: BTreeMap<(Currency, GamingDay), Figures>,
}

impl Serialize for WinReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.sheets())
    }
}

impl WinReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>) {
        match &moment.movement {
            Movement::Settled { lines, .. } => {
                self.lines(moment, lines, 1);
                self.both(moment, |figures| figures.rounds += 1);
            }
            Movement::Corrected { lines, .. } => {
                self.lines(moment, moment.last().map_or(&[], |last| &last.lines), -1);
                self.lines(moment, lines, 1);
            }
            Movement::Voided { round, .. } => {
                if let Some(last) = moment.last().filter(|last| last.round == *round) {
                    self.lines(moment, &last.lines, -1);
                    self.both(moment, |figures| figures.rounds -= 1);
                }
            }
            Movement::Adjusted { changes, .. } => {
                let house: i128 = changes.iter().map(|change| -to_patron(change)).sum();
                self.both(moment, |figures| figures.adjusted += house);
            }
            Movement::Dropped { amount } => {
                self.both(moment, |figures| *figures.drop.get_or_insert_default() += minor(*amount));
            }
            Movement::Nothing
            | Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::Stake { .. }
            | Movement::Parts { .. }
            | Movement::Amended { .. }
            | Movement::TakenBack { .. }
            | Movement::Pushed { .. }
            | Movement::Bought { .. }
            | Movement::Redeemed { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::CashedOut { .. }
            | Movement::Collected { .. }
            | Movement::UnclaimedKept { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::HoldOrdered { .. }
            | Movement::PayoutHeld { .. }
            | Movement::HeldDecided { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. } => {}
        }
    }

    /// In the figures of the table and of the day.
    fn both(&mut self, moment: &Moment<'_>, change: impl Fn(&mut Figures)) {
        let currency = &moment.desk.currency;
        let of_table = self.tables.entry((currency.clone(), moment.table.clone())).or_default();
        let of_day = self.days.entry((currency.clone(), moment.day)).or_default();
        for figures in [of_table, of_day] {
            let before = figures.win();
            change(figures);
            if moment.desk.context.chips {
                figures.win_over_drop += figures.win() - before;
                figures.drop.get_or_insert_default();
            }
        }
    }

    fn lines(&mut self, moment: &Moment<'_>, lines: &[SettledLine], times: i64) {
        for line in lines {
            self.both(moment, |figures| figures.play.add(line, times));
            let key = (moment.desk.currency.clone(), moment.table.clone(), line.bet.clone());
            self.bets.entry(key).or_default().play.add(line, times);
        }
    }

    /// By table, by bet, by day.
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![self.by_table(), self.by_bet(), self.by_day()]
    }

    fn by_table(&self) -> Sheet {
        let mut sheet = sheet("win-by-table", "Win and handle by table", &[("table", "Table")], true);
        let rows = self.tables.iter().map(|((currency, table), it)| (currency, table.to_string(), it));
        with_totals(&mut sheet, rows, 1);
        about(&mut sheet);
        sheet
    }

    fn by_day(&self) -> Sheet {
        let mut sheet = sheet("win-by-day", "Win and handle by gaming day", &[("day", "Gaming day")], true);
        let rows = self.days.iter().map(|((currency, day), it)| (currency, day.to_string(), it));
        with_totals(&mut sheet, rows, 1);
        let mut plots: BTreeMap<&Currency, Vec<Bar>> = BTreeMap::new();
        for ((currency, day), figures) in &self.days {
            let bar = Bar { label: day.to_string(), amount: figures.win() };
            plots.entry(currency).or_default().push(bar);
        }
        for (currency, bars) in plots {
            let currency = currency.to_string();
            sheet.plots.push(Plot::Bars { title: "Win by gaming day".to_owned(), currency, bars });
        }
        about(&mut sheet);
        sheet.note("A correction, a void or an adjustment counts on the day on which it was made.");
        sheet
    }

    fn by_bet(&self) -> Sheet {
        let names = [("table", "Table"), ("bet", "Bet")];
        let mut sheet = sheet("win-by-bet", "Win and handle by bet", &names, false);
        for ((currency, table, bet), figures) in &self.bets {
            let mut cells = vec![table.as_str().into(), bet.as_str().into(), (&**currency).into()];
            cells.extend(figures_of(figures, false));
            sheet.row(cells);
        }
        sheet.note("Drop and adjustments belong to a table and not to a bet, so there is no hold here.");
        sheet
    }
}

fn sheet(
    id: &'static str,
    title: &'static str,
    names: &[(&'static str, &'static str)],
    with_drop: bool,
) -> Sheet {
    use ColumnKind::{Count, Money, Share, Text};
    let mut columns: Vec<_> = names.iter().map(|(id, heading)| (*id, *heading, Text)).collect();
    columns.push(("currency", "Currency", Text));
    if with_drop {
        columns.push(("rounds", "Rounds", Count));
    }
    columns.extend([
        ("wagers", "Wagers", Count),
        ("wagered", "Wagered", Money),
        ("handle", "Handle", Money),
        ("won", "Won by patrons", Money),
        ("returned", "Returned", Money),
        ("commission", "Commission", Money),
    ]);
    if with_drop {
        columns.push(("adjusted", "Adjusted", Money));
    }
    columns.extend([("win", "Win", Money), ("edge", "Edge: win ÷ handle", Share)]);
    if with_drop {
        columns.extend([("drop", "Drop", Money), ("hold", "Hold: win ÷ drop", Share)]);
    }
    Sheet::new(id, title, &columns)
}

fn figures_of(figures: &Figures, with_drop: bool) -> Vec<Cell> {
    let Play { wagered, played, won, returned, commission, wagers, .. } = figures.play;
    let mut cells = Vec::new();
    if with_drop {
        cells.push(Cell::Count(figures.rounds.into()));
    }
    cells.push(Cell::Count(wagers.into()));
    cells.extend([wagered, played, won, returned, commission].map(Cell::Money));
    if with_drop {
        cells.push(Cell::Money(figures.adjusted));
    }
    cells.extend([Cell::Money(figures.win()), figures.edge().into()]);
    if with_drop {
        cells.extend([figures.drop.map_or(Cell::Empty, Cell::Money), figures.hold().into()]);
    }
    cells
}

/// One row for each, and where a currency has several, their sum.
fn with_totals<'a>(
    sheet: &mut Sheet,
    rows: impl Iterator<Item = (&'a Currency, String, &'a Figures)>,
    least: usize,
) {
    let mut totals: BTreeMap<&Currency, (usize, Figures)> = BTreeMap::new();
    for (currency, name, figures) in rows {
        let mut cells = vec![name.into(), (&**currency).into()];
        cells.extend(figures_of(figures, true));
        sheet.row(cells);
        let total = totals.entry(currency).or_default();
        total.0 += 1;
        total.1.plus(figures);
    }
    for (currency, (_, total)) in totals.into_iter().filter(|(_, (count, _))| *count > least) {
        let mut cells = vec!["all".into(), (&**currency).into()];
        cells.extend(figures_of(&total, true));
        sheet.row(cells);
    }
}

fn about(sheet: &mut Sheet) {
    sheet.note(
        "Handle is what played: stakes less what came back unplayed (5.1.1). Commission is part of the win.",
    );
    sheet.note(
        "Edge is the win of settled Rounds ÷ handle. Hold is win ÷ drop, of tables with a drop box alone; the two are \
         different things.",
    );
}
