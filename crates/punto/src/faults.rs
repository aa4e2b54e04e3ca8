//! Faults of a rule book with line, column, snippet and hint.

use std::io::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use punto_rules::rulebook::Fault;
use serde::Serialize;

/// Writes each fault with its snippet.
pub(crate) fn write(file: &str, text: &str, faults: &[Fault], out: &mut impl Write) -> anyhow::Result<()> {
    // Colour on a terminal, unless NO_COLOR or the like says otherwise.
    let renderer = match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Renderer::plain(),
        anstream::ColorChoice::Auto | anstream::ColorChoice::AlwaysAnsi | anstream::ColorChoice::Always => {
            Renderer::styled()
        }
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode);
    for fault in faults {
        // A span over many lines would print them all; its first line says where.
        let span = fault.span.clone();
        let end =
            text.get(span.clone()).and_then(|it| it.find('\n')).map_or(span.end, |first| span.start + first);
        let level = if fault.kind.is_warning() { Level::WARNING } else { Level::ERROR };
        let snippet =
            Snippet::source(text).path(file).annotation(AnnotationKind::Primary.span(span.start..end));
        let title = level.primary_title(&fault.message).id(fault.kind.id());
        let help = fault.hint.iter().map(|hint| Level::HELP.message(hint));
        writeln!(out, "{}\n", renderer.render(&[title.element(snippet).elements(help)]))?;
    }
    Ok(())
}

/// A fault for programs.
#[derive(Serialize)]
pub(crate) struct FaultJson<'f> {
    pub(crate) kind: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: &'f str,
    pub(crate) hint: Option<&'f str>,
}

impl<'f> FaultJson<'f> {
    pub(crate) fn new(fault: &'f Fault, text: &str) -> FaultJson<'f> {
        let (line, column) = fault.place(text);
        FaultJson {
            kind: fault.kind.id(),
            severity: if fault.kind.is_warning() { "warning" } else { "error" },
            line,
            column,
            message: &fault.message,
            hint: fault.hint.as_deref(),
        }
    }
}
