//! Actual against theoretical win, by bet and by table, with the interval in which 95 of 100 tables would lie.
//!
//! The exact edge of each bet for the table's layout and decks, times what played. Stakes on one bet in one Round win
//! and lose together, and bets of one Round go together as their outcomes do: the interval takes both into account.

use std::collections::BTreeMap;

use punto_record::{SettledLine, TableId};
use punto_rules::BetId;
use serde::Serialize;

use super::moment::Moment;
use crate::figure::Share;
use crate::movement::{Movement, minor};
use crate::sheet::{Cell, ColumnKind, Interval, Plot, Sheet};
use crate::theory::{Expected, Pricing};

/// One line: a bet, or a table with all its bets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Compared {
    pub table: TableId,
    pub game: String,
    pub layout: String,
    pub decks: u8,
    pub currency: String,
    /// `None` for the table as a whole.
    pub bet: Option<BetId>,
    pub rounds: i64,
    pub handle: i128,
    pub actual: i128,
    pub theoretical: i128,
    pub low: i128,
    pub high: i128,
    /// The exact edge of the bet.
    pub edge: Option<String>,
    /// Thousandths of a standard deviation between the two.
    pub z_thousandths: i64,
    pub is_outside: bool,
}

/// Settings under which a table played.
type Stint = (TableId, String, String, u8, String);

/// Actual against theoretical.
#[derive(Clone, Debug, Default)]
pub struct TheoreticalReport {
    stints: BTreeMap<Stint, AtStint>,
}

#[derive(Clone, Debug, Default)]
struct AtStint {
    /// `None` where the rule book cannot be priced.
    pricing: Option<Pricing>,
    rounds: i64,
    bets: BTreeMap<usize, OnBet>,
    /// Sums over Rounds of the stakes on two bets multiplied.
    products: BTreeMap<(usize, usize), i128>,
}

#[derive(Clone, Copy, Debug, Default)]
struct OnBet {
    rounds: i64,
    handle: i128,
    win: i128,
}

impl TheoreticalReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>) {
        if let Movement::Settled { lines, .. } = &moment.movement {
            self.round(moment, lines, 1);
        } else if let Movement::Corrected { lines, .. } = &moment.movement {
            self.round(moment, moment.last().map_or(&[], |last| &last.lines), -1);
            self.round(moment, lines, 1);
        } else if let (Movement::Voided { .. }, Some(last)) = (&moment.movement, moment.last()) {
            self.round(moment, &last.lines, -1);
        }
    }

    fn round(&mut self, moment: &Moment<'_>, lines: &[SettledLine], times: i64) {
        let (Some(settings), Some(rulebook)) = (&moment.desk.settings, &moment.desk.rulebook) else { return };
        let stint = (
            moment.table.clone(),
            settings.game.clone(),
            settings.layout.clone(),
            settings.decks,
            settings.currency.as_str().to_owned(),
        );
        let at = self
            .stints
            .entry(stint)
            .or_insert_with(|| AtStint { pricing: Pricing::new(settings, rulebook), ..AtStint::default() });
        let Some(pricing) = &at.pricing else { return };
        let mut staked: BTreeMap<usize, (i128, i128)> = BTreeMap::new();
        for line in lines {
            if let Some(bet) = pricing.bet_no(&line.bet) {
                let on = staked.entry(bet).or_default();
                on.0 += minor(line.playing);
                on.1 += minor(line.stake) - minor(line.to_patron);
            }
        }
        let by = i128::from(times);
        at.rounds += times;
        for (bet, (playing, win)) in &staked {
            let on = at.bets.entry(*bet).or_default();
            on.rounds += times;
            on.handle += by * playing;
            on.win += by * win;
            for (other, (with, _)) in staked.range(bet..) {
                let product = at.products.entry((*bet, *other)).or_default();
                *product = product.saturating_add(by * playing.saturating_mul(*with));
            }
        }
    }

    /// Every bet that was played, and after the bets of a table the table.
    pub fn lines(&self) -> Vec<Compared> {
        let mut lines = Vec::new();
        for (stint, at) in &self.stints {
            let Some(pricing) = &at.pricing else { continue };
            let played: Vec<_> = at.bets.iter().filter(|(_, on)| on.rounds > 0).collect();
            for (bet, on) in &played {
                let square = at.products.get(&(**bet, **bet)).copied().unwrap_or_default();
                let expected = pricing.expect(&[(**bet, on.handle)], &[((**bet, **bet), square)], on.win);
                let edge = pricing.edge(**bet);
                let name = Some((pricing.bet(**bet).clone(), edge.to_string()));
                lines.push(compared(stint, name, **on, expected));
            }
            let handles: Vec<_> = played.iter().map(|(bet, on)| (**bet, on.handle)).collect();
            let products: Vec<_> = at.products.iter().map(|(pair, product)| (*pair, *product)).collect();
            let all = OnBet {
                rounds: at.rounds,
                handle: played.iter().map(|(_, on)| on.handle).sum(),
                win: played.iter().map(|(_, on)| on.win).sum(),
            };
            if at.rounds > 0 {
                lines.push(compared(stint, None, all, pricing.expect(&handles, &products, all.win)));
            }
        }
        lines
    }

    /// By bet and by table.
    pub fn sheets(&self) -> Vec<Sheet> {
        let lines = self.lines();
        let of_bets: Vec<_> = lines.iter().filter(|it| it.bet.is_some()).collect();
        let of_tables: Vec<_> = lines.iter().filter(|it| it.bet.is_none()).collect();
        let unpriced = self.stints.iter().filter(|(_, at)| at.pricing.is_none());
        let notes: Vec<String> = unpriced
            .map(|((table, game, layout, ..), _)| {
                format!("{table}: layout {layout} of {game} cannot be priced by this release.")
            })
            .collect();
        let by_bet = "Actual against theoretical win by bet";
        let by_table = "Actual against theoretical win by table";
        vec![
            sheet("theoretical-by-bet", by_bet, &of_bets, &notes),
            sheet("theoretical-by-table", by_table, &of_tables, &notes),
        ]
    }
}

impl Serialize for TheoreticalReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lines())
    }
}

fn compared(stint: &Stint, bet: Option<(BetId, String)>, on: OnBet, expected: Expected) -> Compared {
    let (table, game, layout, decks, currency) = stint.clone();
    let Expected { win: theoretical, low, high, z } = expected;
    let is_outside = on.win < low || on.win > high;
    let (bet, edge) = bet.unzip();
    let (rounds, handle, actual, z_thousandths) = (on.rounds, on.handle, on.win, z);
    Compared {
        table,
        game,
        layout,
        decks,
        currency,
        bet,
        rounds,
        handle,
        actual,
        theoretical,
        low,
        high,
        edge,
        z_thousandths,
        is_outside,
    }
}

fn sheet(id: &'static str, title: &'static str, lines: &[&Compared], notes: &[String]) -> Sheet {
    use ColumnKind::{Count, Decimal, Money, Share as Part, Text};
    let columns = [
        ("table", "Table", Text),
        ("game", "Game, layout, decks", Text),
        ("bet", "Bet", Text),
        ("currency", "Currency", Text),
        ("rounds", "Rounds", Count),
        ("handle", "Handle", Money),
        ("actual", "Actual win", Money),
        ("theoretical", "Theoretical win", Money),
        ("low", "95 % from", Money),
        ("high", "95 % to", Money),
        ("z", "z", Decimal),
        ("actual_edge", "Actual edge", Part),
        ("outside", "Outside 95 %", Text),
    ];
    let mut sheet = Sheet::new(id, title, &columns);
    let mut plots: BTreeMap<&str, Vec<Interval>> = BTreeMap::new();
    for it in lines {
        let bet = it.bet.as_ref().map_or("all bets", BetId::as_str);
        sheet.row(vec![
            it.table.as_str().into(),
            format!("{} {}, {} decks", it.game, it.layout, it.decks).into(),
            bet.into(),
            it.currency.as_str().into(),
            Cell::Count(it.rounds.into()),
            Cell::Money(it.handle),
            Cell::Money(it.actual),
            Cell::Money(it.theoretical),
            Cell::Money(it.low),
            Cell::Money(it.high),
            z(it.z_thousandths).into(),
            Share::new(it.actual, it.handle).into(),
            if it.is_outside { "outside" } else { "" }.into(),
        ]);
        let label = match &it.bet {
            Some(bet) => format!("{}: {bet}", it.table),
            None => it.table.to_string(),
        };
        let Compared { actual, theoretical, low, high, .. } = **it;
        let interval = Interval { label, actual, expected: theoretical, low, high };
        plots.entry(&it.currency).or_default().push(interval);
    }
    for (currency, items) in plots {
        let title = "Actual win and the interval around the theoretical one".to_owned();
        sheet.plots.push(Plot::Intervals { title, currency: currency.to_owned(), items });
    }
    sheet.note(
        "Theoretical win is the exact edge of a full shoe times the handle. The interval is normal: with few Rounds, or \
         on bets that seldom win, expect more than 5 in 100 outside it.",
    );
    notes.iter().for_each(|note| sheet.note(note.clone()));
    sheet
}

/// `-2.31`
fn z(thousandths: i64) -> String {
    let hundredths = (thousandths.unsigned_abs() + 5) / 10;
    let sign = if thousandths < 0 && hundredths > 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths / 100, hundredths % 100)
}
