//! `punto solve`: whole-number pays for a wanted edge.

use std::io::Write;

use punto_odds::{Ratio, sensitivity, solve};
use serde_json::json;

use crate::answer::{Answer, Problem};
use crate::cli::{Format, Solve};
use crate::odds::percent;
use crate::output::{Rows, write_json};
use crate::table::Study;

pub(crate) fn run(args: &Solve, out: &mut impl Write) -> anyhow::Result<Answer> {
    let study = Study::new(&args.table)?;
    let Some(no) = study.terms.bet_no(&args.bet) else {
        let known: Vec<&str> = study.terms.bets().iter().map(|bet| bet.id.as_str()).collect();
        let message = format!("layout {} does not offer a bet `{}`", study.terms.layout().id, args.bet);
        return Err(Problem::new(message).hint(format!("it offers {}", known.join(", "))).into());
    };
    let bet = study.terms.bet(no);
    let price = &study.pricer.price(&study.shoe())?[no.index()];
    let (from, to) = interval(&args.edge)?;
    let winning: Vec<usize> =
        (0..bet.rows.len()).filter(|&row| bet.rows[row].verdict().odds().is_some()).collect();
    let rows = match &args.rows {
        Some(rows) => rows.iter().map(|row| row.checked_sub(1).unwrap_or(usize::MAX)).collect(),
        None => winning.clone(),
    };
    let solutions = solve(price, &rows, from, to, args.most, args.show as usize)?;
    if args.format == Format::Json {
        let json = json!({
            "game": study.rulebook().game, "layout": study.terms.layout().id, "decks": study.terms.decks(),
            "bet": bet.id, "edge": price.edge().to_f64(), "edge_exact": price.edge(),
            "rows": winning.iter().map(|&row| json!({
                "row": row + 1, "when": bet.rows[row].to_string(), "pays": bet.rows[row].verdict().odds(),
                "probability": price.share(price.rows[row]), "edge_per_unit": sensitivity(price, row).to_f64(),
            })).collect::<Vec<_>>(),
            "varied": rows.iter().map(|row| row + 1).collect::<Vec<_>>(),
            "solutions": solutions.iter().map(|it| json!({
                "pays": it.pays, "edge": it.edge.to_f64(), "edge_exact": it.edge,
            })).collect::<Vec<_>>(),
        });
        write_json(&json, out)?;
    } else {
        if args.format != Format::Csv {
            writeln!(out, "{}: `{}`, edge {} now\n", study.title(), bet.id, percent(price.edge().to_f64()))?;
            let mut table = Rows::new(["Row", "When", "Pays", "Chance", "Edge for each 1 to 1 more"]);
            for &row in &winning {
                table.push([
                    (row + 1).to_string(),
                    bet.rows[row].to_string(),
                    bet.rows[row].verdict().odds().map(|odds| odds.to_string()).unwrap_or_default(),
                    percent(price.share(price.rows[row])),
                    percent(sensitivity(price, row).to_f64()),
                ]);
            }
            table.write(args.format, out)?;
            writeln!(out)?;
        }
        let mut table = Rows::new(["Pays", "Edge", "Exact edge"]);
        for solution in &solutions {
            let pays: Vec<String> = solution.pays.iter().map(|pays| format!("{pays} to 1")).collect();
            table.push([pays.join(", "), percent(solution.edge.to_f64()), solution.edge.to_string()]);
        }
        table.write(args.format, out)?;
    }
    if solutions.is_empty() {
        let text = format!("no whole-number pays up to {} to 1 put the edge there", args.most);
        crate::answer::say("none", anstyle::AnsiColor::Yellow, &text);
        return Ok(Answer::No);
    }
    Ok(Answer::Yes)
}

/// `4..8`, in percent.
fn interval(text: &str) -> Result<(Ratio, Ratio), Problem> {
    let malformed =
        || Problem::new(format!("`{text}` is not an interval")).hint("write as in `--edge 4..8`, in percent");
    let (from, to) = text.split_once("..").ok_or_else(malformed)?;
    let bound = |text: &str| -> Option<Ratio> {
        let (sign, digits) = text.trim().strip_prefix('-').map_or((1, text.trim()), |rest| (-1, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if digits.is_empty() || fraction.len() > 9 || whole.len() > 6 {
            return None;
        }
        let scale = 10i128.pow(fraction.len() as u32);
        let number: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Ratio::new(sign * number, 100 * scale))
    };
    Ok((bound(from).ok_or_else(malformed)?, bound(to).ok_or_else(malformed)?))
}
