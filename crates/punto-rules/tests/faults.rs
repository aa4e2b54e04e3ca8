//! A corpus of faulty rule books: what is wrong with each is written at its top, all of it, in the order of the text.
//!
//! `# expect: <kind> <line>:<column>` in `faults/*.toml`; columns count characters.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use punto_rules::Rulebook;
use punto_rules::rulebook::{Fault, FaultKind};

/// Every kind; a kind that is missing here does not compile.
fn all_kinds() -> BTreeSet<FaultKind> {
    let kinds = [
        FaultKind::Syntax,
        FaultKind::UnknownKey,
        FaultKind::MissingKey,
        FaultKind::WrongType,
        FaultKind::BadValue,
        FaultKind::MissingCitation,
        FaultKind::MalformedOdds,
        FaultKind::DuplicateId,
        FaultKind::UnknownBet,
        FaultKind::DeckRange,
        FaultKind::ImpossibleRow,
        FaultKind::ShadowedRow,
        FaultKind::NeverWins,
        FaultKind::TieNotReturned,
        FaultKind::PaysAgainstItsHand,
        FaultKind::TooManyClasses,
        FaultKind::UnitOutOfReach,
        FaultKind::UnofferedBet,
    ];
    kinds
        .into_iter()
        .inspect(|kind| match kind {
            FaultKind::Syntax
            | FaultKind::UnknownKey
            | FaultKind::MissingKey
            | FaultKind::WrongType
            | FaultKind::BadValue
            | FaultKind::MissingCitation
            | FaultKind::MalformedOdds
            | FaultKind::DuplicateId
            | FaultKind::UnknownBet
            | FaultKind::DeckRange
            | FaultKind::ImpossibleRow
            | FaultKind::ShadowedRow
            | FaultKind::NeverWins
            | FaultKind::TieNotReturned
            | FaultKind::PaysAgainstItsHand
            | FaultKind::TooManyClasses
            | FaultKind::UnitOutOfReach
            | FaultKind::UnofferedBet => {}
            // These need odds, so the reader never finds them; `punto rulebook check` does.
            FaultKind::FavoursPatron | FaultKind::CannotWin => unreachable!("not among the reader's"),
        })
        .collect()
}

/// Name and text of each file, by name.
fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let name = |file: &Path| file.file_stem().unwrap().to_str().unwrap().to_string();
    files.iter().map(|file| (name(file), fs::read_to_string(file).unwrap())).collect()
}

/// All that is said about a text, and whether it can be used all the same.
fn faults(text: &str) -> (Vec<Fault>, bool) {
    match Rulebook::parse(text) {
        Ok(book) => (book.warnings().to_vec(), true),
        Err(faults) => (faults.0, false),
    }
}

#[test]
fn all_faults_at_once_in_order_each_at_its_place() {
    let corpus = corpus();
    assert!(corpus.len() >= all_kinds().len(), "{} files", corpus.len());
    for (name, text) in corpus {
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# expect: ")).collect();
        let (faults, usable) = faults(&text);
        let found: Vec<String> = faults
            .iter()
            .map(|fault| {
                let (line, column) = fault.place(&text);
                format!("{} {line}:{column}", fault.kind.id())
            })
            .collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(usable, faults.iter().all(|fault| fault.kind.is_warning()), "{name}");
        for fault in &faults {
            assert!(text.get(fault.span.clone()).is_some(), "{name}: {fault:?}");
            assert!(!fault.message.is_empty() && fault.hint.as_deref() != Some(""), "{name}: {fault:?}");
        }
    }
}

#[test]
fn every_kind_of_fault_has_a_text() {
    let shown: BTreeSet<FaultKind> =
        corpus().iter().flat_map(|(_, text)| faults(text).0).map(|fault| fault.kind).collect();
    assert_eq!(shown, all_kinds());
    let names: BTreeSet<String> = corpus().into_iter().map(|(name, _)| name).collect();
    for kind in all_kinds() {
        assert!(names.contains(kind.id()), "faults/{}.toml", kind.id());
    }
}

/// What a fault looks like to a reader: the message names what is meant, the hint what would be right.
#[test]
fn messages_name_the_thing_and_hints_the_remedy() {
    let hints = |name: &str| -> Vec<(String, Option<String>)> {
        let text = corpus().into_iter().find(|(file, _)| file == name).unwrap().1;
        faults(&text).0.into_iter().map(|fault| (fault.message, fault.hint)).collect()
    };
    let hint = |text: &str| Some(text.to_string());
    assert_eq!(hints("unknown-bet")[0], ("there is no bet `ties`".into(), hint("did you mean `tie`?")));
    assert_eq!(
        hints("unknown-bet")[2],
        ("`pair` has variants; a layout names one".into(), hint("write pair:high"))
    );
    assert_eq!(hints("unknown-key")[7].1, hint("did you mean `odds`?"));
    assert_eq!(hints("shadowed-row")[0].0, "`a` row 2 is never reached: earlier rows always match first");
}
