#![allow(dead_code, unreachable_pub)]
//! What a rule book and its document must agree on, as a list of named checks.
//!
//! The list serves twice: the approved rule books have to pass every check, and a rule book in which one datum was
//! changed has to fail one. Most of what the document says comes from the reference; the few paragraphs that the
//! reference does not carry (cards, layouts, limits) are written down here.

pub mod rounds;

use std::collections::BTreeSet;
use std::fmt::Debug;

use punto_rules::rulebook::{Mode, Rulebook};
use punto_rules::{Bet, BetId, Cite, Pays};

use crate::reference::{Document, LayoutRule};
use rounds::{SAMPLE, pairings, same_outcome};

/// A name, and a comparison that says what differs.
pub type Check = (&'static str, fn(&Rulebook, &Document) -> Result<(), String>);

/// All of them, the cheap ones first.
pub const CHECKS: &[Check] = &[
    ("title page", title_page),
    ("cards", cards),
    ("play", play),
    ("squeeze", squeeze),
    ("limits", limits),
    ("layouts", layouts),
    ("offers", offers),
    ("original bets", original_bets),
    ("commission", commission),
    ("citations", citations),
    ("outcomes", outcomes),
    ("verdicts", verdicts),
];

/// What the cover says.
fn title_page(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    same("game", rulebook.game.as_str(), document.game)?;
    same("title", rulebook.title.en.as_str(), document.title)?;
    same("version", rulebook.version, document.version)?;
    same("in force", rulebook.in_force.as_str(), document.in_force)?;
    same("electronic", rulebook.mode == Mode::Electronic, document.electronic)
}

/// 2.2.1 in every document.
fn cards(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    same("decks", (rulebook.decks.min, rulebook.decks.max), document.decks)?;
    same("cite of the cards", paragraphs(&rulebook.decks.cite), vec!["2.2.1"])
}

/// Section 3: each topic names its paragraph, and the sub-paragraphs if there are any. Only 3.2 has some.
fn play(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    let ours: BTreeSet<_> =
        rulebook.play.topics().into_iter().map(|(topic, cite)| (topic, paragraphs(cite))).collect();
    let theirs = document.play_paragraphs.iter().filter(|(topic, _)| *topic != "squeeze");
    let theirs: BTreeSet<_> = theirs
        .map(|&(topic, paragraph)| match paragraph {
            "3.2" => (topic, vec!["3.2", "3.2.1", "3.2.2", "3.2.3"]),
            _ => (topic, vec![paragraph]),
        })
        .collect();
    same_sets("topics of play", &ours, &theirs)
}

/// The right to squeeze and its paragraph, or neither.
fn squeeze(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    let ours = rulebook.squeeze.as_ref().map(|squeeze| (squeeze.right.id(), paragraphs(&squeeze.cite)));
    let paragraph = document.play_paragraphs.iter().find(|(topic, _)| *topic == "squeeze");
    let theirs = document.squeeze.zip(paragraph).map(|(right, (_, paragraph))| (right, vec![*paragraph]));
    same("squeeze", ours, theirs)
}

/// 3.4 displays the limits; in the live games the Differential is defined in section 1 and held by 5.1.
fn limits(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    let cite = match document.game {
        "wu-song" => vec!["1.8", "3.4", "5.1"],
        "rws-baccarat" | "da-hu-ying-xiong" => vec!["1.6", "3.4", "5.1"],
        _ => vec!["3.4"],
    };
    same("limits", rulebook.limits.model.id(), document.limits)?;
    same("cite of the limits", paragraphs(&rulebook.limits.cite), cite)
}

/// 2.1.1 and the appendices: which layouts, in which order, with how many boxes.
fn layouts(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    let ours: Vec<_> = rulebook
        .layouts
        .iter()
        .map(|layout| (layout.id.as_str(), layout.cite.as_str().to_string(), layout.boxes, layout.bilingual))
        .collect();
    let cite = |id| if document.electronic { "2.1.1".into() } else { format!("2.1.1, Appendix {id}") };
    let theirs = document.layouts.iter();
    let theirs: Vec<_> =
        theirs.map(|layout| (layout.id, cite(layout.id), layout.boxes, layout.bilingual)).collect();
    same("layouts", ours, theirs)?;
    for LayoutRule { id, felt, .. } in &document.layouts {
        let ours = rulebook.layout(id).and_then(|layout| layout.felt.as_deref()).map(printed);
        same(&format!("felt of layout {id}"), ours, felt.map(lines))?;
    }
    Ok(())
}

/// A felt as the reference writes it.
fn printed(felt: &[Vec<BetId>]) -> Vec<String> {
    let short = |bet: &BetId| match bet.as_str().split_once("-wins-on-") {
        Some((side, points)) => format!("{}{points}", side[..1].to_uppercase()),
        None => bet.to_string(),
    };
    felt.iter().map(|row| row.iter().map(short).collect::<Vec<_>>().join(" ")).collect()
}

fn lines(felt: &str) -> Vec<String> {
    felt.lines().map(|line| line.trim().to_owned()).collect()
}

/// Section 4: exactly the bets that apply to each layout, and no bet that belongs to none.
fn offers(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    for LayoutRule { id, bets, .. } in &document.layouts {
        let Some(layout) = rulebook.layout(id) else { return Err(format!("no layout {id}")) };
        let ours: BTreeSet<&str> = layout.bets.iter().map(|bet| bet.id.as_str()).collect();
        same_sets(&format!("bets of layout {id}"), &ours, &bets.iter().map(|bet| bet.id).collect())?;
    }
    same("warnings", rulebook.warnings(), &[])
}

/// The Original Bets are those placed on a Hand (1.14 of Wu Song, 1.11 or 1.12 elsewhere); the rest are side bets.
fn original_bets(rulebook: &Rulebook, _: &Document) -> Result<(), String> {
    for bet in &rulebook.bets {
        let original = ["player", "banker"].into_iter().find(|hand| bet.id.as_str() == *hand);
        same(&format!("original of {}", bet.id), bet.original.map(|side| side.id()), original)?;
    }
    Ok(())
}

/// Nothing is taken from winnings but the share that the document names, on Banker alone.
fn commission(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    for bet in &rulebook.bets {
        let percent = document.commission_percent_on_banker.filter(|_| bet.id.as_str() == "banker");
        for row in &bet.rows {
            let Pays::Won { odds, commission } = row.pays else { continue };
            let what = format!("commission on {}", bet.id);
            let shown = commission.map(|commission| commission.to_string());
            same(&what, shown, percent.map(|percent| format!("{percent}%")))?;
            if let Some((commission, percent)) = commission.zip(percent) {
                // Net odds and commission are to the stake; the percentage is of both together.
                let taken = commission.to_stake();
                let part = u64::from(taken.pays()) * u64::from(odds.per());
                let rest = u64::from(odds.pays()) * u64::from(taken.per());
                same(&what, 100 * part, u64::from(percent) * (part + rest))?;
            }
        }
    }
    Ok(())
}

/// Each bet names the paragraphs that define and price it, and no others; the row that returns the stake on a Tie
/// names the paragraph on Ties, every other row is covered by its bet.
fn citations(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    for pairing in pairings(rulebook, document) {
        let Bet { id, cite, rows, .. } = pairing.bet;
        let rows_cite = rows.iter().flat_map(|row| row.cite.paragraphs());
        let ours: BTreeSet<&str> = cite.paragraphs().chain(rows_cite).collect();
        same_sets(&format!("cites of {id}"), &ours, &pairing.rule.cites.iter().copied().collect())?;
        for (no, row) in rows.iter().enumerate() {
            let expected = if row.pays == Pays::Returned { &rulebook.play.tie } else { cite };
            same(&format!("cite of {id}, row {}", no + 1), &row.cite, expected)?;
        }
    }
    Ok(())
}

/// The sample falls as in the reference. A rule book cannot change this: the Table of Play is no datum.
fn outcomes(_: &Rulebook, _: &Document) -> Result<(), String> {
    match SAMPLE.iter().find(|round| !same_outcome(&round.played, &round.outcome)) {
        Some(round) => Err(format!("{:?}: {:?} for {:?}", round.ranks, round.outcome, round.played)),
        None => Ok(()),
    }
}

/// Every bet is won, lost or returned in every Round of the sample as the document says.
fn verdicts(rulebook: &Rulebook, document: &Document) -> Result<(), String> {
    let space = rulebook.space();
    let classes: Vec<_> = SAMPLE.iter().map(|round| (round, space.class_of(&round.outcome))).collect();
    for pairing in pairings(rulebook, document) {
        for (round, class) in &classes {
            if let Some(both) = pairing.disagreement(*class, &round.played) {
                return Err(format!("{:?}, {both}", round.ranks));
            }
        }
    }
    Ok(())
}

fn paragraphs(cite: &Cite) -> Vec<&str> {
    cite.paragraphs().collect()
}

fn same<T: PartialEq + Debug>(what: &str, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: rule book {ours:?}, document {theirs:?}")) }
}

/// Like [`same`], but says only what one side has more.
fn same_sets<T: Ord + Debug>(what: &str, ours: &BTreeSet<T>, theirs: &BTreeSet<T>) -> Result<(), String> {
    let only_ours: Vec<_> = ours.difference(theirs).collect();
    let only_theirs: Vec<_> = theirs.difference(ours).collect();
    same(what, (only_ours, vec![]), (vec![], only_theirs))
}
