//! The document as Markdown, with the tables of GitHub.

use std::fmt::Write;

use punto_rules::text::Shown;

use super::document::{Align, Block, Column, Document, Row, Table};
use super::sheet::ParSheet;

impl ParSheet {
    /// The sheet as Markdown, without the plots: every figure of a plot stands in a table.
    pub fn to_markdown(&self) -> String {
        let document = self.document();
        let mut text = format!("# {}\n\n{}\n\n", document.title, document.subtitle);
        contents(&document, &mut text);
        for (index, section) in document.sections.iter().enumerate() {
            put(&mut text, format_args!("## {}. {}\n\n", index + 1, section.title));
            for block in &section.blocks {
                write_block(block, &mut text);
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes everything");
}

fn contents(document: &Document, text: &mut String) {
    for (index, section) in document.sections.iter().enumerate() {
        // The anchor that Markdown readers make of a heading.
        let anchor: String = format!("{} {}", index + 1, section.title)
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-')
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        put(text, format_args!("{}. [{}](#{anchor})\n", index + 1, section.title));
    }
    text.push('\n');
}

fn write_block(block: &Block, text: &mut String) {
    match block {
        Block::Text(paragraph) => put(text, format_args!("{paragraph}\n\n")),
        Block::List(items) => {
            items.iter().for_each(|item| put(text, format_args!("- {item}\n")));
            text.push('\n');
        }
        Block::Facts(facts) => {
            text.push_str("| | |\n|---|---|\n");
            for fact in facts {
                put(text, format_args!("| {} | {} |\n", fact.name, cell(&fact.value)));
            }
            text.push('\n');
        }
        Block::Table(table) => write_table(table, text),
        Block::Plot(_) => {}
        Block::Code(lines) => put(text, format_args!("```sh\n{}\n```\n\n", lines.join("\n"))),
    }
}

fn write_table(table: &Table, text: &mut String) {
    put(text, format_args!("**{}**\n\n", table.caption));
    for group in &table.groups {
        if let Some(title) = &group.title {
            put(text, format_args!("### {title}\n\n"));
        }
        headings(&table.columns, text);
        for row in &group.rows {
            write_row(row, text);
        }
        text.push('\n');
    }
}

fn headings(columns: &[Column], text: &mut String) {
    let names: Vec<String> = columns.iter().map(|column| cell(&column.heading)).collect();
    let rules = columns.iter().map(|column| match column.align {
        Align::Left | Align::Odds => "---|",
        Align::Right => "---:|",
    });
    put(text, format_args!("| {} |\n|{}\n", names.join(" | "), rules.collect::<String>()));
}

fn write_row(row: &Row, text: &mut String) {
    let bold = |it: &String| match (row.total, it.is_empty()) {
        (true, false) => format!("**{}**", cell(it)),
        (true, true) | (false, _) => cell(it),
    };
    put(text, format_args!("| {} |\n", row.cells.iter().map(bold).collect::<Vec<_>>().join(" | ")));
}

fn cell(text: &str) -> String {
    Shown(text).to_string().replace('|', "\\|")
}
