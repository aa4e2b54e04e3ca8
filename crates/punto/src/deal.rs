//! `punto deal`: a Round from its cards, and what it does to every bet.

use std::io::Write;

use anyhow::Context;
use punto_rules::{
    Bet, BetNo, Card, Composition, Deal, Established, IrregularityKind, LimitsAsked, Rulebook, Step, Terms,
    Winner, established, notation, reconstruct,
};
use serde::Serialize;

use crate::answer::{Answer, Problem};
use crate::cli::{self, Format};
use crate::output::{Rows, write_json};
use crate::round_view::{HandJson, PairsJson, decision_line, hand_lines, result_line};
use crate::rulebooks;

#[derive(Serialize)]
struct DealJson<'d> {
    game: &'d str,
    layout: &'d str,
    cards: &'d [Card],
    player: HandJson<'d>,
    banker: HandJson<'d>,
    winner: Option<&'static str>,
    complete: bool,
    next: Option<&'static str>,
    natural: bool,
    pairs: PairsJson,
    established: bool,
    surplus: &'d [Card],
    bets: Vec<BetJson<'d>>,
}

#[derive(Serialize)]
struct BetJson<'d> {
    bet: &'d str,
    verdict: &'static str,
    pays: Option<String>,
    cite: &'d str,
}

pub(crate) fn run(args: &cli::Deal, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rulebook = rulebooks::load(&args.game)?.rulebook;
    let layout = args.layout.as_deref().unwrap_or(&rulebook.layouts[0].id);
    let decks = args.decks.unwrap_or(rulebook.decks.max);
    let terms = rulebook.terms(layout, decks, &LimitsAsked::default())?;
    let line = args.cards.join(" ");
    let cards =
        notation::parse(&line).with_context(|| format!("cannot read the cards \"{}\"", shorten(&line)))?;
    check_copies(&cards, decks)?;

    let (deal, surplus) = reconstruct(&cards);
    let so_far = established(&terms, &deal);
    let bets = bets(&terms, &deal, &so_far);
    match args.format {
        Format::Json => {
            let (winner, next) = match deal.step() {
                Step::Complete(outcome) => (Some(outcome.winner()), None),
                Step::Draw(side) => (None, Some(side)),
            };
            let hands = deal.hands();
            let value = DealJson {
                game: &rulebook.game,
                layout,
                cards: &cards,
                player: HandJson::new(&hands.player),
                banker: HandJson::new(&hands.banker),
                winner: winner.map(Winner::id),
                complete: winner.is_some(),
                next: next.map(|side| side.id()),
                natural: hands.player.is_natural() || hands.banker.is_natural(),
                pairs: PairsJson::new(hands),
                established: so_far.is_established(),
                surplus,
                bets,
            };
            write_json(&value, out)?;
        }
        Format::Csv => rows(&terms, &bets).write(Format::Csv, out)?,
        Format::Table | Format::Markdown => {
            writeln!(out, "{}, layout {layout}", rulebooks::full_title(&rulebook))?;
            for paragraph in words(&rulebook, &terms, &deal, surplus, &so_far) {
                writeln!(out)?;
                let indent = if args.format == Format::Markdown { "    " } else { "  " };
                for line in paragraph {
                    writeln!(out, "{indent}{line}")?;
                }
            }
            writeln!(out)?;
            rows(&terms, &bets).write(args.format, out)?;
        }
    }
    Ok(Answer::Yes)
}

/// Refuses a card beyond the copies that the shoe can hold.
pub(crate) fn check_copies(cards: &[Card], decks: u8) -> Result<(), Problem> {
    if cards.len() <= decks.into() {
        return Ok(()); // even one card over and over would not be too many
    }
    let mut shoe = Composition::decks(decks);
    for (index, &card) in cards.iter().enumerate() {
        if !shoe.remove(card) {
            let message = format!("card {}: `{card}` comes more often than {decks} decks allow", index + 1);
            return Err(Problem::new(message).hint(format!("{decks} decks hold {decks} of each card")));
        }
    }
    Ok(())
}

fn bets<'d>(terms: &'d Terms, deal: &Deal, so_far: &Established) -> Vec<BetJson<'d>> {
    let complete = match deal.step() {
        Step::Complete(outcome) => Some(terms.class_of(&outcome)),
        Step::Draw(_) => None,
    };
    let json = |bet: &'d Bet| {
        if let Some(class) = complete {
            let verdict = bet.verdict(class);
            let cite = bet.row_for(class).map_or(&bet.cite, |row| &row.cite);
            let pays = verdict.odds().map(|odds| odds.to_string());
            return BetJson { bet: bet.id.as_str(), verdict: verdict.id(), pays, cite: cite.as_str() };
        }
        let no = terms.bet_no(bet.id.as_str()).expect("a bet of these terms");
        let certain = so_far.of(no);
        let odds = match certain {
            Some(punto_rules::Certain::Won(odds)) => odds,
            Some(punto_rules::Certain::Lost | punto_rules::Certain::Returned) | None => None,
        };
        BetJson {
            bet: bet.id.as_str(),
            verdict: certain.map_or("open", |certain| certain.id()),
            pays: odds.map(|odds| odds.to_string()),
            cite: bet.cite.as_str(),
        }
    };
    terms.bets().iter().map(|bet| json(bet)).collect()
}

fn rows(terms: &Terms, bets: &[BetJson<'_>]) -> Rows {
    let mut rows = Rows::new(["Bet", "Name", "Verdict", "Pays", "Paragraph"]);
    for (bet, json) in terms.bets().iter().zip(bets) {
        rows.push([
            json.bet.to_string(),
            bet.label.en.clone(),
            json.verdict.to_string(),
            json.pays.clone().unwrap_or_default(),
            json.cite.to_string(),
        ]);
    }
    rows
}

/// The Round in words, paragraph by paragraph.
fn words(
    rulebook: &Rulebook,
    terms: &Terms,
    deal: &Deal,
    surplus: &[Card],
    so_far: &Established,
) -> Vec<Vec<String>> {
    let play = &rulebook.play;
    let mut course: Vec<String> =
        deal.decisions().iter().map(|decision| decision_line(decision, play)).collect();
    match deal.step() {
        Step::Complete(outcome) => course.push(result_line(&outcome, play)),
        Step::Draw(side) => {
            let cite = if deal.len() < 4 { &play.initial_cards } else { &play.table_of_play };
            course.push(format!("the next card goes to {} ({cite})", side.name()));
            course.push(established_line(terms, so_far));
        }
    }
    if !surplus.is_empty() {
        let cite =
            rulebook.irregularity(IrregularityKind::ExcessOrExposedCard).map(|it| format!(" ({})", it.cite));
        let cards = notation::show(surplus);
        course.push(format!("left over for the next Round: {cards}{}", cite.unwrap_or_default()));
    }
    vec![hand_lines(deal), course]
}

fn established_line(terms: &Terms, so_far: &Established) -> String {
    let decided: Vec<String> = so_far
        .decided()
        .map(|(no, certain): (BetNo, _)| format!("{} has {}", terms.bet(no).label.en, certain.id()))
        .collect();
    match &decided[..] {
        [] => "no outcome has been established: every bet is open".to_string(),
        [first] => format!("an outcome has been established: {first}"),
        [first, more @ ..] => format!("an outcome has been established: {first}, and {} more", more.len()),
    }
}

fn shorten(line: &str) -> String {
    if line.chars().count() <= 60 {
        line.to_string()
    } else {
        line.chars().take(60).chain("…".chars()).collect()
    }
}
