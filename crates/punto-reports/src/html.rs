//! A report as one page: no script, no font, no picture from elsewhere.

use std::fmt::Write;

use crate::report::Report;
use crate::sheet::{Cell, ColumnKind, Plot, Sheet};
use crate::style::STYLE;
use crate::svg::{draw, escape};

/// The whole report as one self-contained page.
pub fn html(report: &Report) -> String {
    html_of("The books", &report.about(), &report.sheets())
}

/// Some sheets as one self-contained page.
pub fn html_of(title: &str, subtitle: &str, sheets: &[Sheet]) -> String {
    let mut page = String::with_capacity(1 << 16);
    let (title, subtitle) = (escape(title), escape(subtitle));
    put(
        &mut page,
        format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}, {subtitle}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n\
             <p class=\"kind\">Report</p>\n<h1>{title}</h1>\n<p class=\"subtitle\">{subtitle}</p>\n</header>\n\
             <nav aria-label=\"Contents\">\n<ol>\n"
        ),
    );
    for sheet in sheets {
        put(&mut page, format_args!("<li><a href=\"#{}\">{}</a></li>\n", sheet.id, escape(sheet.title)));
    }
    page.push_str("</ol>\n</nav>\n<main>\n");
    sheets.iter().for_each(|sheet| write_sheet(&mut page, sheet));
    page.push_str(
        "</main>\n<footer><p>Amounts have two decimals and are exact. Figures are what the record says and nothing \
         else.</p></footer>\n</body>\n</html>\n",
    );
    page
}

fn put(page: &mut String, what: std::fmt::Arguments<'_>) {
    page.write_fmt(what).expect("a string takes everything");
}

fn write_sheet(page: &mut String, sheet: &Sheet) {
    let (id, title) = (sheet.id, escape(sheet.title));
    put(page, format_args!("<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n"));
    put(page, format_args!("<h2 id=\"{id}-heading\">{title}</h2>\n"));
    if sheet.rows.is_empty() {
        page.push_str("<p class=\"none\">Nothing of the kind.</p>\n");
    } else {
        write_table(page, sheet);
        for (at, plot) in sheet.plots.iter().enumerate() {
            let (svg, caption) = (draw(plot, &format!("{id}-plot-{at}")), caption(plot));
            put(page, format_args!("<figure>\n{svg}\n<figcaption>{caption}</figcaption>\n</figure>\n"));
        }
    }
    for note in &sheet.notes {
        put(page, format_args!("<p class=\"note\">{}</p>\n", escape(note)));
    }
    page.push_str("</section>\n");
}

fn caption(plot: &Plot) -> String {
    match plot {
        Plot::Bars { title, currency, .. } => format!("{}, {}.", escape(title), escape(currency)),
        Plot::Intervals { title, currency, .. } => format!(
            "{}, {}. The band holds 95 of 100; the line in it is what was expected; a diamond is an actual win within, \
             a square one outside.",
            escape(title),
            escape(currency)
        ),
    }
}

fn write_table(page: &mut String, sheet: &Sheet) {
    let (id, class) = (sheet.id, |kind: ColumnKind| if is_figure(kind) { " class=\"figure\"" } else { "" });
    put(
        page,
        format_args!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}-heading\">\n<table>\n<thead>\n<tr>"
        ),
    );
    for column in &sheet.columns {
        put(page, format_args!("<th scope=\"col\"{}>{}</th>", class(column.kind), escape(column.heading)));
    }
    page.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &sheet.rows {
        put(page, format_args!("<tr{}>", row_class(row)));
        for (cell, column) in row.iter().zip(&sheet.columns) {
            put(page, format_args!("<td{}>{}</td>", class(column.kind), escape(&cell.shown())));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
}

fn row_class(row: &[Cell]) -> &'static str {
    let is = |cell: Option<&Cell>, word: &str| cell == Some(&Cell::Text(word.to_owned()));
    if is(row.last(), "outside") || is(row.last(), "no") {
        " class=\"flagged\""
    } else if is(row.first(), "all") {
        " class=\"total\""
    } else {
        ""
    }
}

const fn is_figure(kind: ColumnKind) -> bool {
    match kind {
        ColumnKind::Money | ColumnKind::Count | ColumnKind::Share | ColumnKind::Decimal => true,
        ColumnKind::Text => false,
    }
}
