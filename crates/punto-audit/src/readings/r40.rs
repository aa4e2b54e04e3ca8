//! An event cites a paragraph only if that paragraph says so: looked up in the documents, game by game.

use punto_record::{Entry, Event, Ruling};
use punto_rules::{Cite, IrregularityKind};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 40;

/// What the document of a game says where.
struct Document {
    game: &'static str,
    /// A Round is void: the causes, and what is left open.
    void: &'static [&'static str],
    /// An interrupted Round is concluded, or void.
    concluded: &'static str,
    interrupted: &'static str,
    /// The cards may be replaced.
    replaced: &'static [&'static str],
    /// The cards prevail over what was registered, or are put in order.
    corrected: &'static [&'static str],
}

const DOCUMENTS: [Document; 4] = [
    Document {
        game: "wu-song",
        void: &["5.5", "5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5", "5.18"],
        concluded: "5.4.1",
        interrupted: "5.4.2",
        replaced: &["5.11", "5.11.1", "5.11.2"],
        corrected: &["5.15", "5.8", "5.8.1"],
    },
    Document {
        game: "rws-baccarat",
        void: &["5.5", "5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5", "5.17"],
        concluded: "5.4.1",
        interrupted: "5.4.2",
        replaced: &["5.10", "5.10.1", "5.10.2"],
        corrected: &["5.14", "5.7", "5.7.1"],
    },
    Document {
        game: "da-hu-ying-xiong",
        void: &["5.5", "5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5", "5.17"],
        concluded: "5.4.1",
        interrupted: "5.4.2",
        replaced: &["5.10", "5.10.1", "5.10.2"],
        corrected: &["5.14", "5.7", "5.7.1"],
    },
    Document {
        game: "ncb-etg",
        void: &["5.3", "5.3.1", "5.3.2", "5.3.3", "5.3.4", "5.3.5", "5.12"],
        concluded: "5.1.1",
        interrupted: "5.1.2",
        replaced: &["5.7", "5.7.1"],
        corrected: &["5.6", "5.4"],
    },
];

pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let Some(settings) = past.settings.as_ref() else { return };
    let Some(document) = DOCUMENTS.iter().find(|it| it.game == settings.game) else { return };
    for event in &entry.events {
        out.interpreted(NO, is_said(document, event), "a paragraph is cited that does not say so");
    }
}

#[allow(clippy::wildcard_enum_match_arm)] // The events whose citations were wrong once; the others cite what they are about.
fn is_said(document: &Document, event: &Event) -> bool {
    let within = |cite: &Cite, said: &[&str]| cite.paragraphs().all(|one| said.contains(&one));
    let a_reading = |cite: &Cite| cite.as_str().starts_with("interpretation ");
    let names = |cite: &Cite, one: &str| cite.paragraphs().any(|it| it == one);
    match event {
        Event::ShoeExchangeRequired { cite, .. } => a_reading(cite) || within(cite, document.replaced),
        Event::CarriedCardsRuled { cite, .. } => a_reading(cite),
        Event::InterruptionResolved { established: true, cite, .. } => !names(cite, document.interrupted),
        Event::InterruptionResolved { established: false, cite, .. } => !names(cite, document.concluded),
        Event::RoundVoided { kind: IrregularityKind::TechnicalInterruption, cite, .. } => {
            !names(cite, document.concluded)
        }
        Event::RoundVoided { cite, .. } | Event::Ruled { ruling: Ruling::Void {}, cite, .. } => {
            within(cite, document.void)
        }
        Event::Ruled { ruling: Ruling::Misread { .. }, cite, .. } => {
            a_reading(cite) || !within(cite, document.void)
        }
        Event::RoundCorrected { cite, .. } => within(cite, document.corrected),
        _ => true,
    }
}
