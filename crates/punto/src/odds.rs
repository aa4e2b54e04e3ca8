//! `punto odds`: exact odds of every bet.

use std::io::Write;

use anstyle::AnsiColor;
use anyhow::Context;
use punto_odds::{Joint, Listing, Price, parse_shoe};
use punto_rules::{Composition, Deal, LimitsAsked, Step, notation, reconstruct};
use serde::Serialize;

use crate::answer::{Answer, Problem, say};
use crate::cli::{Format, Odds};
use crate::deal::check_copies;
use crate::output::{Rows, write_json};
use crate::table::{Study, numbers_of_decks};

#[derive(Serialize)]
struct OddsJson<'s> {
    #[serde(flatten)]
    listing: Listing<'s>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint: Option<JointJson<'s>>,
}

#[derive(Serialize)]
struct JointJson<'s> {
    stakes: Vec<(&'s str, f64)>,
    mean: f64,
    sd: f64,
    correlations: Vec<CorrelationJson<'s>>,
}

#[derive(Serialize)]
struct CorrelationJson<'s> {
    bets: [&'s str; 2],
    correlation: f64,
}

/// `1.0579 %`
pub(crate) fn percent(share: f64) -> String {
    format!("{:.4} %", share * 100.0)
}

pub(crate) fn run(args: &Odds, out: &mut impl Write) -> anyhow::Result<Answer> {
    let study = Study::new(&args.table)?;
    if let Some(decks) = &args.compare {
        return compare(args, &study, decks, out);
    }
    let mut shoe = match &args.shoe {
        Some(text) => named_shoe(text, &study)?,
        None => study.shoe(),
    };
    let seen = match &args.seen {
        Some(text) => seen(text, &mut shoe)?,
        None => Deal::new(),
    };
    let prices = study.pricer.price_given(&shoe, &seen)?;
    let joint = args.basket.as_ref().map(|text| basket(text, &study, &shoe)).transpose()?;
    if args.format == Format::Json {
        let decks = args.shoe.is_none().then_some(study.terms.decks());
        let seen = seen.drawn().collect();
        let listing = Listing::new(study.rulebook(), &study.terms, decks, seen, &prices);
        let json = OddsJson { listing, joint };
        write_json(&json, out)?;
        return Ok(Answer::Yes);
    }
    if args.format != Format::Csv {
        let cards = match &args.shoe {
            Some(_) => format!(
                "{}, layout {}, {} cards",
                crate::rulebooks::full_title(study.rulebook()),
                study.terms.layout().id,
                shoe.len()
            ),
            None => study.title(),
        };
        writeln!(out, "{cards}")?;
        if !seen.is_empty() {
            writeln!(out, "after {}", notation::show(&seen.drawn().collect::<Vec<_>>()))?;
        }
        writeln!(out, "{} ordered sequences\n", prices[0].sequences)?;
    }
    table(&study, &prices).write(args.format, out)?;
    if args.format != Format::Csv {
        let dead = study.terms.bets().iter().zip(&prices).filter(|(_, price)| !price.can_win());
        for (index, (bet, _)) in dead.enumerate() {
            let from = if seen.is_empty() { "from this shoe" } else { "after these cards" };
            writeln!(out, "{}`{}` cannot win {from}.", if index == 0 { "\n" } else { "" }, bet.id)?;
        }
    }
    if let Some(joint) = joint.filter(|_| args.format != Format::Csv) {
        write_joint(&joint, args.format, out)?;
    }
    Ok(Answer::Yes)
}

/// A shoe by its cards. Where suits matter, says what was made of counts by rank.
fn named_shoe(text: &str, study: &Study) -> anyhow::Result<Composition> {
    let asking: Vec<&str> =
        study.pricer.bets().filter(|bet| bet.tells_suits()).map(|bet| bet.id.as_str()).collect();
    let shoe = parse_shoe(text, !asking.is_empty()).context("cannot read the shoe")?;
    let is_rank = |part: &str| part.split('=').next().is_some_and(|name| name.trim().len() == 1);
    if !asking.is_empty() && text.split(',').any(is_rank) {
        let text = format!(
            "{} ask for suits: cards given by rank are taken to be as many of each suit; name cards, as in `As=8`, if they \
             are not",
            asking.join(", ")
        );
        say("note", AnsiColor::Cyan, &text);
    }
    Ok(shoe)
}

/// The cards that are out, taken from the shoe.
fn seen(text: &str, shoe: &mut Composition) -> anyhow::Result<Deal> {
    let cards = notation::parse(text).context("cannot read the cards seen")?;
    for (index, &card) in cards.iter().enumerate() {
        if !shoe.remove(card) {
            let message =
                format!("card {}: `{card}` has been seen more often than the shoe holds it", index + 1);
            return Err(Problem::new(message).into());
        }
    }
    let (deal, surplus) = reconstruct(&cards);
    if !surplus.is_empty() {
        let message =
            format!("{} cards have been seen, but the Round is complete after {}", cards.len(), deal.len());
        return Err(Problem::new(message).hint("give the cards of one Round only").into());
    }
    if let Step::Complete(_) = deal.step() {
        let hint = "`punto deal` says what a complete Round does to every bet";
        return Err(Problem::new("the Round is complete; nothing is left to chance").hint(hint).into());
    }
    check_copies(&cards, 10)?;
    Ok(deal)
}

fn table(study: &Study, prices: &[Price]) -> Rows {
    let mut rows = Rows::new(["Bet", "Edge", "Hit", "Returned", "SD", "Pays", "Sequences", "Chance"]);
    for (bet, price) in study.terms.bets().iter().zip(prices) {
        let mut first = true;
        for (row, &count) in bet.rows.iter().zip(&price.rows) {
            let Some(odds) = row.verdict().odds() else { continue };
            let figure = |text: String| if first { text } else { String::new() };
            rows.push([
                figure(bet.id.to_string()),
                figure(percent(price.edge().to_f64())),
                figure(percent(price.hit())),
                figure(percent(price.share(price.returned()))),
                figure(format!("{:.4}", price.sd())),
                odds.to_string(),
                count.to_string(),
                percent(price.share(count)),
            ]);
            first = false;
        }
    }
    rows
}

fn compare(args: &Odds, study: &Study, decks: &[u8], out: &mut impl Write) -> anyhow::Result<Answer> {
    let layout = &study.terms.layout().id;
    let mut columns = Vec::new();
    for &decks in decks {
        study.rulebook().terms(layout, decks, &LimitsAsked::default())?;
        columns.push((decks, study.pricer.price(&Composition::decks(decks))?));
    }
    if args.format == Format::Json {
        let listing = |(decks, prices): &(u8, Vec<Price>)| {
            Listing::new(study.rulebook(), &study.terms, Some(*decks), Vec::new(), prices)
        };
        let json: Vec<Listing<'_>> = columns.iter().map(listing).collect();
        write_json(&json, out)?;
        return Ok(Answer::Yes);
    }
    if args.format != Format::Csv {
        writeln!(out, "{}, layout {layout}\n", crate::rulebooks::full_title(study.rulebook()))?;
    }
    let mut rows = Rows::new(["Bet", "Decks", "Edge", "Exact edge", "Hit", "SD"]);
    for (index, bet) in study.terms.bets().iter().enumerate() {
        for (decks, prices) in &columns {
            let price = &prices[index];
            rows.push([
                bet.id.to_string(),
                decks.to_string(),
                percent(price.edge().to_f64()),
                price.edge().to_string(),
                percent(price.hit()),
                format!("{:.4}", price.sd()),
            ]);
        }
    }
    rows.write(args.format, out)?;
    let dead = |index: usize| -> Vec<u8> {
        let dead = columns.iter().filter(|(_, prices)| !prices[index].can_win());
        dead.map(|(decks, _)| *decks).collect()
    };
    let dead = study.terms.bets().iter().enumerate().map(|(index, bet)| (bet, dead(index)));
    for (index, (bet, decks)) in
        dead.filter(|(_, decks)| args.format != Format::Csv && !decks.is_empty()).enumerate()
    {
        let first = if index == 0 { "\n" } else { "" };
        writeln!(out, "{first}`{}` cannot win with {}.", bet.id, numbers_of_decks(&decks))?;
    }
    Ok(Answer::Yes)
}

/// `banker=100,tie=5`, with the correlations of the bets named.
fn basket<'s>(text: &str, study: &'s Study, shoe: &Composition) -> anyhow::Result<JointJson<'s>> {
    let bets = study.terms.bets();
    let mut stakes = vec![0.0; bets.len()];
    let mut named: Vec<usize> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let malformed = || {
            Problem::new(format!("`{part}` is not a bet with its stake"))
                .hint("write as in `banker=100,tie=5`")
        };
        let (id, stake) = part.split_once('=').ok_or_else(malformed)?;
        let stake: u32 = stake.trim().parse().map_err(|_| malformed())?;
        let Some(no) = study.terms.bet_no(id.trim()) else {
            let known: Vec<&str> = bets.iter().map(|bet| bet.id.as_str()).collect();
            let message = format!("layout {} does not offer a bet `{}`", study.terms.layout().id, id.trim());
            return Err(Problem::new(message).hint(format!("it offers {}", known.join(", "))).into());
        };
        if named.contains(&no.index()) {
            return Err(Problem::new(format!("`{}` is in the basket twice", id.trim())).into());
        }
        stakes[no.index()] = f64::from(stake);
        named.push(no.index());
    }
    let joint = Joint::new(&study.pricer, &study.pricer.classes(shoe)?);
    let (mean, sd) = joint.basket(&stakes);
    let mut correlations = Vec::new();
    for (at, &i) in named.iter().enumerate() {
        for &j in &named[at + 1..] {
            let bets = [bets[i].id.as_str(), bets[j].id.as_str()];
            correlations.push(CorrelationJson { bets, correlation: joint.correlation(i, j) });
        }
    }
    let stakes = named.iter().map(|&i| (bets[i].id.as_str(), stakes[i])).collect();
    Ok(JointJson { stakes, mean, sd, correlations })
}

fn write_joint(joint: &JointJson<'_>, format: Format, out: &mut impl Write) -> anyhow::Result<()> {
    let staked: f64 = joint.stakes.iter().map(|(_, stake)| stake).sum();
    writeln!(
        out,
        "\nBasket of {staked}: expected {:+.4}, standard deviation {:.4} a Round\n",
        joint.mean, joint.sd
    )?;
    let mut rows = Rows::new(["Bet", "and", "Correlation"]);
    for CorrelationJson { bets, correlation } in &joint.correlations {
        rows.push([bets[0].to_string(), bets[1].to_string(), format!("{correlation:+.4}")]);
    }
    if !rows.is_empty() {
        rows.write(format, out)?;
    }
    Ok(())
}
