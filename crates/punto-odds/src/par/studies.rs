//! The sections that study the bets further: simulation, removal effects and counting, other shoes, several bets at once.

use super::document::{Block, Column, Row};
use super::figures::{decimal, percent, signed, whole};
use super::plots;
use super::sections::{numbers, plot, rank, table, verdict};
use super::sheet::{CountingSection, PairOfBets, ParSheet, SimulationCheck};

/// The pairs of bets that are printed; all are in the JSON.
const STRONGEST: usize = 15;

impl ParSheet {
    pub(super) fn simulated(&self) -> Vec<Block> {
        let it = &self.simulation;
        let rows = self.bets.iter().zip(&it.bets).map(|(bet, it)| {
            Row::new(vec![
                bet.label.en.clone(),
                whole(it.won),
                whole(it.returned),
                whole(it.lost),
                percent(it.edge, 4),
                percent(it.exact_edge, 4),
                signed(it.z, 2),
            ])
        });
        let columns = ["Won", "Returned", "Lost", "Edge %", "Exact edge %", "z"];
        vec![
            Block::Text(format!(
                "{} Rounds were dealt from the full shoe with {}, seed {}, and settled by the same pay tables. z is the \
                 difference of simulated and exact edge in standard errors. Over the classes of outcomes χ² = {} at {} degrees \
                 of freedom, p = {}; the largest |z| is {}.",
                whole(it.rounds),
                it.generator,
                it.seed,
                decimal(it.chi_square, 1),
                it.degrees_of_freedom,
                decimal(it.p, 3),
                decimal(it.largest_z, 2)
            )),
            Block::Text(format!(
                "The check asks for p of at least {} and no |z| above {}. The simulation {}.",
                SimulationCheck::LEAST_P,
                SimulationCheck::MOST_Z,
                verdict(it)
            )),
            table("Simulation beside the exact figures", numbers("Bet", columns), rows.collect()),
            plot(
                plots::scores(self),
                "z by bet. Of independent bets one in twenty would lie outside the inner lines.",
            ),
        ]
    }

    pub(super) fn removed(&self) -> Vec<Block> {
        let ranks = self.bets.first().map_or(&[][..], |bet| &bet.removal[..]);
        let mut columns = vec![Column::text("Bet")];
        columns.extend(ranks.iter().map(|it| Column::number(rank(it.rank))));
        columns.push(Column::number("RMS"));
        let rows = self.bets.iter().map(|bet| {
            let effects = bet.removal.iter().map(|it| signed(it.effect * 100.0, 4));
            let ends = [percent(bet.removal_rms, 4)];
            Row::new([bet.label.en.clone()].into_iter().chain(effects).chain(ends).collect())
        });
        let mut blocks = vec![
            Block::Text(format!(
                "By how many percentage points a patron's expectation changes when one card of a rank leaves the full shoe \
                 of {} cards. Positive is good for the patron. RMS is the root of the mean square over the ranks: the larger, the \
                 more the bet rewards those who watch the cards.",
                self.identification.cards
            )),
            table("Effect of removing one card, in percentage points", columns, rows.collect()),
            plot(
                plots::removal(self),
                "Effect of removing one card by rank. Each bet has its own scale, named above its bars in percentage points.",
            ),
        ];
        match &self.counting {
            Some(counting) => blocks.extend(self.counted(counting)),
            None => blocks.push(Block::Text(
                "No shoes were played for counting in this sheet; the removal effects above are exact all the same.".to_string(),
            )),
        }
        blocks
    }

    fn counted(&self, counting: &CountingSection) -> Vec<Block> {
        let rows = counting.bets.iter().map(|it| {
            Row::new(vec![
                self.label(&it.bet),
                it.cut.to_string(),
                percent(it.chances, 3),
                signed(it.gain * 100.0, 3),
                signed(it.gain_per_shoe, 4),
                decimal(it.error, 4),
            ])
        });
        let columns =
            ["Cards behind the cut card", "Chances %", "Gain there %", "Units a shoe", "Standard error"];
        vec![
            Block::Text(format!(
                "Counting: {} shoes were played with seed {}, a unit staked wherever a bet favours the patron.",
                whole(counting.shoes),
                counting.seed
            )),
            Block::List(counting.settings.clone()),
            table("What perfect counting gains", numbers("Bet", columns), rows.collect()),
        ]
    }

    pub(super) fn decks(&self) -> Vec<Block> {
        let shoes = self.bets.first().map_or(&[][..], |bet| &bet.by_decks[..]);
        let beyond = shoes.iter().any(|it| !it.allowed);
        let mark = |allowed: bool| if allowed { "" } else { " *" };
        let mut columns = vec![Column::text("Bet")];
        columns.extend(shoes.iter().map(|it| Column::number(format!("{}{}", it.decks, mark(it.allowed)))));
        let rows = self.bets.iter().map(|bet| {
            let edges = bet.by_decks.iter().map(|it| percent(it.edge, 4));
            Row::new([bet.label.en.clone()].into_iter().chain(edges).collect())
        });
        let note =
            if beyond { " * marks numbers of decks that the rules of this game do not allow." } else { "" };
        vec![
            Block::Text(format!("House edge in percent, each from a full shoe of so many decks.{note}")),
            table("House edge in percent by number of decks", columns, rows.collect()),
            plot(
                plots::decks(self),
                "House edge against the number of decks. Each bet has its own scale, labelled at its ends; the filled dot is the shoe of this sheet.",
            ),
        ]
    }

    pub(super) fn joint(&self) -> Vec<Block> {
        let mut strongest: Vec<&PairOfBets> = self.pairs.iter().collect();
        strongest.sort_by(|a, b| b.correlation.abs().total_cmp(&a.correlation.abs()));
        strongest.truncate(STRONGEST);
        let rows = strongest.iter().map(|it| {
            Row::new(vec![
                self.label(&it.bets[0]),
                self.label(&it.bets[1]),
                signed(it.correlation, 4),
                whole(it.both_win),
                decimal(it.both_win as f64 / self.sequences as f64 * 100.0, 4),
                decimal(it.sd_of_both, 4),
            ])
        });
        let columns = vec![
            Column::text("Bet"),
            Column::text("and"),
            Column::number("Correlation"),
            Column::number("Sequences in which both win"),
            Column::number("Chance %"),
            Column::number("SD of a unit on each"),
        ];
        let caption = match self.pairs.len() {
            all if all > STRONGEST => {
                format!("The {STRONGEST} most correlated of {} pairs of bets", whole(all))
            }
            _ => "Every pair of bets, the most correlated first".to_string(),
        };
        vec![
            Block::Text(
                "Bets on one Round depend on the same cards. The edge of several bets is the sum of their edges; their standard \
                 deviation is not a sum, and follows from the correlations."
                    .to_string(),
            ),
            plot(plots::correlations(self), "Correlation of a unit staked on each of two bets. Rows and columns have the same numbers."),
            table(caption, columns, rows.collect()),
        ]
    }

    /// What the felt calls a bet.
    fn label(&self, id: &str) -> String {
        self.bets.iter().find(|bet| bet.bet == id).map_or(id, |bet| &bet.label.en).to_string()
    }
}
