//! A small writer of SVG: rectangles, lines and text. What it makes stands in a page, has a title and a description, and
//! needs nothing from elsewhere.

use std::fmt::Write;

use punto_rules::text::Html;

/// Okabe and Ito's colours, told apart by everybody, and greys. Nothing is said by colour alone.
pub(super) const BLUE: &str = "#0072B2";
pub(super) const SKY: &str = "#A9D6F0";
pub(super) const VERMILION: &str = "#D55E00";
pub(super) const GREY: &str = "#D9D9D9";
pub(super) const INK: &str = "#1A1A1A";
pub(super) const FAINT: &str = "#8C8C8C";
pub(super) const WHITE: &str = "#FFFFFF";

/// All plots have this width; their height follows.
pub(super) const WIDTH: f64 = 1000.0;

/// Where a text is tied to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) fill: &'static str,
    pub(super) bold: bool,
}

/// 14 of 1000 units are seven points on a printed page.
pub(super) const LABEL: Type = Type { size: 14.0, anchor: Anchor::End, fill: INK, bold: false };

impl Type {
    pub(super) const fn size(self, size: f64) -> Type {
        Type { size, ..self }
    }

    pub(super) const fn start(self) -> Type {
        Type { anchor: Anchor::Start, ..self }
    }

    pub(super) const fn middle(self) -> Type {
        Type { anchor: Anchor::Middle, ..self }
    }

    pub(super) const fn fill(self, fill: &'static str) -> Type {
        Type { fill, ..self }
    }

    pub(super) const fn bold(self) -> Type {
        Type { bold: true, ..self }
    }
}

pub(super) struct Svg {
    body: String,
    height: f64,
}

impl Svg {
    pub(super) fn new(height: f64) -> Svg {
        Svg { body: String::new(), height }
    }

    fn put(&mut self, what: std::fmt::Arguments<'_>) {
        self.body.write_fmt(what).expect("a string takes everything");
        self.body.push('\n');
    }

    /// A filled rectangle with a thin outline, which keeps light fills visible in print.
    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, stroke: &str) {
        self.put(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{fill}" stroke="{stroke}"/>"#,
            short(x),
            short(y),
            short(width.max(0.0)),
            short(height.max(0.0))
        ));
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, dash: Option<&str>) {
        let dash = dash.map(|dash| format!(r#" stroke-dasharray="{dash}""#)).unwrap_or_default();
        self.put(format_args!(
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{stroke}"{dash}/>"#,
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1)
        ));
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], stroke: &str) {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        self.put(format_args!(
            r#"<polyline points="{}" fill="none" stroke="{stroke}" stroke-width="1.5"/>"#,
            points.join(" ")
        ));
    }

    pub(super) fn dot(&mut self, x: f64, y: f64, radius: f64, fill: &str) {
        self.put(format_args!(
            r#"<circle cx="{}" cy="{}" r="{}" fill="{fill}" stroke="{INK}"/>"#,
            short(x),
            short(y),
            short(radius)
        ));
    }

    pub(super) fn text(&mut self, x: f64, y: f64, set: Type, text: &str) {
        let anchor = match set.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if set.bold { r#" font-weight="600""# } else { "" };
        self.put(format_args!(
            r#"<text x="{}" y="{}" font-size="{}" text-anchor="{anchor}" fill="{}"{weight}>{}</text>"#,
            short(x),
            short(y),
            short(set.size),
            set.fill,
            escape(text)
        ));
    }

    /// The element, for a page; `id` must be the only one of its kind there.
    pub(super) fn finish(self, id: &str, title: &str, description: &str) -> String {
        let (title, description) = (escape(title), escape(description));
        format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n<title id=\"{id}-title\">{title}</title>\n\
             <desc id=\"{id}-desc\">{description}</desc>\n{}</svg>",
            short(WIDTH),
            short(self.height),
            self.body
        )
    }
}

/// Two decimals at most: less text, and the same text on every machine.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Text as it stands in HTML and SVG.
pub(super) fn escape(text: &str) -> String {
    Html(text).to_string()
}

/// A colour between white and another.
pub(super) fn tint(colour: &str, strength: f64) -> String {
    let channel = |at: usize| {
        let full = u8::from_str_radix(&colour[at..at + 2], 16).expect("six hexadecimal digits");
        (255.0 - (255.0 - f64::from(full)) * strength.clamp(0.0, 1.0)).round() as u8
    };
    format!("#{:02X}{:02X}{:02X}", channel(1), channel(3), channel(5))
}

/// Round numbers from at most `low` to at least `high`, about five of them.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = if high > low { high - low } else { 1.0 };
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|it| it * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).floor() as i64;
    let last = (first + 1).max((high / step).ceil() as i64);
    (first..=last).map(|at| at as f64 * step).collect()
}
