//! The plots of a sheet. Every figure shown stands in a table too; colour only helps, position and labels tell.

use punto_rules::Rank;

use super::figures::{decimal, percent, signed};
use super::sections::rank;
use super::sheet::{ParBet, ParSheet, SimulationCheck};
use super::svg::{BLUE, FAINT, GREY, INK, LABEL, SKY, Svg, VERMILION, WHITE, WIDTH, ticks, tint};

/// Where the bars of a plot by bet begin and end; names stand to the left, figures to the right.
const LEFT: f64 = 215.0;
const RIGHT: f64 = 910.0;
/// The height of a bet's row.
const ROW: f64 = 26.0;

/// The frame of a plot with a row for each bet: names, vertical rules at the ticks, and a scale under them.
struct Rows {
    svg: Svg,
    low: f64,
    high: f64,
    top: f64,
}

impl Rows {
    fn new(bets: &[ParBet], top: f64, marks: &[f64], places: usize, axis: &str) -> Rows {
        let (low, high) = (marks[0], marks[marks.len() - 1]);
        let bottom = top + ROW * bets.len() as f64;
        let mut rows = Rows { svg: Svg::new(bottom + 48.0), low, high, top };
        for &mark in marks {
            let x = rows.x(mark);
            rows.svg.line((x, top), (x, bottom), if mark == 0.0 { INK } else { GREY }, None);
            rows.svg.text(x, bottom + 18.0, LABEL.middle(), &decimal(mark, places));
        }
        rows.svg.text((LEFT + RIGHT) / 2.0, bottom + 40.0, LABEL.middle(), axis);
        for (index, bet) in bets.iter().enumerate() {
            let y = rows.middle(index);
            rows.svg.text(LEFT - 10.0, y + 5.0, LABEL, &bet.label.en);
        }
        rows
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.low) / (self.high - self.low) * (RIGHT - LEFT)
    }

    fn middle(&self, index: usize) -> f64 {
        self.top + ROW * (index as f64 + 0.5)
    }

    fn bar(&mut self, index: usize, from: f64, to: f64, fill: &str) {
        let (from, to) = (self.x(from.min(to)), self.x(from.max(to)));
        let y = self.middle(index) - 8.0;
        self.svg.rect(from, y, to - from, 16.0, fill, INK);
    }
}

/// Bars: the edge of each bet.
pub(super) fn edges(sheet: &ParSheet) -> String {
    let edges = || sheet.bets.iter().map(|bet| bet.summary.edge * 100.0);
    let marks = ticks(edges().fold(0.0, f64::min), edges().fold(0.0, f64::max));
    let places = usize::from(marks[marks.len() - 1] < 5.0);
    let mut rows = Rows::new(&sheet.bets, 10.0, &marks, places, "house edge, percent of a unit staked");
    for (index, bet) in sheet.bets.iter().enumerate() {
        let edge = bet.summary.edge * 100.0;
        rows.bar(index, 0.0, edge, if bet.original { BLUE } else { SKY });
        let (x, y) = (rows.x(edge.max(0.0)) + 8.0, rows.middle(index) + 5.0);
        rows.svg.text(x, y, LABEL.start(), &decimal(edge, 4));
    }
    let about = named(sheet, |bet| format!("{} %", percent(bet.summary.edge, 4)));
    rows.svg.finish("plot-edges", "House edge by bet", &about)
}

/// Stacked bars: where a unit staked goes.
pub(super) fn returns(sheet: &ParSheet) -> String {
    let most = sheet.bets.iter().map(|bet| bet.summary.rtp * 100.0).fold(100.0, f64::max);
    let marks: Vec<f64> =
        if most > 100.0 { ticks(0.0, most) } else { [0.0, 20.0, 40.0, 60.0, 80.0, 100.0].into() };
    let mut rows = Rows::new(&sheet.bets, 40.0, &marks, 0, "percent of a unit staked");
    let legend =
        [(GREY, "stake returned"), (SKY, "won, stake included, by odds"), (VERMILION, "kept by the House")];
    for ((fill, words), x) in legend.into_iter().zip([LEFT, LEFT + 150.0, LEFT + 390.0]) {
        rows.svg.rect(x, 10.0, 14.0, 14.0, fill, INK);
        rows.svg.text(x + 22.0, 22.0, LABEL.start(), words);
    }
    for (index, bet) in sheet.bets.iter().enumerate() {
        let mut from = 0.0;
        for row in bet.rows.iter().filter(|row| row.returns > 0.0) {
            let share = row.returns * 100.0;
            let returned = row.pays == "returned";
            rows.bar(index, from, from + share, if returned { GREY } else { SKY });
            let figure = format!("{} %", decimal(share, 1));
            let words = if returned {
                vec![figure]
            } else {
                vec![format!("{}: {figure}", row.pays), row.pays.clone()]
            };
            let room = rows.x(from + share) - rows.x(from);
            // A character takes about half its size. The table has what finds no room here.
            if let Some(words) = words.iter().find(|it| room > it.chars().count() as f64 * 6.0 + 6.0) {
                let (x, y) = (rows.x(from + share / 2.0), rows.middle(index) + 4.5);
                rows.svg.text(x, y, LABEL.middle().size(12.0), words);
            }
            from += share;
        }
        if from < 100.0 {
            rows.bar(index, from, 100.0, VERMILION);
        }
        let (x, y) = (rows.x(from.max(100.0)) + 8.0, rows.middle(index) + 5.0);
        rows.svg.text(x, y, LABEL.start(), &format!("{} %", percent(bet.summary.edge, 2)));
    }
    let about = named(sheet, |bet| {
        format!("{} % back, {} % kept", percent(bet.summary.rtp, 2), percent(bet.summary.edge, 2))
    });
    rows.svg.finish("plot-returns", "Where a unit staked goes, by bet", &about)
}

/// Dots: how far the simulation is off, in standard errors.
pub(super) fn scores(sheet: &ParSheet) -> String {
    let most = sheet.simulation.largest_z.max(SimulationCheck::MOST_Z).ceil();
    let whole = most as i32;
    let marks: Vec<f64> = (-whole..=whole).map(f64::from).collect();
    let mut rows =
        Rows::new(&sheet.bets, 10.0, &marks, 0, "z: simulated less exact edge, in standard errors");
    let bottom = 10.0 + ROW * sheet.bets.len() as f64;
    for bound in [-1.96, 1.96] {
        let x = rows.x(bound);
        rows.svg.line((x, 10.0), (x, bottom), INK, Some("5 4"));
    }
    for bound in [-SimulationCheck::MOST_Z, SimulationCheck::MOST_Z] {
        let x = rows.x(bound);
        rows.svg.line((x, 10.0), (x, bottom), INK, None);
    }
    for (index, bet) in sheet.simulation.bets.iter().enumerate() {
        let (x, y) = (rows.x(bet.z), rows.middle(index));
        let zero = rows.x(0.0);
        rows.svg.line((zero, y), (x, y), FAINT, None);
        rows.svg.dot(x, y, 5.0, if bet.z.abs() > SimulationCheck::MOST_Z { VERMILION } else { BLUE });
        rows.svg.text(WIDTH - 10.0, y + 5.0, LABEL, &signed(bet.z, 2));
    }
    let words =
        format!("The largest deviation is {} standard errors.", decimal(sheet.simulation.largest_z, 2));
    rows.svg.finish("plot-scores", "Simulation against exact figures, z by bet", &words)
}

/// Small plots side by side, one for each bet.
struct Panels {
    svg: Svg,
    columns: usize,
}

const PANEL: f64 = 132.0;
/// Within a panel: the title takes this much, the scale below the rest.
const HEAD: f64 = 26.0;
const BODY: f64 = 66.0;

impl Panels {
    fn new(bets: &[ParBet], axis: &str) -> Panels {
        let columns = if bets.len() > 12 { 4 } else { 3 };
        let height = PANEL * bets.len().div_ceil(columns) as f64;
        let mut svg = Svg::new(height + 22.0);
        svg.text(WIDTH / 2.0, height + 14.0, LABEL.middle(), axis);
        Panels { svg, columns }
    }

    /// Left and top of a panel, and its width.
    fn at(&self, index: usize) -> (f64, f64, f64) {
        let width = WIDTH / self.columns as f64;
        ((index % self.columns) as f64 * width, (index / self.columns) as f64 * PANEL, width - 20.0)
    }
}

/// Bars by rank: what removing a card does.
pub(super) fn removal(sheet: &ParSheet) -> String {
    let mut panels = Panels::new(&sheet.bets, "rank of the card removed; upwards is better for the patron");
    for (index, bet) in sheet.bets.iter().enumerate() {
        let (left, top, width) = panels.at(index);
        let svg = &mut panels.svg;
        let most = bet.removal.iter().map(|it| it.effect.abs()).fold(0.0, f64::max);
        svg.text(left, top + 15.0, LABEL.start().bold(), &bet.label.en);
        let scale = if most > 0.0 { format!("± {}", percent(most, 3)) } else { "no effect".to_string() };
        svg.text(left + width, top + 15.0, LABEL.size(12.0), &scale);
        let sets = bet.removal_by_suits().count() as f64;
        let (step, zero) = (width / Rank::ALL.len() as f64, top + HEAD + BODY / 2.0);
        let bar = (step - 4.0) / sets;
        for (set, effects) in bet.removal_by_suits().enumerate() {
            for (place, it) in effects.iter().enumerate() {
                let height = if most > 0.0 { it.effect / most * BODY / 2.0 } else { 0.0 };
                let x = left + step * place as f64 + 2.0 + bar * set as f64;
                if height != 0.0 {
                    let fill = if height > 0.0 { BLUE } else { VERMILION };
                    svg.rect(x, zero - height.max(0.0), bar, height.abs(), fill, INK);
                }
            }
        }
        for (place, it) in Rank::ALL.into_iter().enumerate() {
            let x = left + step * (place as f64 + 0.5);
            svg.text(x, top + HEAD + BODY + 17.0, LABEL.middle().size(12.0), &rank(it.symbol()));
        }
        svg.line((left, zero), (left + width, zero), INK, None);
    }
    let words = "One small plot for each bet: bars upwards are good for the patron, bars downwards for the House. \
                 The figures stand in the table of removal effects.";
    panels.svg.finish("plot-removal", "Effect of removing one card, by rank and bet", words)
}

/// Lines: the edge against the number of decks.
pub(super) fn decks(sheet: &ParSheet) -> String {
    let mut panels = Panels::new(&sheet.bets, "number of decks; upwards is a higher house edge");
    for (index, bet) in sheet.bets.iter().enumerate() {
        let (left, top, width) = panels.at(index);
        let svg = &mut panels.svg;
        let edges = || bet.by_decks.iter().map(|it| it.edge);
        let (low, high) = (edges().fold(f64::MAX, f64::min), edges().fold(f64::MIN, f64::max));
        svg.text(left, top + 15.0, LABEL.start().bold(), &bet.label.en);
        let axis = left + 62.0;
        let step = (left + width - axis - 20.0) / (bet.by_decks.len() - 1).max(1) as f64;
        let y = |edge: f64| {
            let share = if high > low { (edge - low) / (high - low) } else { 0.5 };
            top + HEAD + 6.0 + (1.0 - share) * (BODY - 12.0)
        };
        svg.line((axis, top + HEAD), (axis, top + HEAD + BODY), FAINT, None);
        svg.line((axis, top + HEAD + BODY), (left + width, top + HEAD + BODY), FAINT, None);
        for bound in if high > low { vec![low, high] } else { vec![low] } {
            svg.line((axis - 4.0, y(bound)), (axis, y(bound)), FAINT, None);
            svg.text(axis - 7.0, y(bound) + 4.0, LABEL.size(12.0), &format!("{} %", percent(bound, 2)));
        }
        let points: Vec<(f64, f64)> = bet
            .by_decks
            .iter()
            .enumerate()
            .map(|(at, it)| (axis + 10.0 + step * at as f64, y(it.edge)))
            .collect();
        svg.polyline(&points, BLUE);
        for (&(x, y), it) in points.iter().zip(&bet.by_decks) {
            let here = it.decks == sheet.identification.decks;
            svg.dot(x, y, if here { 4.5 } else { 3.0 }, if here { BLUE } else { WHITE });
            let set = LABEL.middle().size(12.0);
            svg.text(x, top + HEAD + BODY + 17.0, if here { set.bold() } else { set }, &it.decks.to_string());
        }
    }
    let words = "One small plot for each bet: house edge upwards, number of decks to the right; the filled dot is the shoe of \
                 this sheet. The figures stand in the table by number of decks.";
    panels.svg.finish("plot-decks", "House edge against the number of decks, by bet", words)
}

/// A triangle of cells: the correlation of every two bets.
pub(super) fn correlations(sheet: &ParSheet) -> String {
    let count = sheet.bets.len();
    let left = 225.0;
    let cell = ((WIDTH - left) / count as f64).min(58.0);
    // Small cells have room for hundredths only.
    let small = cell < 40.0;
    let mut svg = Svg::new(cell * count as f64 + 44.0);
    let set = LABEL.size(if small { 11.0 } else { 13.0 });
    for (index, bet) in sheet.bets.iter().enumerate() {
        let middle = cell * (index as f64 + 0.5);
        // The number stands apart: names may end in one.
        svg.text(left - 8.0, middle + 5.0, set.bold(), &(index + 1).to_string());
        svg.text(left - 36.0, middle + 5.0, LABEL.size(13.0), &bet.label.en);
        svg.text(left + middle, cell * count as f64 + 16.0, set.middle().bold(), &(index + 1).to_string());
        svg.rect(left + middle - cell / 2.0, middle - cell / 2.0, cell, cell, GREY, WHITE);
    }
    let unit = if small { "correlation in hundredths: " } else { "correlation: " };
    let key = format!(
        "{unit}blue and + together, vermilion and − against each other; columns are numbered as rows"
    );
    svg.text(left, cell * count as f64 + 38.0, LABEL.start().size(13.0), &key);
    let mut pairs = sheet.pairs.iter();
    for column in 0..count {
        for row in column + 1..count {
            let Some(pair) = pairs.next() else { break };
            let it = pair.correlation;
            let (x, y) = (left + cell * column as f64, cell * row as f64);
            let fill = tint(if it < 0.0 { VERMILION } else { BLUE }, it.abs().sqrt());
            svg.rect(x, y, cell, cell, &fill, WHITE);
            let words = if small { signed(it * 100.0, 0) } else { signed(it, 2) };
            let ink = if it.abs() > 0.6 { WHITE } else { INK };
            svg.text(x + cell / 2.0, y + cell / 2.0 + 4.5, set.middle().fill(ink), &words);
        }
    }
    let strongest = sheet.pairs.iter().max_by(|a, b| a.correlation.abs().total_cmp(&b.correlation.abs()));
    let words = strongest.map_or("One bet only.".to_string(), |it| {
        format!("The strongest is {} between {} and {}.", signed(it.correlation, 4), it.bets[0], it.bets[1])
    });
    svg.finish("plot-joint", "Correlation of every two bets", &words)
}

/// `Player 1.2351 %, Banker …`: what a plot shows, for those who cannot see it.
fn named(sheet: &ParSheet, figure: impl Fn(&ParBet) -> String) -> String {
    let bets: Vec<String> =
        sheet.bets.iter().map(|bet| format!("{} {}", bet.label.en, figure(bet))).collect();
    bets.join(", ")
}
