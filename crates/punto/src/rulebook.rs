//! `punto rulebook check` and `punto rulebook show`.

use std::io::Write;
use std::sync::Arc;

use anstyle::AnsiColor;
use punto_odds::{Price, Pricer, Ratio};
use punto_rules::rulebook::{Fault, FaultKind, SqueezeRight};
use punto_rules::{Bet, Composition, Irregularity, LimitsAsked, Pays, Rulebook};
use serde::Serialize;

use crate::answer::{Answer, say};
use crate::cli::{Check, Format, Show};
use crate::faults::{self, FaultJson};
use crate::odds::percent;
use crate::output::{Rows, write_json};
use crate::rulebooks;
use crate::table::{self, numbers_of_decks};

#[derive(Serialize)]
struct CheckJson<'f> {
    file: &'f str,
    ok: bool,
    faults: Vec<FaultJson<'f>>,
}

pub(crate) fn check(args: &Check, out: &mut impl Write) -> anyhow::Result<Answer> {
    let text = rulebooks::read(&args.file)?;
    let file = args.file.display().to_string();
    let parsed = Rulebook::parse(&text);
    let faults = match &parsed {
        Ok(rulebook) => {
            let mut warnings = [rulebook.warnings(), &odd_bets(rulebook)?].concat();
            warnings.sort_by_key(|fault| fault.span.start);
            warnings
        }
        Err(faults) => faults.0.clone(),
    };
    let faults = &faults[..];
    match args.format {
        Format::Json => {
            let faults = faults.iter().map(|fault| FaultJson::new(fault, &text)).collect();
            write_json(&CheckJson { file: &file, ok: parsed.is_ok(), faults }, out)?;
        }
        Format::Table => faults::write(&file, &text, faults, out)?,
        Format::Csv | Format::Markdown => {
            let mut rows = Rows::new(["Kind", "Severity", "Line", "Column", "Message", "Hint"]);
            for fault in faults.iter().map(|fault| FaultJson::new(fault, &text)) {
                rows.push([
                    fault.kind.to_string(),
                    fault.severity.to_string(),
                    fault.line.to_string(),
                    fault.column.to_string(),
                    fault.message.to_string(),
                    fault.hint.unwrap_or_default().to_string(),
                ]);
            }
            rows.write(args.format, out)?;
        }
    }
    match &parsed {
        Ok(rulebook) => {
            if args.format == Format::Table {
                let count =
                    |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
                let (bets, layouts) =
                    (count(rulebook.bets.len(), "bet"), count(rulebook.layouts.len(), "layout"));
                let (title, classes) = (rulebooks::full_title(rulebook), rulebook.space().len());
                writeln!(out, "{file}: {title}: {bets}, {layouts}, {classes} classes of outcomes: no fault")?;
            }
            Ok(Answer::Yes)
        }
        Err(faults) => {
            out.flush()?;
            say("refused", AnsiColor::Red, &format!("{file}: {faults}"));
            if faults.0.iter().any(|fault| fault.kind == FaultKind::Syntax) {
                say("hint", AnsiColor::Cyan, "mend the syntax first; the rest of the text was not looked at");
            }
            Ok(Answer::No)
        }
    }
}

/// Warnings for bets that favour the patron, or cannot win, with some number of decks that the game allows.
fn odd_bets(rulebook: &Rulebook) -> anyhow::Result<Vec<Fault>> {
    let allowed: Vec<u8> = (rulebook.decks.min..=rulebook.decks.max).collect();
    let mut known: Vec<usize> = Vec::new();
    let mut warnings: Vec<Fault> = Vec::new();
    for layout in &rulebook.layouts {
        let terms = rulebook.terms(&layout.id, rulebook.decks.max, &LimitsAsked::default())?;
        let pricer = Pricer::new(&terms);
        let prices: Vec<Vec<Price>> = allowed
            .iter()
            .map(|&decks| pricer.price(&Composition::decks(decks)))
            .collect::<Result<_, _>>()?;
        for (index, bet) in terms.bets().iter().enumerate() {
            let place =
                rulebook.bets.iter().position(|other| Arc::ptr_eq(other, bet)).expect("a bet of this book");
            if known.contains(&place) {
                continue; // said once, for the first layout that offers it
            }
            known.push(place);
            let by_decks = || allowed.iter().zip(&prices).map(|(&decks, prices)| (decks, &prices[index]));
            let mut warn = |kind: FaultKind, message: String, hint: String| {
                let message = format!("`{}` {message}", bet.name());
                warnings.push(Fault { kind, span: rulebook.place_of(place), message, hint: Some(hint) });
            };
            if let Some((decks, price)) = by_decks().find(|(_, price)| price.edge() < Ratio::ZERO) {
                let (decks, gain) = (table::decks(decks), percent(-price.edge().to_f64()));
                warn(
                    FaultKind::FavoursPatron,
                    format!("favours the patron: with {decks} a stake gains {gain} on average"),
                    format!("see `punto odds FILE --layout {}` and `punto solve`", layout.id),
                );
            }
            let dead: Vec<u8> =
                by_decks().filter(|(_, price)| !price.can_win()).map(|(decks, _)| decks).collect();
            if !dead.is_empty() {
                let all = if dead == allowed { ", which is all that the game allows" } else { "" };
                warn(
                    FaultKind::CannotWin,
                    format!("cannot win with {}{all}", numbers_of_decks(&dead)),
                    "these decks hold too few copies of the cards that its rows ask for".to_string(),
                );
            }
        }
    }
    Ok(warnings)
}

pub(crate) fn show(args: &Show, out: &mut impl Write) -> anyhow::Result<Answer> {
    let loaded = rulebooks::load(&args.game)?;
    let rulebook = &loaded.rulebook;
    if args.source {
        out.write_all(loaded.text.as_bytes())?;
        return Ok(Answer::Yes);
    }
    match args.format {
        Format::Json => write_json(&RulebookJson::new(rulebook), out)?,
        Format::Csv => pay_tables(rulebook).write(Format::Csv, out)?,
        Format::Table | Format::Markdown => {
            let heading = |out: &mut dyn Write, level: usize, text: &str| match args.format {
                Format::Markdown => writeln!(out, "{} {text}\n", "#".repeat(level)),
                Format::Table | Format::Json | Format::Csv => writeln!(out, "{text}"),
            };
            heading(out, 1, &rulebooks::full_title(rulebook))?;
            for line in identity(rulebook) {
                writeln!(out, "- {line}")?;
            }
            for (title, rows) in [
                (
                    "Bets and what they pay; the first row that matches decides, none loses",
                    pay_tables(rulebook),
                ),
                ("Layouts", layouts(rulebook)),
                ("Steps of play", topics(rulebook.play.topics())),
                ("Whatever goes wrong", topics(rulebook.conduct.topics())),
                ("Irregularities", irregularities(rulebook)),
            ] {
                if rows.is_empty() {
                    continue;
                }
                writeln!(out)?;
                heading(out, 2, title)?;
                rows.write(args.format, out)?;
            }
        }
    }
    Ok(Answer::Yes)
}

fn identity(rulebook: &Rulebook) -> Vec<String> {
    let decks = &rulebook.decks;
    let limits = &rulebook.limits;
    let mut lines = vec![
        format!("{} · {} · {}", rulebook.game, rulebook.title.zh_hans, rulebook.title.zh_hant),
        format!("in force {}", rulebook.in_force.replace('T', " ")),
        format!("{} table", rulebook.mode.id()),
        format!("{} to {} decks of 52 cards ({})", decks.min, decks.max, decks.cite),
        format!("limits: {} ({})", limits.model.id(), limits.cite),
    ];
    lines.extend(rulebook.squeeze.as_ref().map(|squeeze| {
        let whose = match squeeze.right {
            SqueezeRight::AnyPlayer => "any Player",
            SqueezeRight::SeatedPlayer => "a Seated Player",
        };
        format!("squeeze on face-down tables: the largest bet of {whose} ({})", squeeze.cite)
    }));
    lines
}

fn pay_tables(rulebook: &Rulebook) -> Rows {
    let mut rows = Rows::new(["Bet", "Name", "When", "Pays", "Paragraph"]);
    for bet in &rulebook.bets {
        for row in &bet.rows {
            let pays = match row.pays {
                Pays::Won { odds, commission: None } => odds.to_string(),
                Pays::Won { odds, commission: Some(commission) } => {
                    format!("{odds}, commission {commission}")
                }
                Pays::Returned => "returned".to_string(),
            };
            let name = match &row.label {
                Some(label) => format!("{}: {}", bet.label.en, label.en),
                None => bet.label.en.clone(),
            };
            rows.push([bet.name(), name, row.to_string(), pays, row.cite.to_string()]);
        }
    }
    rows
}

fn layouts(rulebook: &Rulebook) -> Rows {
    let mut rows = Rows::new(["Layout", "Boxes", "Unit", "Bets", "Paragraph"]);
    for layout in &rulebook.layouts {
        let boxes = layout.boxes.map_or("as set".to_string(), |boxes| format!("1–{boxes}"));
        let bets: Vec<String> = layout.bets.iter().map(|bet| bet.name()).collect();
        let unit = layout.exact_unit().to_string();
        rows.push([layout.id.clone(), boxes, unit, bets.join(", "), layout.cite.to_string()]);
    }
    rows
}

fn topics(topics: Vec<(&'static str, &punto_rules::Cite)>) -> Rows {
    let mut rows = Rows::new(["Topic", "Paragraph"]);
    for (topic, cite) in topics {
        rows.push([topic.replace('_', " "), cite.to_string()]);
    }
    rows
}

fn irregularities(rulebook: &Rulebook) -> Rows {
    let mut rows = Rows::new(["Irregularity", "In time", "Remedy", "Decides", "Choice", "Shoe", "Paragraph"]);
    for it in &rulebook.irregularities {
        let mut decides = it.decides.map_or(String::new(), |post| format!("{} or above", post.name()));
        decides.extend(it.second_person.then_some(" and a second person"));
        decides.extend(it.discretion.map(|discretion| format!(", {} discretion", discretion.id())));
        rows.push([
            it.kind.id().to_string(),
            it.in_time.map_or("", |remedy| remedy.id()).to_string(),
            it.remedy.id().to_string(),
            decides,
            it.choice.map_or("", |choice| choice.id()).to_string(),
            it.shoe.map_or("", |shoe| shoe.id()).to_string(),
            it.cite.to_string(),
        ]);
    }
    rows
}

#[derive(Serialize)]
struct RulebookJson<'r> {
    game: &'r str,
    title: &'r punto_rules::Label,
    version: Option<u32>,
    in_force: &'r str,
    mode: &'static str,
    decks: serde_json::Value,
    limits: serde_json::Value,
    squeeze: Option<serde_json::Value>,
    play: serde_json::Map<String, serde_json::Value>,
    bets: Vec<serde_json::Value>,
    layouts: Vec<serde_json::Value>,
    conduct: serde_json::Map<String, serde_json::Value>,
    irregularities: &'r [Irregularity],
}

impl<'r> RulebookJson<'r> {
    fn new(rulebook: &'r Rulebook) -> RulebookJson<'r> {
        use serde_json::json;
        let decks = &rulebook.decks;
        let topics = |topics: Vec<(&'static str, &punto_rules::Cite)>| {
            topics.into_iter().map(|(topic, cite)| (topic.to_string(), json!(cite))).collect()
        };
        let bet = |bet: &Bet| {
            let rows = bet.rows.iter().map(|row| match row.pays {
                Pays::Won { odds, commission } => {
                    json!({ "when": row.to_string(), "pays": odds, "commission": commission, "cite": row.cite, "label": row.label })
                }
                Pays::Returned => json!({ "when": row.to_string(), "returned": true, "cite": row.cite, "label": row.label }),
            });
            json!({
                "bet": bet.id, "variant": bet.variant, "label": bet.label, "cite": bet.cite, "original": bet.original,
                "rows": rows.collect::<Vec<_>>(),
            })
        };
        RulebookJson {
            game: &rulebook.game,
            title: &rulebook.title,
            version: rulebook.version,
            in_force: &rulebook.in_force,
            mode: rulebook.mode.id(),
            decks: json!({ "min": decks.min, "max": decks.max, "cite": decks.cite }),
            limits: json!({ "model": rulebook.limits.model.id(), "cite": rulebook.limits.cite }),
            squeeze: rulebook.squeeze.as_ref().map(|it| json!({ "right": it.right.id(), "cite": it.cite })),
            play: topics(rulebook.play.topics()),
            bets: rulebook.bets.iter().map(|it| bet(it)).collect(),
            layouts: rulebook
                .layouts
                .iter()
                .map(|layout| {
                    let bets: Vec<String> = layout.bets.iter().map(|bet| bet.name()).collect();
                    json!({
                        "layout": layout.id, "boxes": layout.boxes, "bilingual": layout.bilingual, "bets": bets,
                        "unit": layout.exact_unit(), "cite": layout.cite,
                    })
                })
                .collect(),
            conduct: topics(rulebook.conduct.topics()),
            irregularities: &rulebook.irregularities,
        }
    }
}
