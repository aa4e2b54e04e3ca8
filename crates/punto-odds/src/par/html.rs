//! The document as one HTML page: no script, no font, no picture from elsewhere.

use std::fmt::Write;

use super::document::{Align, Block, Document, Fact, Row, Section, Table};
use super::sheet::ParSheet;
use super::style::STYLE;
use super::svg::escape;

impl ParSheet {
    /// The sheet as one self-contained page with plots, to read on a screen or on paper.
    pub fn to_html(&self) -> String {
        let document = self.document();
        let mut page = String::with_capacity(1 << 18);
        head(&document, &mut page);
        put(
            &mut page,
            format_args!(
                "<body>\n<header>\n<p class=\"kind\">PAR sheet · probability and accounting report</p>\n"
            ),
        );
        let title = document.title.strip_prefix("PAR sheet: ").unwrap_or(&document.title);
        put(&mut page, format_args!("<h1>{}</h1>\n", escape(title)));
        put(&mut page, format_args!("<p class=\"subtitle\">{}</p>\n</header>\n", escape(&document.subtitle)));
        contents(&document, &mut page);
        page.push_str("<main>\n");
        for (index, section) in document.sections.iter().enumerate() {
            write_section(index + 1, section, &mut page);
        }
        page.push_str("</main>\n");
        put(
            &mut page,
            format_args!("<footer><p>{}</p></footer>\n</body>\n</html>\n", escape(&document.footer)),
        );
        page
    }
}

fn put(page: &mut String, what: std::fmt::Arguments<'_>) {
    page.write_fmt(what).expect("a string takes everything");
}

fn head(document: &Document, page: &mut String) {
    // The strings of a style sheet end at a quote and must not end the element.
    let plain = |text: &str| text.replace(['"', '\\', '<', '\n'], " ");
    put(
        page,
        format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}, {}</title>\n\
             <style>\n{STYLE}@page {{\n  @top-left {{ content: \"{}\"; }}\n  @top-right {{ content: \"{}\"; }}\n  \
             @bottom-left {{ content: \"{}\"; }}\n}}\n</style>\n</head>\n",
            escape(&document.title),
            escape(&document.subtitle),
            plain(&document.title),
            plain(&document.subtitle),
            plain(&document.footer),
        ),
    );
}

fn contents(document: &Document, page: &mut String) {
    page.push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
    for section in &document.sections {
        put(page, format_args!("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape(section.title)));
    }
    page.push_str("</ol>\n</nav>\n");
}

fn write_section(number: usize, section: &Section, page: &mut String) {
    let id = section.id;
    put(page, format_args!("<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n"));
    put(
        page,
        format_args!(
            "<h2 id=\"{id}-heading\"><span class=\"number\">{number}</span> {}</h2>\n",
            escape(section.title)
        ),
    );
    for block in &section.blocks {
        write_block(block, page);
    }
    page.push_str("</section>\n");
}

fn write_block(block: &Block, page: &mut String) {
    match block {
        Block::Text(text) => put(page, format_args!("<p>{}</p>\n", inline(text))),
        Block::List(items) => {
            page.push_str("<ul>\n");
            items.iter().for_each(|item| put(page, format_args!("<li>{}</li>\n", inline(item))));
            page.push_str("</ul>\n");
        }
        Block::Facts(facts) => {
            page.push_str("<dl>\n");
            facts.iter().for_each(|fact| write_fact(fact, page));
            page.push_str("</dl>\n");
        }
        Block::Table(table) => write_table(table, page),
        Block::Plot(plot) => put(
            page,
            format_args!(
                "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
                plot.svg,
                inline(&plot.caption)
            ),
        ),
        Block::Code(lines) => {
            put(page, format_args!("<pre><code>{}</code></pre>\n", escape(&lines.join("\n"))))
        }
    }
}

fn write_fact(fact: &Fact, page: &mut String) {
    let language = fact.language.map(|it| format!(" lang=\"{it}\"")).unwrap_or_default();
    put(
        page,
        format_args!("<div><dt>{}</dt><dd{language}>{}</dd></div>\n", escape(fact.name), inline(&fact.value)),
    );
}

fn write_table(table: &Table, page: &mut String) {
    let caption = escape(&table.caption);
    // Wide tables scroll by themselves, and can be reached by keyboard for it.
    put(page, format_args!("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n"));
    put(
        page,
        format_args!("<table class=\"columns-{}\">\n<caption>{caption}</caption>\n", table.columns.len()),
    );
    page.push_str("<thead><tr>");
    for (column, class) in table.columns.iter().zip(classes(table)) {
        put(page, format_args!("<th scope=\"col\"{class}>{}</th>", escape(&column.heading)));
    }
    page.push_str("</tr></thead>\n");
    for group in &table.groups {
        page.push_str(if group.title.is_some() { "<tbody class=\"group\">\n" } else { "<tbody>\n" });
        if let Some(title) = &group.title {
            let span = table.columns.len();
            put(
                page,
                format_args!("<tr><th colspan=\"{span}\" scope=\"rowgroup\">{}</th></tr>\n", inline(title)),
            );
        }
        group.rows.iter().for_each(|row| write_row(row, table, page));
        page.push_str("</tbody>\n");
    }
    page.push_str("</table>\n</div>\n");
}

fn write_row(row: &Row, table: &Table, page: &mut String) {
    page.push_str(if row.total { "<tr class=\"total\">" } else { "<tr>" });
    for (index, (cell, class)) in row.cells.iter().zip(classes(table)).enumerate() {
        match index {
            0 => put(page, format_args!("<th scope=\"row\"{class}>{}</th>", inline(cell))),
            _ => put(page, format_args!("<td{class}>{}</td>", inline(cell))),
        }
    }
    page.push_str("</tr>\n");
}

fn classes(table: &Table) -> impl Iterator<Item = &'static str> {
    table.columns.iter().map(|column| match column.align {
        Align::Left => "",
        Align::Odds => " class=\"odds\"",
        Align::Right => " class=\"figure\"",
    })
}

/// Escapes, and sets what stands between backticks as code.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            0 => html.push_str(&escape(part)),
            _ => put(&mut html, format_args!("<code>{}</code>", escape(part))),
        }
    }
    html
}
