//! Plots as SVG, drawn in whole tenths of a unit: no float, no picture from elsewhere.

use std::fmt::Write;

use punto_rules::text::Html;

use crate::figure;
use crate::sheet::{Bar, Interval, Plot};

/// Okabe and Ito's colours, told apart by everybody. Nothing is said by colour alone.
const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const SKY: &str = "#A9D6F0";
const INK: &str = "#1A1A1A";
const FAINT: &str = "#B5B5B5";

/// Width of a plot, of its labels on the left and of its figures on the right, in tenths.
const WIDTH: i128 = 10_000;
const LABELS: i128 = 2_600;
const FIGURES: i128 = 1_700;
/// Height of a line, in tenths.
const LINE: i128 = 260;
/// More lines than this make no picture that anybody can read.
const MOST_LINES: usize = 120;

/// A plot as an element of a page; `id` must be the only one of its kind there.
pub(crate) fn draw(plot: &Plot, id: &str) -> String {
    match plot {
        Plot::Bars { title, currency, bars } => draw_bars(id, title, currency, bars),
        Plot::Intervals { title, currency, items } => draw_intervals(id, title, currency, items),
    }
}

/// Where amounts lie between the labels and the figures.
struct Scale {
    low: i128,
    high: i128,
}

impl Scale {
    fn over(amounts: impl Iterator<Item = i128>) -> Scale {
        let (mut low, mut high) = (0, 0);
        for amount in amounts {
            (low, high) = (low.min(amount), high.max(amount));
        }
        Scale { low, high: if high == low { low.saturating_add(1) } else { high } }
    }

    fn x(&self, amount: i128) -> i128 {
        let (room, span) = (WIDTH - LABELS - FIGURES, self.high.saturating_sub(self.low).max(1));
        LABELS + amount.saturating_sub(self.low).saturating_mul(room) / span
    }
}

struct Drawing(String);

impl Drawing {
    fn put(&mut self, what: std::fmt::Arguments<'_>) {
        self.0.write_fmt(what).expect("a string takes everything");
        self.0.push('\n');
    }

    fn rect(&mut self, (x, y): (i128, i128), (width, height): (i128, i128), fill: &str) {
        let (x, y, width, height) = (tenths(x), tenths(y), tenths(width.max(0)), tenths(height));
        self.put(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#));
    }

    fn upright(&mut self, x: i128, from: i128, to: i128, stroke: &str) {
        let (x, from, to) = (tenths(x), tenths(from), tenths(to));
        self.put(format_args!(r#"<line x1="{x}" y1="{from}" x2="{x}" y2="{to}" stroke="{stroke}"/>"#));
    }

    fn text(&mut self, (x, y): (i128, i128), anchor: &str, weight: u16, text: &str) {
        let (x, y, text) = (tenths(x), tenths(y), escape(text));
        self.put(format_args!(
            r#"<text x="{x}" y="{y}" font-size="14" font-weight="{weight}" text-anchor="{anchor}" fill="{INK}">{text}</text>"#
        ));
    }

    fn finish(self, id: &str, title: &str, height: i128) -> String {
        let (title, width, height) = (escape(title), tenths(WIDTH), tenths(height));
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{id}-title\">\n\
             <title id=\"{id}-title\">{title}</title>\n{}</svg>",
            self.0
        )
    }
}

fn draw_bars(id: &str, title: &str, currency: &str, bars: &[Bar]) -> String {
    let shown = &bars[bars.len().saturating_sub(MOST_LINES)..];
    let scale = Scale::over(shown.iter().map(|bar| bar.amount));
    let (mut drawing, height) = (Drawing(String::new()), shown.len() as i128 * LINE + 60);
    let zero = scale.x(0);
    for (at, bar) in shown.iter().enumerate() {
        let y = at as i128 * LINE + 40;
        let x = scale.x(bar.amount);
        let fill = if bar.amount < 0 { VERMILION } else { BLUE };
        drawing.rect((x.min(zero), y), ((x - zero).abs(), LINE - 80), fill);
        drawing.text((LABELS - 120, y + 150), "end", 400, &bar.label);
        drawing.text((WIDTH, y + 150), "end", 400, &figure::money(bar.amount));
    }
    drawing.upright(zero, 20, height - 20, INK);
    drawing.finish(id, &format!("{title}, {currency}"), height)
}

/// A band for the interval, a line for what was expected, a mark for what happened: a square outside, a diamond inside.
fn draw_intervals(id: &str, title: &str, currency: &str, items: &[Interval]) -> String {
    let shown = &items[..items.len().min(MOST_LINES)];
    let scale = Scale::over(shown.iter().flat_map(|it| [it.low, it.high, it.actual]));
    let (mut drawing, height) = (Drawing(String::new()), shown.len() as i128 * LINE + 60);
    drawing.upright(scale.x(0), 20, height - 20, FAINT);
    for (at, it) in shown.iter().enumerate() {
        let y = at as i128 * LINE + 40;
        let (low, high, x) = (scale.x(it.low), scale.x(it.high), scale.x(it.actual));
        drawing.rect((low, y + 20), (high - low, LINE - 120), SKY);
        drawing.upright(scale.x(it.expected), y + 20, y + LINE - 100, BLUE);
        let middle = y + 90;
        if it.is_outside() {
            drawing.rect((x - 55, middle - 55), (110, 110), VERMILION);
        } else {
            let corners = [(x, middle - 65), (x + 65, middle), (x, middle + 65), (x - 65, middle)];
            let points: Vec<String> =
                corners.iter().map(|(x, y)| format!("{},{}", tenths(*x), tenths(*y))).collect();
            drawing.put(format_args!(r#"<polygon points="{}" fill="{INK}"/>"#, points.join(" ")));
        }
        let weight = if it.is_outside() { 600 } else { 400 };
        drawing.text((LABELS - 120, y + 140), "end", weight, &it.label);
        let words = if it.is_outside() { " outside" } else { "" };
        drawing.text((WIDTH, y + 140), "end", weight, &(figure::money(it.actual) + words));
    }
    drawing.finish(id, &format!("{title}, {currency}"), height)
}

/// Tenths as a decimal number.
fn tenths(number: i128) -> String {
    let (sign, whole) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    if whole.is_multiple_of(10) {
        format!("{sign}{}", whole / 10)
    } else {
        format!("{sign}{}.{}", whole / 10, whole % 10)
    }
}

/// Text as it stands in HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    Html(text).to_string()
}
