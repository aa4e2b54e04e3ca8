//! The page: counts, a table for each document, and the paragraphs without effect.

use std::fmt::Write;

use crate::evidence::{Evidence, Kind, Link};
use crate::paragraphs::{Game, Paragraph};

/// How many links a cell shows before it only counts them.
const SHOWN: usize = 3;

const INTRODUCTION: &str = "\
# Conformance

Every paragraph of the four documents, where it is carried out, and what proves it. The page is generated from
[the inventories](../crates/punto/tests/conformance); the build fails if it is stale or a paragraph has no proof
(`PUNTO_UPDATE=1 cargo test -p punto --test conformance` writes it anew).

*Where* names the citations in the rule book and the sources that carry the paragraph out: the lines to break if one
wants to see a row go red. *Proof* names what was seen to hold:

- table scripts (▸), which bet, deal and rule at a table. A script counts only for what its run shows: an event or a
  refusal that cites the paragraph, or an assertion in the script (`shows 3.6: …`) that fails when the behaviour is gone.
  [One test](../crates/punto/tests/conformance.rs) renumbers every citation in a rule book and sees each of these fall.
- tests in a real browser (▢), the only proof of what is displayed;
- tests that bear the paragraph's number, tests that the inventory names, and checks that go red when
  [a rule book is changed](../crates/punto-rules/tests/mutation.rs). What is about conduct at a table needs more than
  a test that merely bears its number.

A paragraph counts if it has a number of its own with at least one point; the others are 2.1.1(a) and the appendices.
Beyond all this, [every Round](../crates/punto-rules/tests/every_round.rs) is settled on every layout as a second
implementation, written from the documents, says, and [golden Rounds](../crates/punto-rules/tests/golden.rs) were written
by hand.
";

pub(crate) fn page(documents: &[(&Game, Vec<Paragraph>, Evidence)]) -> String {
    let mut page = INTRODUCTION.to_string();
    page.push_str(
        "\n| document | numbered | others | without effect | proven | waiting |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for (game, paragraphs, evidence) in documents {
        let idle = paragraphs.iter().filter(|it| it.no_effect.is_some()).count();
        let waiting = paragraphs.iter().filter(|it| !evidence.is_proven(it, paragraphs)).count();
        let proven = paragraphs.len() - idle - waiting;
        let (numbered, others) = (game.numbered, game.others.len());
        write(
            &mut page,
            format_args!(
                "| [{}](#{}) | {numbered} | {others} | {idle} | {proven} | {waiting} |\n",
                game.title, game.id
            ),
        );
    }
    page.push_str("\nRows by the first kind of proof that they rest on:\n\n| document |");
    Kind::ALL.iter().for_each(|kind| write(&mut page, format_args!(" {} |", kind.name())));
    page.push_str("\n|---|");
    Kind::ALL.iter().for_each(|_| page.push_str("--:|"));
    page.push('\n');
    for (game, paragraphs, evidence) in documents {
        let kinds: Vec<Kind> = paragraphs
            .iter()
            .filter(|it| it.no_effect.is_none())
            .filter_map(|it| evidence.kind_of(it, paragraphs))
            .collect();
        write(&mut page, format_args!("| {} |", game.id));
        for kind in Kind::ALL {
            write(&mut page, format_args!(" {} |", kinds.iter().filter(|it| **it == kind).count()));
        }
        page.push('\n');
    }
    for (game, paragraphs, evidence) in documents {
        write(&mut page, format_args!("\n<a id=\"{}\"></a>\n\n## {}\n\n", game.id, game.title));
        page.push_str("| paragraph | about | where | proof |\n|---|---|---|---|\n");
        for paragraph in paragraphs.iter().filter(|it| it.no_effect.is_none()) {
            let Paragraph { number, about, same_as, see, .. } = paragraph;
            let places = evidence.places.get(number).into_iter().flatten().collect();
            let place = cell(places, same_as.as_ref().or(see.as_ref()));
            let mut proof =
                cell(evidence.proofs_of(paragraph).map(|(_, link)| link).collect(), same_as.as_ref());
            if !evidence.is_proven(paragraph, paragraphs) {
                proof = format!("**waiting** {proof}");
            }
            write(&mut page, format_args!("| {number} | {about} | {place} | {} |\n", proof.trim()));
        }
    }
    page.push_str(
        "\n## Without effect\n\nParagraphs that leave nothing to carry out, each with its reason.\n\n",
    );
    page.push_str("| document | paragraph | about | reason |\n|---|---|---|---|\n");
    for (game, paragraphs, _) in documents {
        for Paragraph { number, about, no_effect, .. } in paragraphs {
            if let Some(reason) = no_effect {
                write(&mut page, format_args!("| {} | {number} | {about} | {reason} |\n", game.id));
            }
        }
    }
    page
}

/// The first few links, each once, and how many more there are.
fn cell(links: Vec<&Link>, leans_on: Option<&String>) -> String {
    let mut shown: Vec<String> = leans_on.map(|other| format!("as {other}")).into_iter().collect();
    for Link { text, to } in links {
        let link = format!("[{text}]({to})");
        if !shown.contains(&link) {
            shown.push(link);
        }
    }
    let more = shown.len().saturating_sub(SHOWN);
    shown.truncate(SHOWN);
    if more > 0 { format!("{} + {more}", shown.join(", ")) } else { shown.join(", ") }
}

fn write(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("text");
}
