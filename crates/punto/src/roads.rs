//! `punto roads`: the five roads of a shoe, drawn.

use std::io::{Read, Write};

use anstyle::{RgbColor, Style};
use anyhow::Context;
use punto_rules::{Side, Winner};
use punto_table::roads::{Colour, Derived, Place, ROWS, Roads, Tail, notation};

use crate::answer::{Answer, Problem};
use crate::cli::{self, Format, TailName};
use crate::output::{Rows, write_json};

/// More than this on standard input is no shoe.
const MOST_TEXT: u64 = 1 << 20;

pub(crate) fn run(args: &cli::Roads, out: &mut impl Write) -> anyhow::Result<Answer> {
    let line = match &args.rounds[..] {
        [dash] if dash == "-" => {
            let mut text = String::new();
            let mut input = std::io::stdin().lock().take(MOST_TEXT);
            input.read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
        rounds => rounds.join(" "),
    };
    let marks = notation::parse(&line)
        .map_err(|error| Problem::new(format!("cannot read the Rounds: {error}")).hint(error.fault.hint()))?;
    let tail = match args.tail {
        TailName::Sticky => Tail::Sticky,
        TailName::Redescend => Tail::Redescend,
    };
    let roads = Roads::from_marks(tail, &marks);
    match args.format {
        Format::Json => write_json(&roads.view(), out)?,
        Format::Csv => rows(&roads).write(Format::Csv, out)?,
        Format::Markdown => writeln!(out, "```text\n{}```", board(&roads, Ink::Plain))?,
        Format::Table => out.write_all(board(&roads, Ink::of_stdout()).as_bytes())?,
    }
    Ok(Answer::Yes)
}

fn rows(roads: &Roads) -> Rows {
    let mut rows = Rows::new([
        "Road",
        "Column",
        "Row",
        "Mark",
        "Round",
        "Ties",
        "Banker_pair",
        "Player_pair",
        "Natural",
    ]);
    let mut push = |road: &str, place: Place, rest: [String; 6]| {
        let [mark, round, ties, banker, player, natural] = rest;
        let (column, row) = (place.col.to_string(), place.row.to_string());
        rows.push([road.to_string(), column, row, mark, round, ties, banker, player, natural]);
    };
    let flag = |is_set: bool| u8::from(is_set).to_string();
    for cell in roads.bead_plate() {
        let (pairs, natural) = (cell.mark.pairs, cell.mark.natural);
        let mark = glyph(cell.mark.winner).to_string();
        let flags = [pairs.banker, pairs.player, natural].map(flag);
        let [banker, player, natural] = flags;
        push("bead-plate", cell.place, [mark, cell.n.to_string(), String::new(), banker, player, natural]);
    }
    for cell in roads.big_road() {
        let mark = glyph(winner(cell.side)).to_string();
        let [banker, player, natural] = [cell.pairs.banker, cell.pairs.player, cell.natural].map(flag);
        let (n, ties) = (cell.n.to_string(), cell.ties.to_string());
        push("big-road", cell.place, [mark, n, ties, banker, player, natural]);
    }
    for road in Derived::ALL {
        let name = road.name().to_lowercase().replace(' ', "-");
        for cell in roads.derived(road) {
            let mark = cell.colour.letter().to_string();
            push(&name, cell.place, [mark, "".into(), "".into(), "".into(), "".into(), "".into()]);
        }
    }
    rows
}

const RED: RgbColor = RgbColor(0xC8, 0x10, 0x2E);
const BLUE: RgbColor = RgbColor(0x00, 0x57, 0xB8);
const GREEN: RgbColor = RgbColor(0x00, 0x84, 0x3D);
const WHITE: RgbColor = RgbColor(0xFF, 0xFF, 0xFF);

/// Whether to colour. What a colour says, a glyph says too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    Plain,
    Coloured,
}

impl Ink {
    /// Colour on a terminal, unless NO_COLOR or the like says otherwise.
    fn of_stdout() -> Ink {
        match anstream::AutoStream::choice(&std::io::stdout()) {
            anstream::ColorChoice::Never => Ink::Plain,
            anstream::ColorChoice::Auto
            | anstream::ColorChoice::AlwaysAnsi
            | anstream::ColorChoice::Always => Ink::Coloured,
        }
    }

    fn paint(self, style: Style, text: impl std::fmt::Display) -> String {
        match self {
            Ink::Plain => text.to_string(),
            Ink::Coloured => format!("{style}{text}{style:#}"),
        }
    }

    /// Solid, as beads are.
    fn solid(self, colour: RgbColor, text: char) -> String {
        let style = Style::new().bold().fg_color(Some(WHITE.into())).bg_color(Some(colour.into()));
        self.paint(style, text)
    }

    fn hollow(self, colour: RgbColor, text: impl std::fmt::Display) -> String {
        self.paint(Style::new().fg_color(Some(colour.into())), text)
    }

    fn faint(self, text: impl std::fmt::Display) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    fn title(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }
}

const fn winner(side: Side) -> Winner {
    match side {
        Side::Player => Winner::Player,
        Side::Banker => Winner::Banker,
    }
}

const fn glyph(winner: Winner) -> char {
    match winner {
        Winner::Player => 'P',
        Winner::Banker => 'B',
        Winner::Tie => 'T',
    }
}

const fn colour(winner: Winner) -> RgbColor {
    match winner {
        Winner::Player => BLUE,
        Winner::Banker => RED,
        Winner::Tie => GREEN,
    }
}

/// Rings, disks and strokes, one kind a road. Red ones are round or lean forward, blue ones are square or lean back.
const fn derived_glyph(road: Derived, colour: Colour) -> char {
    match (road, colour) {
        (Derived::BigEyeBoy, Colour::Red) => '○',
        (Derived::BigEyeBoy, Colour::Blue) => '□',
        (Derived::SmallRoad, Colour::Red) => '●',
        (Derived::SmallRoad, Colour::Blue) => '■',
        (Derived::CockroachPig, Colour::Red) => '╱',
        (Derived::CockroachPig, Colour::Blue) => '╲',
    }
}

fn derived_mark(road: Derived, colour: Colour, ink: Ink) -> String {
    let rgb = match colour {
        Colour::Red => RED,
        Colour::Blue => BLUE,
    };
    ink.hollow(rgb, derived_glyph(road, colour))
}

/// A number as a raised digit.
fn raised(ties: u16) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    DIGITS.get(usize::from(ties)).copied().unwrap_or('⁺')
}

/// A mark and what stands around it, each one column wide or absent.
#[derive(Default)]
struct Drawn {
    /// A Banker pair: a dot at the top left.
    before: Option<String>,
    mark: String,
    /// Ties since, or a Natural.
    above: Option<String>,
    /// A Player pair: a dot at the bottom right.
    after: Option<String>,
}

impl Drawn {
    fn pairs(self, pairs: punto_rules::BySide<bool>, ink: Ink) -> Drawn {
        Drawn {
            before: pairs.banker.then(|| ink.hollow(RED, '˙')),
            after: pairs.player.then(|| ink.hollow(BLUE, '.')),
            ..self
        }
    }
}

/// Six lines of text, all equally wide to the eye.
struct Block {
    title: String,
    /// Columns on the screen, which is not the length of a coloured text.
    width: usize,
    lines: Vec<String>,
}

/// Draws a road; cells without a mark are dots, and a short road still has some columns of them.
fn grid(title: &str, cells: Vec<(Place, Drawn)>, least_columns: u16, ink: Ink) -> Block {
    let columns = cells.iter().map(|(place, _)| place.col + 1).max().unwrap_or(0).max(least_columns);
    // Room for dots and numbers only on roads that have them.
    let has = |part: fn(&Drawn) -> &Option<String>| cells.iter().any(|(_, drawn)| part(drawn).is_some());
    let (before, above, after) = (has(|it| &it.before), has(|it| &it.above), has(|it| &it.after));
    let mut places: Vec<Vec<Option<Drawn>>> =
        (0..ROWS).map(|_| (0..columns).map(|_| None).collect()).collect();
    for (place, drawn) in cells {
        places[usize::from(place.row)][usize::from(place.col)] = Some(drawn);
    }
    let space = |part: Option<String>| part.unwrap_or_else(|| " ".to_string());
    let line = |row: Vec<Option<Drawn>>| -> String {
        let cell = |drawn: Option<Drawn>| {
            let drawn = drawn.unwrap_or_else(|| Drawn { mark: ink.faint('·'), ..Drawn::default() });
            let mut text = String::new();
            text.push_str(&if before { space(drawn.before) } else { String::new() });
            text.push_str(&drawn.mark);
            text.push_str(&if above { space(drawn.above) } else { String::new() });
            text.push_str(&if after { space(drawn.after) } else { String::new() });
            text.push_str(if before { "" } else { " " }); // room for a dot divides as well
            text
        };
        row.into_iter().map(cell).collect()
    };
    let a_cell = 2 + [above, after].into_iter().filter(|it| *it).count();
    Block {
        title: title.to_string(),
        width: usize::from(columns) * a_cell,
        lines: places.into_iter().map(line).collect(),
    }
}

fn bead_plate(roads: &Roads, ink: Ink) -> Block {
    let cells = roads.bead_plate().map(|cell| {
        let mark = cell.mark;
        let drawn = Drawn {
            mark: ink.solid(colour(mark.winner), glyph(mark.winner)),
            above: mark.natural.then(|| "ⁿ".to_string()),
            ..Drawn::default()
        };
        (cell.place, drawn.pairs(mark.pairs, ink))
    });
    grid("Bead plate", cells.collect(), 8, ink)
}

fn big_road(roads: &Roads, ink: Ink) -> Block {
    let above = |ties: u16| (ties > 0).then(|| ink.hollow(GREEN, raised(ties)));
    let mut cells: Vec<(Place, Drawn)> = Vec::new();
    let mut waiting = roads.leading_ties(); // those before the first mark belong to it
    for cell in roads.big_road() {
        let winner = winner(cell.side);
        let drawn = Drawn {
            mark: ink.hollow(colour(winner), glyph(winner)),
            above: above(cell.ties + std::mem::take(&mut waiting)),
            ..Drawn::default()
        };
        cells.push((cell.place, drawn.pairs(cell.pairs, ink)));
    }
    if waiting > 0 {
        let mark = ink.hollow(GREEN, glyph(Winner::Tie));
        cells.push((Place::default(), Drawn { mark, above: above(waiting), ..Drawn::default() }));
    }
    grid("Big road", cells, 20, ink)
}

fn derived_road(roads: &Roads, road: Derived, ink: Ink) -> Block {
    let cells = roads
        .derived(road)
        .iter()
        .map(|cell| (cell.place, Drawn { mark: derived_mark(road, cell.colour, ink), ..Drawn::default() }));
    grid(road.name(), cells.collect(), 12, ink)
}

/// The panel beside the grids: what a win of each side would add.
fn ask_panel(roads: &Roads, ink: Ink) -> Block {
    let mut lines = vec![format!("{:15}Banker   Player", "")];
    for road in Derived::ALL {
        let answer = |side| match roads.ask(side)[road] {
            Some(colour) => derived_mark(road, colour, ink),
            None => ink.faint('-'),
        };
        let [banker, player] = [Side::Banker, Side::Player].map(answer);
        lines.push(format!("{:15}{banker}        {player}", road.name()));
    }
    Block { title: "Ask: what the next win would add".to_string(), width: 32, lines }
}

fn counters(roads: &Roads, ink: Ink) -> Block {
    let counters = roads.counters();
    let winner = |winner: Winner, name: &str, count: u16| {
        format!("{} {name:12}{count:>5}", ink.solid(colour(winner), glyph(winner)))
    };
    let other = |mark: String, name: &str, count: u16| format!("{mark} {name:12}{count:>5}");
    let lines = vec![
        winner(Winner::Banker, "Banker", counters.wins.banker),
        winner(Winner::Player, "Player", counters.wins.player),
        winner(Winner::Tie, "Tie", counters.ties),
        other(ink.hollow(RED, '˙'), "Banker pair", counters.pairs.banker),
        other(ink.hollow(BLUE, '.'), "Player pair", counters.pairs.player),
        other("ⁿ".to_string(), "Natural", counters.naturals),
    ];
    let rounds = roads.marks().len();
    Block { title: format!("{rounds} Round{}", if rounds == 1 { "" } else { "s" }), width: 19, lines }
}

/// Blocks side by side, each under its title.
fn beside(blocks: &[Block], ink: Ink) -> String {
    const GAP: usize = 3;
    let height = blocks.iter().map(|block| block.lines.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..=height {
        let mut line = String::new();
        let mut pad = 0;
        for block in blocks {
            line.push_str(&" ".repeat(pad));
            let width = block.width.max(block.title.len());
            match row.checked_sub(1) {
                None => {
                    line.push_str(&ink.title(&block.title));
                    pad = GAP + width - block.title.len();
                }
                Some(row) => {
                    let drawn = block.lines.get(row);
                    line.push_str(drawn.map_or("", String::as_str));
                    pad = GAP + width - drawn.map_or(0, |_| block.width);
                }
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The board: counters and the ask panel beside the grids, as on the felt's display.
fn board(roads: &Roads, ink: Ink) -> String {
    let [big_eye_boy, small_road, cockroach_pig] = Derived::ALL.map(|road| derived_road(roads, road, ink));
    let marks = |colour: Colour| Derived::ALL.map(|road| derived_mark(road, colour, ink)).join(" ");
    [
        beside(&[bead_plate(roads, ink), counters(roads, ink), ask_panel(roads, ink)], ink),
        beside(&[big_road(roads, ink)], ink),
        beside(&[big_eye_boy], ink),
        beside(&[small_road, cockroach_pig], ink),
        format!(
            "{} red   {} blue   raised number: Ties   The board informs; the cards decide.\n",
            marks(Colour::Red),
            marks(Colour::Blue)
        ),
    ]
    .join("\n")
}
