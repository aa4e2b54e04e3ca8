//! Rows of text as a table, CSV or Markdown.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

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
                table.set_header(&self.headings).add_rows(&self.rows);
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
                    let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    writeln!(out, "| {} |", cells.join(" | "))?;
                }
                Ok(())
            }
            Format::Json => unreachable!("JSON is written by the verb"),
        }
    }
}

/// A cell of a CSV file, in quotes where it needs them.
pub(crate) fn csv_cell(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}

/// Writes a value as indented JSON with a newline at the end.
pub(crate) fn write_json(value: &impl serde::Serialize, out: &mut impl Write) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
