//! Makes a sheet from the exact prices.

use punto_rules::{Bet, Card, ClassNo, Composition, Pays, Rank, Suit, Verdict};

use super::assumptions;
use super::figures::{Z_90, Z_95, Z_99};
use super::sheet::{
    ByDecks, Identification, Interval, PairOfBets, ParBet, ParInput, ParRow, ParSheet, RemovalEffect,
    SimulatedBet, SimulationCheck, SimulationRun, Summary, VolatilityIndex,
};
use crate::{ByCard, Generator, Joint, Price, PriceError, Pricer, Ratio, effects_of_removal};

/// The numbers of Rounds of the confidence intervals.
const ROUNDS: [u64; 6] = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
/// Fewer wins than this, and a sum of gains is too lopsided to be called normal.
const LEAST_WINS: f64 = 10.0;

impl ParSheet {
    /// Makes the sheet: all exact figures from the pricer, the simulation and counting as they were handed in.
    ///
    /// # Errors
    /// If the shoe is too small to price it with a card removed.
    pub fn new(input: &ParInput<'_>) -> Result<ParSheet, PriceError> {
        let ParInput { rulebook, terms, pricer, .. } = *input;
        let shoe = Composition::decks(terms.decks());
        let prices = pricer.price(&shoe)?;
        let effects = effects_of_removal(pricer, &shoe)?;
        let by_decks: Vec<(u8, Vec<Price>)> = (rulebook.decks.min..=rulebook.decks.max)
            .map(|decks| Ok((decks, pricer.price(&Composition::decks(decks))?)))
            .collect::<Result<_, PriceError>>()?;
        let bets: Vec<ParBet> = terms
            .bets()
            .iter()
            .enumerate()
            .map(|(index, bet)| {
                let price = &prices[index];
                let removal = removal(&effects[index]);
                // A full shoe has as many of each card.
                let squares: f64 =
                    removal.iter().map(|it| it.effect * it.effect * it.suits.len() as f64).sum();
                ParBet {
                    bet: bet.id.to_string(),
                    label: bet.label.clone(),
                    paragraph: bet.cite.to_string(),
                    original: bet.original.is_some(),
                    rows: rows(bet, price),
                    summary: summary(price),
                    intervals: ROUNDS.map(|rounds| interval(price, rounds)).to_vec(),
                    by_decks: by_decks
                        .iter()
                        .map(|(decks, prices)| {
                            let edge = prices[index].edge();
                            let can_win = prices[index].can_win();
                            ByDecks { decks: *decks, edge_exact: edge, edge: edge.to_f64(), can_win }
                        })
                        .collect(),
                    removal_rms: (squares / Card::KINDS as f64).sqrt(),
                    removal,
                }
            })
            .collect();
        let identification = Identification {
            game: rulebook.game.clone(),
            title: rulebook.title.clone(),
            version: rulebook.version,
            in_force: rulebook.in_force.clone(),
            mode: rulebook.mode.id(),
            rulebook_sha256: input.digest.to_string(),
            software: input.software.to_string(),
            layout: terms.layout().id.clone(),
            layout_paragraph: terms.layout().cite.to_string(),
            decks: terms.decks(),
            decks_allowed: [rulebook.decks.min, rulebook.decks.max],
            decks_paragraph: rulebook.decks.cite.to_string(),
            cards: shoe.len(),
        };
        Ok(ParSheet {
            identification,
            assumptions: assumptions::assumptions(rulebook, terms),
            exactness: assumptions::exactness(),
            sequences: prices[0].sequences,
            pairs: pairs(pricer, &shoe)?,
            simulation: check(&input.simulation, &bets),
            bets,
            counting: input.counting.clone(),
            reproduction: commands(input),
        })
    }
}

/// The gain of a unit staked, exactly.
fn gain(verdict: Verdict) -> (i128, i128) {
    match verdict {
        Verdict::Won(odds) => (odds.pays().into(), odds.per().into()),
        Verdict::Lost => (-1, 1),
        Verdict::Returned => (0, 1),
    }
}

fn rows(bet: &Bet, price: &Price) -> Vec<ParRow> {
    let share = |verdict: Verdict, sequences: u64| {
        let (pays, per) = gain(verdict);
        let exact = Ratio::new(pays * i128::from(sequences), per * i128::from(price.sequences));
        let probability = price.share(sequences);
        (probability, exact, probability * (1.0 + pays as f64 / per as f64))
    };
    let paying = bet.rows.iter().zip(&price.rows).map(|(row, &sequences)| {
        let (probability, gain_exact, returns) = share(row.verdict(), sequences);
        let (pays, commission) = match row.pays {
            Pays::Won { odds, commission } => (odds.to_string(), commission.map(|it| it.to_string())),
            Pays::Returned => ("returned".to_string(), None),
        };
        ParRow {
            when: row.to_string(),
            label: row.label.clone(),
            pays,
            commission,
            paragraph: Some(row.cite.to_string()),
            sequences,
            probability,
            gain_exact,
            gain: gain_exact.to_f64(),
            returns,
        }
    });
    let (probability, gain_exact, _) = share(Verdict::Lost, price.lost);
    let rest = ParRow {
        when: "any other result".to_string(),
        label: None,
        pays: "loses".to_string(),
        commission: None,
        paragraph: None,
        sequences: price.lost,
        probability,
        gain_exact,
        gain: gain_exact.to_f64(),
        returns: 0.0,
    };
    paying.chain([rest]).collect()
}

fn removal(effects: &ByCard<Ratio>) -> Vec<RemovalEffect> {
    let of_suits = |(suits, effects): (Vec<Suit>, [Ratio; 13])| {
        let suits: String = suits.into_iter().map(Suit::symbol).collect();
        Rank::ALL.into_iter().zip(effects).map(move |(rank, effect)| RemovalEffect {
            rank: rank.symbol(),
            suits: suits.clone(),
            effect_exact: effect,
            effect: effect.to_f64(),
        })
    };
    effects.by_suits().into_iter().flat_map(of_suits).collect()
}

fn summary(price: &Price) -> Summary {
    let (edge, sd) = (price.edge(), price.sd());
    let rtp = Ratio::new(1, 1).minus(edge);
    Summary {
        edge_exact: edge,
        edge: edge.to_f64(),
        rtp_exact: rtp,
        rtp: rtp.to_f64(),
        hit: price.hit(),
        returned: price.share(price.returned()),
        sd,
        skew: price.skew(),
        volatility_index: VolatilityIndex { at_90: Z_90 * sd, at_95: Z_95 * sd, at_99: Z_99 * sd },
    }
}

fn interval(price: &Price, rounds: u64) -> Interval {
    let rtp = 1.0 - price.edge().to_f64();
    let error = price.sd() / (rounds as f64).sqrt();
    let [at_90, at_95, at_99] = [Z_90, Z_95, Z_99].map(|z| [rtp - z * error, rtp + z * error]);
    Interval { rounds, at_90, at_95, at_99, rough: price.hit() * (rounds as f64) < LEAST_WINS }
}

fn pairs(pricer: &Pricer, shoe: &Composition) -> Result<Vec<PairOfBets>, PriceError> {
    let classes = pricer.classes(shoe)?;
    let joint = Joint::new(pricer, &classes);
    let possible: Vec<ClassNo> = pricer.space().possible().iter().collect();
    let bets: Vec<&Bet> = pricer.bets().collect();
    let won = |bet: &Bet| -> Vec<bool> {
        possible.iter().map(|&class| bet.verdict(class).odds().is_some()).collect()
    };
    let won: Vec<Vec<bool>> = bets.iter().map(|bet| won(bet)).collect();
    let mut pairs = Vec::new();
    for i in 0..bets.len() {
        for j in i + 1..bets.len() {
            let both = won[i].iter().zip(&won[j]).zip(&possible).filter(|((a, b), _)| **a && **b);
            let mut stakes = vec![0.0; bets.len()];
            (stakes[i], stakes[j]) = (1.0, 1.0);
            pairs.push(PairOfBets {
                bets: [bets[i].id.to_string(), bets[j].id.to_string()],
                correlation: joint.correlation(i, j),
                both_win: both.map(|(_, class)| classes.counts[class.index()]).sum(),
                sd_of_both: joint.basket(&stakes).1,
            });
        }
    }
    Ok(pairs)
}

fn check(run: &SimulationRun<'_>, bets: &[ParBet]) -> SimulationCheck {
    let SimulationRun { comparison, generator, seed, rounds } = *run;
    let largest_z = comparison.bets.iter().map(|it| it.z.abs()).fold(0.0, f64::max);
    SimulationCheck {
        generator: match generator {
            Generator::Fast => "xoshiro256++",
            Generator::ChaCha => "ChaCha20",
        },
        seed,
        rounds,
        chi_square: comparison.chi_square,
        degrees_of_freedom: comparison.degrees_of_freedom,
        p: comparison.p,
        largest_z,
        agrees: comparison.p >= SimulationCheck::LEAST_P && largest_z <= SimulationCheck::MOST_Z,
        bets: bets
            .iter()
            .zip(&comparison.bets)
            .map(|(bet, it)| SimulatedBet {
                bet: bet.bet.clone(),
                won: it.won,
                returned: it.returned,
                lost: it.lost,
                edge: it.edge,
                exact_edge: it.exact_edge,
                z: it.z,
            })
            .collect(),
    }
}

fn commands(input: &ParInput<'_>) -> Vec<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let quoted = |text: &str| {
        if !text.is_empty() && text.chars().all(plain) {
            text.to_string()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    let game = quoted(input.game_argument);
    let table =
        format!("{game} --layout {} --decks {}", quoted(&input.terms.layout().id), input.terms.decks());
    let SimulationRun { generator, seed, rounds, .. } = input.simulation;
    let generator = match generator {
        Generator::Fast => "fast",
        Generator::ChaCha => "chacha",
    };
    let shoes =
        input.counting.as_ref().map(|it| format!(" --counting-shoes {}", it.shoes)).unwrap_or_default();
    vec![
        "punto --version".to_string(),
        format!("punto rulebook show {game} --source | sha256sum"),
        format!("punto par {table} --rounds {rounds} --seed {seed}{shoes} --format html --output par.html"),
        format!("punto odds {table} --format json"),
        format!("punto simulate {table} --rounds {rounds} --seed {seed} --generator {generator}"),
    ]
}
