//! `punto ledger approvals`: what a house has recorded about its rule books (interpretation 33).

use std::io::Write;
use std::ops::ControlFlow;

use punto_record::{Approvals, Deed, HouseEntry, LedgerKind, Seq, Timestamp, Volume};
use punto_server::http::rules::{Rules, RulesListed};

use super::{cli, instant, now, problem, reader};
use crate::answer::{Answer, Problem};
use crate::cli::Format;
use crate::output::{Rows, write_json};

pub(crate) fn run(args: &cli::Approvals, out: &mut impl Write) -> anyhow::Result<Answer> {
    let at = args.at.as_deref().map_or_else(|| Ok(now()), instant)?;
    let rules = read(&args.ledger, at)?;
    match args.format {
        Format::Json => write_json(&rules, out)?,
        Format::Table | Format::Csv | Format::Markdown => {
            let mut rows = Rows::new(HEADINGS);
            rules.rules.iter().for_each(|listed| rows.push(row(listed)));
            rows.write(args.format, out)?;
        }
    }
    Ok(Answer::Yes)
}

const HEADINGS: [&str; 10] = [
    "Game",
    "Version",
    "State",
    "Authority",
    "Reference",
    "Operator",
    "In force",
    "Withdrawn",
    "Entry",
    "Digest",
];

fn row(listed: &RulesListed) -> [String; 10] {
    let approval = listed.approval.as_ref();
    let said = |of: fn(&punto_server::http::rules::Recording) -> String| approval.map(of).unwrap_or_default();
    [
        listed.game.clone(),
        listed.version.clone(),
        listed.state.id().to_owned(),
        said(|it| it.authority.clone()),
        said(|it| it.reference.clone()),
        said(|it| it.operator.clone()),
        said(|it| it.in_force.to_string()),
        said(|it| it.withdrawn.map(written).unwrap_or_default()),
        said(|it| it.entry.to_string()),
        listed.digest.to_string(),
    ]
}

/// An instant in UTC.
fn written(at: Timestamp) -> String {
    punto_record::Moment::utc(at).to_string()
}

/// Reads the house's own volume.
fn read(ledger: &str, at: Timestamp) -> Result<Rules, Problem> {
    let (mut deeds, mut approvals, mut kind) = (Vec::new(), Approvals::default(), None);
    let mut unreadable = None;
    let each =
        &mut |stored: punto_ledger::Stored<'_>| match serde_json::from_slice::<HouseEntry>(stored.bytes) {
            Ok(entry) => {
                if let Deed::LedgerFounded { kind: founded, .. } = &entry.deed {
                    kind.get_or_insert(*founded);
                }
                approvals.enter(&entry, stored.chain().link);
                deeds.push(entry);
                ControlFlow::Continue(())
            }
            Err(error) => {
                unreadable = Some(format!("entry {} of the house cannot be read: {error}", deeds.len() + 1));
                ControlFlow::Break(())
            }
        };
    reader(ledger)?.entries_of(&Volume::House, Seq(0), each).map_err(|error| problem(&error))?;
    if let Some(words) = unreadable {
        return Err(Problem::new(words).hint("`punto audit` says what is wrong with it"));
    }
    let kind: LedgerKind =
        kind.ok_or_else(|| Problem::new("the record does not say what the ledger is for"))?;
    Ok(Rules::of(kind, &deeds, &approvals, at))
}
