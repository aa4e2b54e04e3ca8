//! A settlement as a line of JSON, or as a table for people.

use std::io::Write;

use punto_rules::{Bet, Line, Money, Outcome, Pairs, Row, Side, Verdict};
use serde::Serialize;

use super::input::WagerIn;
use super::round::Settled;
use crate::cli::Format;
use crate::output::Rows;
use crate::round_view::OutcomeJson;

/// The parts of a line of JSON that are the same for every wager on a bet that one row decides, rendered once.
///
/// Most of a settlement's bytes are such text. Copying it makes `settle` about as fast as parsing its input; writing
/// each key and word through the serialiser takes twice as long.
pub(super) struct LineTemplate {
    bet: String,
    verdict: String,
    cite: String,
}

impl LineTemplate {
    /// For a bet decided by `row`, or lost for want of one.
    pub(super) fn new(bet: &Bet, row: Option<&Row>) -> LineTemplate {
        let text = |text: &str| serde_json::to_string(text).expect("a text is JSON");
        let verdict = row.map_or(Verdict::Lost, Row::verdict);
        let pays = verdict.odds().map_or("null".to_string(), |odds| text(&odds.to_string()));
        let cite = row.map_or(&bet.cite, |row| &row.cite);
        LineTemplate {
            bet: format!(",\"bet\":{},\"stake\":", text(bet.id.as_str())),
            verdict: format!(",\"verdict\":{},\"pays\":{pays},\"winnings\":", text(verdict.id())),
            cite: format!(",\"cite\":{}", text(cite.as_str())),
        }
    }

    fn write(&self, line: &Line<'_>, wager: &WagerIn<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut number = itoa::Buffer::new();
        let mut put = |out: &mut Vec<u8>, key: &str, amount: Money| {
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(number.format(amount.get()).as_bytes());
        };
        out.extend_from_slice(b"{\"patron\":");
        serde_json::to_writer(&mut *out, &wager.patron)?;
        out.extend_from_slice(b",\"box\":");
        serde_json::to_writer(&mut *out, &wager.box_no)?;
        put(out, &self.bet, line.wager.stake);
        put(out, ",\"playing\":", line.wager.playing);
        put(out, ",\"returned\":", line.returned);
        put(out, &self.verdict, line.winnings);
        put(out, ",\"commission\":", line.commission);
        out.extend_from_slice(self.cite.as_bytes());
        Ok(())
    }
}

/// A completed Round, in the shape of [`OutcomeJson`]; a test holds the two together.
fn outcome(outcome: &Outcome, out: &mut Vec<u8>) {
    let flag = |flag: bool| if flag { "true" } else { "false" };
    for (side, key) in
        [(Side::Player, "{\"player\":{\"cards\":["), (Side::Banker, ",\"banker\":{\"cards\":[")]
    {
        out.extend_from_slice(key.as_bytes());
        let hand = &outcome.hands()[side];
        for (index, card) in hand.cards().iter().enumerate() {
            let quote = if index == 0 { "\"" } else { ",\"" };
            out.extend_from_slice(quote.as_bytes());
            out.extend_from_slice(&[card.rank.symbol() as u8, card.suit.symbol() as u8, b'"']);
        }
        out.extend_from_slice(b"],\"points\":");
        out.extend_from_slice(&[b'0' + hand.points().get(), b'}']);
    }
    let pairs = outcome.pairs();
    for part in [
        ",\"winner\":\"",
        outcome.winner().id(),
        "\",\"natural\":",
        flag(outcome.is_natural()),
        ",\"pairs\":{\"player\":",
        flag(pairs.on(Side::Player)),
        ",\"banker\":",
        flag(pairs.on(Side::Banker)),
        ",\"twin\":",
        flag(pairs == Pairs::Twin),
        "}}",
    ] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// NDJSON: one settlement a line, made up in `scratch`.
pub(super) fn json(settled: &Settled<'_>, scratch: &mut Vec<u8>, out: &mut impl Write) -> anyhow::Result<()> {
    scratch.clear();
    scratch.extend_from_slice(b"{\"outcome\":");
    outcome(settled.outcome, scratch);
    scratch.extend_from_slice(b",\"lines\":[");
    for (index, (line, wager)) in settled.lines().enumerate() {
        if index > 0 {
            scratch.push(b',');
        }
        settled.in_force.template(line).write(line, wager, scratch)?;
        if let Some(cite) = settled.pro_rata(line) {
            scratch.extend_from_slice(b",\"pro_rata\":");
            serde_json::to_writer(&mut *scratch, cite)?;
        }
        scratch.push(b'}');
    }
    writeln!(scratch, "],\"house\":{}}}", settled.house)?;
    out.write_all(scratch)?;
    Ok(())
}

/// A Round with its wagers as a person would read it.
pub(super) fn table(settled: &Settled<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let outcome = OutcomeJson::new(settled.outcome);
    writeln!(out, "{} layout {}: {}", settled.round.game, settled.round.layout, outcome.in_words())?;
    let headings = [
        "Patron",
        "Box",
        "Bet",
        "Stake",
        "Playing",
        "Returned",
        "Verdict",
        "Pays",
        "Winnings",
        "Commission",
        "Paragraph",
    ];
    let mut rows = Rows::new(headings);
    for (line, wager) in settled.lines() {
        let bet = settled.in_force.terms.bet(line.wager.bet);
        let cite = line.row.map_or(&bet.cite, |row| &row.cite);
        rows.push([
            wager.patron.to_string(),
            wager.box_no.map_or(String::new(), |box_no| box_no.to_string()),
            bet.id.to_string(),
            line.wager.stake.to_string(),
            line.wager.playing.to_string(),
            line.returned.to_string(),
            line.verdict.id().to_string(),
            line.verdict.odds().map_or(String::new(), |odds| odds.to_string()),
            line.winnings.to_string(),
            line.commission.to_string(),
            match settled.pro_rata(line) {
                Some(pro_rata) => format!("{cite}; pro rata {pro_rata}"),
                None => cite.to_string(),
            },
        ]);
    }
    rows.write(Format::Table, out)?;
    writeln!(out, "House {}\n", settled.house)?;
    Ok(())
}

/// A line that could not be settled, for people.
pub(super) fn table_error(error: &str, line: u64, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "line {line} could not be settled: {error}\n")?;
    Ok(())
}

/// A line that could not be settled.
pub(super) fn json_error(error: &str, line: u64, out: &mut impl Write) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct ErrorJson<'e> {
        error: &'e str,
        line: u64,
    }
    serde_json::to_writer(&mut *out, &ErrorJson { error, line })?;
    out.write_all(b"\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use punto_rules::{Deal, Rank, Step, Suit};

    use super::*;

    /// Every Round by ranks, suits going round: the quick way writes what the serialiser would.
    #[test]
    fn outcomes_have_one_shape() {
        fn each(deal: Deal, visit: &mut impl FnMut(&Outcome)) {
            match deal.step() {
                Step::Complete(outcome) => visit(&outcome),
                Step::Draw(_) => Rank::ALL.into_iter().step_by(2).for_each(|rank| {
                    each(deal.take(punto_rules::Card { rank, suit: Suit::ALL[deal.len() % 4] }), visit);
                }),
            }
        }
        let mut rounds = 0;
        each(Deal::new(), &mut |round| {
            let mut quick = Vec::new();
            outcome(round, &mut quick);
            assert_eq!(quick, serde_json::to_vec(&OutcomeJson::new(round)).expect("JSON"));
            rounds += 1;
        });
        assert!(rounds > 10_000);
    }
}
