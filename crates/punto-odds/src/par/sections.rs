//! What the sheet says, section by section, for Markdown and HTML alike.

use super::document::{Block, Column, Document, Fact, Group, Plot, Row, Section, Table};
use super::figures::{Z_90, Z_95, Z_99, decimal, decks, fraction, percent, power_of_ten, signed, whole};
use super::plots;
use super::sheet::{ParBet, ParSheet, SimulationCheck};

impl ParSheet {
    pub(super) fn document(&self) -> Document {
        let id = &self.identification;
        let title = format!("PAR sheet: {}", self.full_title());
        let section = |id, title, blocks| Section { id, title, blocks };
        Document {
            subtitle: format!(
                "Layout {} · {} · {} bet{}",
                id.layout,
                decks(id.decks),
                self.bets.len(),
                if self.bets.len() == 1 { "" } else { "s" }
            ),
            footer: format!(
                "Rule book SHA-256 {}… · {}",
                &id.rulebook_sha256[..id.rulebook_sha256.len().min(16)],
                id.software
            ),
            title,
            sections: vec![
                section("identification", "Identification", self.identify()),
                section("summary", "Summary", self.summarise()),
                section("assumptions", "Assumptions and exactness", self.assume()),
                section("pay-tables", "Pay tables", self.pay_tables()),
                section("return-tables", "Return tables", self.return_tables()),
                section("confidence", "Confidence intervals", self.confidence()),
                section("simulation", "Simulation check", self.simulated()),
                section("removal", "Removal effects and counting", self.removed()),
                section("decks", "Number of decks", self.decks()),
                section("joint", "Joint figures", self.joint()),
                section("reproduction", "How to reproduce this sheet", self.reproduce()),
            ],
        }
    }

    fn full_title(&self) -> String {
        let version = self.identification.version.map(|version| format!(", version {version}"));
        format!("{}{}", self.identification.title.en, version.unwrap_or_default())
    }

    fn identify(&self) -> Vec<Block> {
        let id = &self.identification;
        let allowed = match id.decks_allowed {
            [least, most] if least == most => format!("{} only", decks(most)),
            [least, most] => format!("{least} to {most} decks"),
        };
        let mut facts = vec![Fact::new("Game", self.full_title())];
        for (value, language) in [(&id.title.zh_hans, "zh-Hans"), (&id.title.zh_hant, "zh-Hant")] {
            if *value != id.title.en {
                let name = if language == "zh-Hans" { "Simplified Chinese" } else { "Traditional Chinese" };
                facts.push(Fact { name, value: value.clone(), language: Some(language) });
            }
        }
        facts.extend([
            Fact::new("Name in the software", format!("`{}`", id.game)),
            Fact::new("Rules in force from", id.in_force.replace('T', " ")),
            Fact::new("Kind of table", format!("{} table", id.mode)),
            Fact::new("Layout", format!("{} (paragraph {})", id.layout, id.layout_paragraph)),
            Fact::new(
                "Shoe",
                format!(
                    "{}, {} cards; the rules allow {allowed} (paragraph {})",
                    decks(id.decks),
                    id.cards,
                    id.decks_paragraph
                ),
            ),
            Fact::new("Ordered six-card sequences", whole(self.sequences)),
            Fact::new("Rule book, SHA-256", format!("`{}`", id.rulebook_sha256)),
            Fact::new("Software", id.software.clone()),
            Fact::new(
                "Simulation check",
                format!(
                    "{} Rounds, {}, seed {}: {}",
                    whole(self.simulation.rounds),
                    self.simulation.generator,
                    self.simulation.seed,
                    verdict(&self.simulation)
                ),
            ),
        ]);
        vec![Block::Facts(facts)]
    }

    fn summarise(&self) -> Vec<Block> {
        let columns =
            ["Edge %", "RTP %", "Hit %", "Returned %", "SD", "Skew", "VI 90 %", "VI 95 %", "VI 99 %"];
        let rows = self.bets.iter().map(|bet| {
            let it = &bet.summary;
            Row::new(vec![
                bet.label.en.clone(),
                percent(it.edge, 4),
                percent(it.rtp, 4),
                percent(it.hit, 4),
                percent(it.returned, 4),
                decimal(it.sd, 4),
                decimal(it.skew, 3),
                decimal(it.volatility_index.at_90, 3),
                decimal(it.volatility_index.at_95, 3),
                decimal(it.volatility_index.at_99, 3),
            ])
        });
        let dead: Vec<String> = self
            .bets
            .iter()
            .filter(|bet| bet.cannot_win().contains(&self.identification.decks))
            .map(|bet| {
                format!("{} cannot win: no Round from this shoe matches a row that pays.", bet.label.en)
            })
            .collect();
        let mut blocks = vec![
            Block::Text(
                "Edge is what the House keeps of a unit staked; RTP (return to patrons) = 1 − edge. Hit is the chance to win, \
                 Returned the chance that the stake comes back. SD and skew are those of a patron's gain from a unit staked. \
                 The volatility index VI is z × SD with z = 1.645, 1.960 and 2.576."
                    .to_string(),
            ),
            table("Figures of every bet, for a unit staked", numbers("Bet", columns), rows.collect()),
            plot(plots::edges(self), "House edge by bet. Dark bars are Original Bets, light bars side bets."),
        ];
        if !dead.is_empty() {
            blocks.insert(1, Block::List(dead));
        }
        blocks
    }

    fn assume(&self) -> Vec<Block> {
        vec![
            Block::Text("The figures hold under these assumptions. Readings of unclear clauses are numbered as in `docs/interpretations.md`.".to_string()),
            Block::List(self.assumptions.clone()),
            Block::Text("What is exact and what is rounded.".to_string()),
            Block::List(self.exactness.clone()),
        ]
    }

    fn pay_tables(&self) -> Vec<Block> {
        let mut columns =
            ["Bet", "Name in the software", "When"].map(Column::text).into_iter().collect::<Vec<_>>();
        columns.extend(["Pays", "Commission", "Paragraph"].map(Column::odds));
        let mut rows = Vec::new();
        for bet in &self.bets {
            // A bet is named once, so that the eye sees where its rows begin.
            for (index, row) in bet.rows.iter().filter(|row| row.paragraph.is_some()).enumerate() {
                let once = |text: String| if index == 0 { text } else { String::new() };
                let when = match &row.label {
                    Some(label) => format!("{}: {}", label.en, row.when),
                    None => row.when.clone(),
                };
                rows.push(Row::new(vec![
                    once(bet.label.en.clone()),
                    once(format!("`{}`", bet.bet)),
                    when,
                    row.pays.clone(),
                    row.commission.clone().unwrap_or_else(|| "–".to_string()),
                    row.paragraph.clone().unwrap_or_default(),
                ]));
            }
        }
        vec![
            Block::Text(
                "The first row of a bet that matches decides; if none does, the bet loses. Pays are net of commission.".to_string(),
            ),
            table("What every bet pays, and where the rules say so", columns, rows),
        ]
    }

    fn return_tables(&self) -> Vec<Block> {
        let columns = vec![
            Column::text("Result"),
            Column::odds("Pays"),
            Column::number("Sequences"),
            Column::number("Probability"),
            Column::number("Gain, exact"),
            Column::number("Gain"),
        ];
        let group = |bet: &ParBet| {
            let rows = bet.rows.iter().map(|row| {
                Row::new(vec![
                    row.when.clone(),
                    row.pays.clone(),
                    whole(row.sequences),
                    decimal(row.probability, 8),
                    fraction(row.gain_exact),
                    signed(row.gain, 8),
                ])
            });
            let total = Row::total(vec![
                "sum; gain = −edge".to_string(),
                String::new(),
                whole(self.sequences),
                decimal(1.0, 8),
                fraction(crate::Ratio::ZERO.minus(bet.summary.edge_exact)),
                signed(-bet.summary.edge, 8),
            ]);
            Group {
                title: Some(format!("{} (`{}`)", bet.label.en, bet.bet)),
                rows: rows.chain([total]).collect(),
            }
        };
        let caption = "Sequences, probability and patron's gain by row, for a unit staked".to_string();
        vec![
            Block::Text(format!(
                "Each row counts the ordered six-card sequences that it decides, of {} in all. Gain is probability × net pay, \
                 −1 for a loss and 0 for a returned stake; the gains of a bet add up to its edge with the sign turned.",
                whole(self.sequences)
            )),
            plot(
                plots::returns(self),
                "Where a unit staked goes: returned stakes, each winning row with its stake, and the rest, which the House keeps.",
            ),
            Block::Table(Table { caption, columns, groups: self.bets.iter().map(group).collect() }),
        ]
    }

    fn confidence(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Text(
            "After n Rounds with one unit each, the share of all stakes that has gone back to patrons lies between these bounds, \
             in percent: RTP ± z × SD ÷ √n. The formula takes the sum of gains for normal. Where fewer than ten wins are \
             expected it is a rough guide, marked †; bounds below nought are the formula's, not the game's."
                .to_string(),
        )];
        let levels = [("90 %", Z_90), ("95 %", Z_95), ("99 %", Z_99)];
        let rounds = self.bets.first().map_or(&[][..], |bet| &bet.intervals[..]);
        for (place, (level, z)) in levels.into_iter().enumerate() {
            let mut columns = vec![Column::text("Bet")];
            columns
                .extend(rounds.iter().map(|it| Column::number(format!("n = {}", power_of_ten(it.rounds)))));
            let rows = self.bets.iter().map(|bet| {
                let cells = bet.intervals.iter().map(|it| {
                    let [low, high] = [it.at_90, it.at_95, it.at_99][place];
                    let mark = if it.rough { "† " } else { "" };
                    format!("{mark}{} … {}", percent(low, 2), percent(high, 2))
                });
                Row::new([bet.label.en.clone()].into_iter().chain(cells).collect())
            });
            blocks.push(table(
                format!("Return in percent, {level} confidence (z = {z:.3})"),
                columns,
                rows.collect(),
            ));
        }
        blocks
    }

    fn reproduce(&self) -> Vec<Block> {
        vec![
            Block::Text(format!(
                "With {} the commands below print its version, the digest of the rule book, this sheet, the exact odds and the \
                 simulation. The digest must be `{}`. The same version, rule book, seed and number of Rounds give the same sheet, \
                 whatever the machine and the number of its processors.",
                self.identification.software, self.identification.rulebook_sha256
            )),
            Block::Code(self.reproduction.clone()),
            Block::Text(
                "`--format json` gives the whole sheet as data: counts and fractions as text, exact; statistics as numbers.".to_string(),
            ),
        ]
    }
}

pub(super) fn verdict(check: &SimulationCheck) -> &'static str {
    if check.agrees { "agrees with the exact figures" } else { "DISAGREES with the exact figures" }
}

/// The 10 as it is printed on the card.
pub(super) fn rank(symbol: char) -> String {
    if symbol == 'T' { "10".to_string() } else { symbol.to_string() }
}

pub(super) fn numbers<const N: usize>(first: &str, others: [&str; N]) -> Vec<Column> {
    [Column::text(first)].into_iter().chain(others.map(Column::number)).collect()
}

pub(super) fn table(caption: impl Into<String>, columns: Vec<Column>, rows: Vec<Row>) -> Block {
    Block::Table(Table::plain(caption, columns, rows))
}

pub(super) fn plot(svg: String, caption: &str) -> Block {
    Block::Plot(Plot { svg, caption: caption.to_string() })
}
