//! `punto drill`: a whole floor in one thread, with faults and an auditor.

use std::io::Write;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use punto_drill::{Plan, drill};
use punto_ledger::Place;

use crate::answer::{Answer, say};
use crate::ledger::bar;
use crate::ledger::cli::Drill;

pub(crate) fn run(args: &Drill, out: &mut impl Write) -> anyhow::Result<Answer> {
    let place = args.ledger.clone().map_or(Place::Memory, Place::File);
    let plan =
        Plan { tables: args.tables, place, keeps: true, trouble: args.trouble, ..Plan::new(args.seed) };
    let (start, most) = (Instant::now(), Duration::from_secs(args.seconds));
    let bar = bar("drilling, seconds", args.seconds);
    let result = drill(&plan, &mut |_| {
        bar.set_position(start.elapsed().as_secs());
        start.elapsed() < most
    });
    bar.finish_and_clear();
    match result {
        Ok(counters) => {
            writeln!(out, "{counters}")?;
            out.flush()?;
            if let Some(path) = &args.ledger {
                let nights = counters.nights;
                let files = format!(
                    "the ledgers of {nights} nights are {0}.1 to {0}.{nights}; an audit of them names the entries of insiders",
                    path.display()
                );
                say("note", AnsiColor::Yellow, &files);
            }
            Ok(Answer::Yes)
        }
        Err(failure) => {
            writeln!(out, "{failure}\n\n{}", failure.counters)?;
            out.flush()?;
            say("hint", AnsiColor::Cyan, &format!("`punto drill --seed {}` plays it again", args.seed));
            Ok(Answer::No)
        }
    }
}
