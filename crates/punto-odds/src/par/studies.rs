//! The sections that study the bets further: simulation, removal effects and counting, other shoes, several bets at once.

use punto_rules::Rank;

use super::document::{Block, Column, Row};
use super::figures::{decimal, percent, signed, suits, whole};
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
        let by_suits = self.bets.iter().any(|bet| bet.removal_by_suits().count() > 1);
        let mut columns = vec![Column::text("Bet")];
        columns.extend(by_suits.then(|| Column::text("Suits")));
        columns.extend(Rank::ALL.map(|it| Column::number(rank(it.symbol()))));
        columns.push(Column::number("RMS"));
        let mut rows = Vec::new();
        for bet in &self.bets {
            for (index, effects) in bet.removal_by_suits().enumerate() {
                let once = |text: String| if index == 0 { text } else { String::new() };
                let mut cells = vec![once(bet.label.en.clone())];
                cells.extend(by_suits.then(|| suits(&effects[0].suits)));
                cells.extend(effects.iter().map(|it| signed(it.effect * 100.0, 4)));
                cells.push(once(percent(bet.removal_rms, 4)));
                rows.push(Row::new(cells));
            }
        }
        let suits = if by_suits {
            "Where the suit makes a difference a bet has a row for each set of suits; any other effect is that of every suit \
             of its rank."
        } else {
            "Suits make no difference here: each effect is that of every card of its rank."
        };
        let mut blocks = vec![
            Block::Text(format!(
                "By how many percentage points a patron's expectation changes when one card leaves the full shoe of {} cards. \
                 Positive is good for the patron. {suits} RMS is the root of the mean square over all cards: the larger, the \
                 more the bet rewards those who watch the cards.",
                self.identification.cards
            )),
            table("Effect of removing one card, in percentage points", columns, rows),
            plot(
                plots::removal(self),
                if by_suits {
                    "Effect of removing one card by rank. Each bet has its own scale, named above its bars in percentage points; \
                     bars beside each other are sets of suits, in the order of the table."
                } else {
                    "Effect of removing one card by rank. Each bet has its own scale, named above its bars in percentage points."
                },
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
        let mut columns = vec![Column::text("Bet")];
        columns.extend(shoes.iter().map(|it| Column::number(it.decks.to_string())));
        let rows = self.bets.iter().map(|bet| {
            let edges = bet.by_decks.iter().map(|it| {
                let mark = if it.can_win { "" } else { "‡ " };
                format!("{mark}{}", percent(it.edge, 4))
            });
            Row::new([bet.label.en.clone()].into_iter().chain(edges).collect())
        });
        let note = if self.bets.iter().any(|bet| !bet.cannot_win().is_empty()) {
            " ‡ marks shoes from which the bet cannot win."
        } else {
            ""
        };
        vec![
            Block::Text(format!(
                "House edge in percent, each from a full shoe of so many decks: every number that the rules of this game allow.{note}"
            )),
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
