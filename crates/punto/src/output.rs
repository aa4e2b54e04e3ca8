//! Rows of text as a table, CSV or Markdown.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use punto_rules::text::Shown;

use crate::cli::Format;

/// A rule under the headings and nothing else.
const PLAIN: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Wider cells are wrapped. The same everywhere, so that the same command gives the same text.
const WIDTH: u16 = 150;

/// Rows under headings.
pub(crate) struct Rows {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// Which columns are set to the right; by default those of whole numbers only.
    right: Option<Vec<bool>>,
}

impl Rows {
    pub(crate) fn new<const N: usize>(headings: [&'static str; N]) -> Rows {
        Rows::of(headings.to_vec())
    }

    /// Columns whose number is known only when the program runs.
    pub(crate) const fn of(headings: Vec<&'static str>) -> Rows {
        Rows { headings, rows: Vec::new(), right: None }
    }

    /// The same, and which of them are set to the right.
    pub(crate) const fn aligned(headings: Vec<&'static str>, right: Vec<bool>) -> Rows {
        Rows { headings, rows: Vec::new(), right: Some(right) }
    }

    pub(crate) fn push_all(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.headings.len(), "a row has a cell for each heading");
        self.rows.push(row);
    }

    pub(crate) fn push<const N: usize>(&mut self, row: [String; N]) {
        self.push_all(row.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the rows; JSON has its own shape for every verb and is written there.
    pub(crate) fn write(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match format {
            Format::Table => {
                let mut table = Table::new();
                table.load_style(PLAIN).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
                let shown = |row: &Vec<String>| row.iter().map(|cell| Shown(cell).to_string()).collect();
                table
                    .set_header(&self.headings)
                    .add_rows(self.rows.iter().map(shown).collect::<Vec<Vec<String>>>());
                for (index, column) in table.column_iter_mut().enumerate() {
                    let is_number =
                        |row: &Vec<String>| row[index].parse::<i64>().is_ok() || row[index].is_empty();
                    let is_right = match &self.right {
                        Some(right) => right[index],
                        None => self.rows.iter().all(is_number),
                    };
                    if is_right {
                        column.set_cell_alignment(CellAlignment::Right);
                    }
                }
                writeln!(out, "{}", table.trim_fmt())
            }
            Format::Csv => {
                let headings: Vec<String> =
                    self.headings.iter().map(|heading| heading.to_lowercase()).collect();
                for row in [&headings].into_iter().chain(&self.rows) {
                    let cells: Vec<String> = row.iter().map(|cell| csv_cell(cell)).collect();
                    writeln!(out, "{}", cells.join(","))?;
                }
                Ok(())
            }
            Format::Markdown => {
                writeln!(out, "| {} |", self.headings.join(" | "))?;
                writeln!(out, "|{}", "---|".repeat(self.headings.len()))?;
                for row in &self.rows {
                    let cells: Vec<String> = row.iter().map(|cell| markdown_cell(cell)).collect();
                    writeln!(out, "| {} |", cells.join(" | "))?;
                }
                Ok(())
            }
            Format::Json => unreachable!("JSON is written by the verb"),
        }
    }
}

/// A cell of a CSV file, in quotes where it needs them. A spreadsheet runs what begins like a formula; before such text
/// stands an apostrophe, which says that it is text. Numbers, also negative ones, are numbers and stay so.
pub(crate) fn csv_cell(cell: &str) -> String {
    let mut text = Shown(cell).to_string();
    if begins_a_formula(&text) && !is_number(&text) {
        text.insert(0, '\'');
    }
    match text.contains([',', '"', ';']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// Also by the full-width characters that a spreadsheet set to Chinese or Japanese takes for the others.
fn begins_a_formula(text: &str) -> bool {
    text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// `-12`, `+0.5`, `1.25e-7`: digits that any spreadsheet reads as a number and nothing else.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &str| match text.strip_prefix(['+', '-']) {
        Some(rest) => rest.to_owned(),
        None => text.to_owned(),
    };
    let number = unsigned(text);
    let (figures, power) =
        number.split_once(['e', 'E']).map_or((number.as_str(), None), |(a, b)| (a, Some(b)));
    let (whole, part) = figures.split_once('.').map_or((figures, None), |(a, b)| (a, Some(b)));
    digits(whole) && part.is_none_or(digits) && power.is_none_or(|power| digits(&unsigned(power)))
}

/// A cell of a Markdown table: on one line, and no HTML.
fn markdown_cell(cell: &str) -> String {
    Shown(cell).to_string().replace('|', "\\|").replace('<', "\\<")
}

/// Writes a value as indented JSON with a newline at the end.
pub(crate) fn write_json(value: &impl serde::Serialize, out: &mut impl Write) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
