//! `punto games`: the games, their layouts and the bets on each.

use std::io::Write;

use punto_rules::Rulebook;
use serde::Serialize;

use crate::answer::Answer;
use crate::cli::{Format, Games};
use crate::output::{Rows, write_json};
use crate::rulebooks;

#[derive(Serialize)]
struct GameJson<'r> {
    game: &'r str,
    title: &'r str,
    version: Option<u32>,
    in_force: &'r str,
    mode: &'static str,
    decks: DecksJson,
    layouts: Vec<LayoutJson<'r>>,
}

#[derive(Serialize)]
struct DecksJson {
    min: u8,
    max: u8,
}

#[derive(Serialize)]
struct LayoutJson<'r> {
    layout: &'r str,
    bets: Vec<&'r str>,
}

fn game_json(rulebook: &Rulebook) -> GameJson<'_> {
    let layouts = rulebook.layouts.iter().map(|layout| LayoutJson {
        layout: &layout.id,
        bets: layout.bets.iter().map(|bet| bet.id.as_str()).collect(),
    });
    GameJson {
        game: &rulebook.game,
        title: &rulebook.title.en,
        version: rulebook.version,
        in_force: &rulebook.in_force,
        mode: rulebook.mode.id(),
        decks: DecksJson { min: rulebook.decks.min, max: rulebook.decks.max },
        layouts: layouts.collect(),
    }
}

pub(crate) fn run(args: &Games, out: &mut impl Write) -> anyhow::Result<Answer> {
    let loaded = rulebooks::approved();
    let rulebooks: Vec<&Rulebook> = loaded.iter().map(|loaded| &loaded.rulebook).collect();
    if args.format == Format::Json {
        let games: Vec<_> = rulebooks.into_iter().map(game_json).collect();
        write_json(&games, out)?;
        return Ok(Answer::Yes);
    }
    let mut rows = Rows::new(["Game", "Title", "Version", "In force", "Mode", "Decks", "Layouts", "Bets"]);
    for rulebook in rulebooks {
        let mut offered: Vec<usize> = rulebook.layouts.iter().map(|layout| layout.bets.len()).collect();
        offered.sort_unstable();
        offered.dedup();
        let offered: Vec<String> = offered.iter().map(usize::to_string).collect();
        let layouts: Vec<&str> = rulebook.layouts.iter().map(|layout| layout.id.as_str()).collect();
        rows.push([
            rulebook.game.clone(),
            rulebook.title.en.clone(),
            rulebook.version.map_or("–".to_string(), |version| version.to_string()),
            rulebook.in_force.replace('T', " ")[..16].to_string(),
            rulebook.mode.id().to_string(),
            format!("{}–{}", rulebook.decks.min, rulebook.decks.max),
            layouts.join(" "),
            offered.join(" or "),
        ]);
    }
    rows.write(args.format, out)?;
    Ok(Answer::Yes)
}
