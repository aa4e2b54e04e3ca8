//! The counting study for people: verdict, results, counts, effects.

use std::io::Write;

use punto_odds::{
    ByCard, Concern, CountingStudy, CountingTally, Cure, Figures, Finding, Ratio, VULNERABLE, WORTH_WATCHING,
    findings,
};

use super::words::{burn, capital, concern, last_round, signed, suits, units};
use crate::cli::Format;
use crate::output::Rows;
use crate::table::Study;

/// A study, played.
pub(super) struct Report<'s> {
    pub(super) study: &'s Study,
    pub(super) counting: &'s CountingStudy,
    pub(super) tally: &'s CountingTally,
    pub(super) findings: Vec<Finding>,
}

impl<'s> Report<'s> {
    pub(super) fn new(study: &'s Study, counting: &'s CountingStudy, tally: &'s CountingTally) -> Report<'s> {
        Report { study, counting, tally, findings: findings(counting, tally) }
    }

    pub(super) fn write(&self, format: Format, out: &mut impl Write) -> anyhow::Result<()> {
        let rules = self.counting.rules();
        let heading = |text: &str| match format {
            Format::Markdown => format!("\n## {text}\n"),
            Format::Table | Format::Json | Format::Csv => format!("\n{text}"),
        };
        writeln!(out, "{}: {} shoes, seed {}", self.study.title(), self.tally.shoes, rules.seed)?;
        writeln!(out, "{}; {}.", capital(&burn(rules.burn)), last_round(rules.last_round))?;

        writeln!(out, "{}", heading("Verdict"))?;
        for line in self.summary() {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
        self.verdict().write(format, out)?;

        for (trigger, gain) in rules.triggers.iter().enumerate() {
            let gain = gain * 100.0;
            let text = format!("What is won a shoe, one unit bet where the expected gain is above {gain} %");
            writeln!(out, "{}", heading(&text))?;
            writeln!(
                out,
                "A shoe has {}; share is that of Rounds bet on; ± is the 95 % margin.\n",
                self.rounds()
            )?;
            self.results(trigger).write(format, out)?;
        }

        let text = "The count for each bet: add the tag of every card seen";
        writeln!(out, "{}", heading(text))?;
        writeln!(
            out,
            "True count = (running count − offset) ÷ decks left. Fit is the betting correlation, 1 at best. Without a tag there \
             is no count: no card matters more than another. {}\n",
            self.about_suits()
        )?;
        self.tags().write(format, out)?;

        let text = "Effect of removing one card, in millionths of the stake; + is good for the patron";
        writeln!(out, "{}", heading(text))?;
        writeln!(out, "{}\n", self.about_suits())?;
        self.effects().write(format, out)?;
        Ok(())
    }

    pub(super) fn bet(&self, bet: usize) -> &str {
        self.study.terms.bets()[bet].id.as_str()
    }

    /// The bets, the most that can be won first.
    fn ranking(&self) -> Vec<usize> {
        let mut bets: Vec<usize> = (0..self.findings.len()).collect();
        bets.sort_by(|&a, &b| {
            let (a, b) = (&self.findings[a], &self.findings[b]);
            b.concern.cmp(&a.concern).then(b.most.mean.total_cmp(&a.most.mean))
        });
        bets
    }

    fn summary(&self) -> Vec<String> {
        let named = |concern: Concern| -> Vec<&str> {
            let bets = self.ranking().into_iter().filter(|&bet| self.findings[bet].concern == concern);
            bets.map(|bet| self.bet(bet)).collect()
        };
        let favours = named(Concern::FavoursPatron);
        let vulnerable = named(Concern::Vulnerable);
        let interest = named(Concern::OfInterest);
        let mut lines = Vec::new();
        if !favours.is_empty() {
            lines.push(format!("Losing money without any counting: {}.", favours.join(", ")));
        }
        let bets = self.findings.len();
        lines.push(match vulnerable.len() {
            0 => format!("None of the {bets} bets is vulnerable to counting."),
            n => format!("Vulnerable to counting, {n} of {bets}: {}.", vulnerable.join(", ")),
        });
        if !interest.is_empty() {
            lines.push(format!("Of academic interest: {}.", interest.join(", ")));
        }
        let open = |&bet: &usize| {
            let Finding { most, cure, .. } = &self.findings[bet];
            cure.is_some_and(|cure| most.mean < cure.below && cure.below <= most.most())
        };
        let open: Vec<&str> = self.ranking().into_iter().filter(open).map(|bet| self.bet(bet)).collect();
        if !open.is_empty() {
            lines.push(format!(
                "So judged only because of the margin: {}. More --shoes would tell.",
                open.join(", ")
            ));
        }
        let all: f64 = self.findings.iter().map(|finding| finding.most.mean).sum();
        lines.push(format!("Perfect play on every bet at once would win {all:.2} units a shoe."));
        lines.push(String::new());
        lines.push("Take the unit for the table maximum and a shoe for an hour.".to_string());
        let counting_from = match self.counting.rules().triggers[0] {
            0.0 => String::new(),
            trigger => format!(", here from a gain of {} %", trigger * 100.0),
        };
        lines.push(format!(
            "Perfect play is what a hidden computer could do; the count is what a trained head can do{counting_from}."
        ));
        lines.push(format!(
            "A bet is judged by perfect play wherever it gains at all, {} cards behind the cut card, upper end of the 95 % margin:",
            self.counting.rules().behind[0]
        ));
        lines.push(format!(
            "below {WORTH_WATCHING} units a shoe it is not worth watching, from {VULNERABLE} it is vulnerable."
        ));
        lines
    }

    fn verdict(&self) -> Rows {
        let mut rows = Rows::new(["Bet", "Verdict", "Perfect wins", "Count wins", "Cure: any one of these"]);
        for bet in self.ranking() {
            let finding = &self.findings[bet];
            let count = self.tally.count(bet, 0, 0);
            rows.push([
                self.bet(bet).to_string(),
                concern(finding.concern).to_string(),
                units(finding.most),
                units(count.win),
                finding.cure.map(|it| self.cure(bet, &it)).unwrap_or_default(),
            ]);
        }
        rows
    }

    fn cure(&self, bet: usize, cure: &Cure) -> String {
        let mut ways = Vec::new();
        if let Some(behind) = cure.behind {
            ways.push(format!("{behind} cards behind the cut card"));
        }
        let edge = -self.counting.counts()[bet].base;
        if let Some(higher) = cure.edge_higher {
            ways.push(format!(
                "pays for an edge of {:.1} %, now {:.1} %",
                (edge + higher) * 100.0,
                edge * 100.0
            ));
        }
        ways.push(format!("{:.0} % of the maximum", (cure.maximum * 100.0).floor()));
        format!("below {} with {}", cure.below, ways.join("; "))
    }

    fn results(&self, trigger: usize) -> Rows {
        let mut rows = Rows::new([
            "Bet",
            "Behind",
            "Perfect wins",
            "Bets",
            "Share",
            "Gain a bet",
            "Count wins",
            "Bets",
            "Share",
            "Gain a bet",
        ]);
        for bet in 0..self.findings.len() {
            for (depth, behind) in self.counting.rules().behind.iter().enumerate() {
                let [a, b, c, d] = cells(&self.tally.perfect(bet, trigger, depth));
                let [e, f, g, h] = cells(&self.tally.count(bet, trigger, depth));
                let name = if depth == 0 { self.bet(bet).to_string() } else { String::new() };
                rows.push([name, behind.to_string(), a, b, c, d, e, f, g, h]);
            }
        }
        rows
    }

    /// `81.7 Rounds with 14 cards behind the cut card, 79.3 with 26`
    fn rounds(&self) -> String {
        let depths = self.counting.rules().behind.iter().enumerate().map(|(depth, behind)| {
            let rounds = self.tally.rounds(depth).mean;
            match depth {
                0 => format!("{rounds:.1} Rounds with {behind} cards behind the cut card"),
                _ => format!("{rounds:.1} with {behind}"),
            }
        });
        depths.collect::<Vec<_>>().join(", ")
    }

    fn tags(&self) -> Rows {
        let mut rows = self.by_suits(&["Fit", "Offset", "Bet from", "Worth of 1"]);
        let trigger = self.counting.rules().triggers[0];
        for (bet, count) in self.counting.counts().iter().enumerate() {
            let figures = [
                format!("{:.3}", count.correlation),
                count.offset.to_string(),
                format!("{:+.1}", count.trigger(trigger)),
                format!("{:.3} %", count.worth * 100.0),
            ];
            let text = |text: String| if count.counts() { text } else { String::new() };
            self.push(
                &mut rows,
                bet,
                &count.tags,
                |tag| text(signed(tag.into())),
                figures.map(text).to_vec(),
            );
        }
        rows
    }

    fn effects(&self) -> Rows {
        let mut rows = self.by_suits(&[]);
        for (bet, effects) in self.counting.effects().iter().enumerate() {
            let millionths = |effect: Ratio| signed((effect.to_f64() * 1e6).round() as i64);
            self.push(&mut rows, bet, effects, millionths, Vec::new());
        }
        rows
    }

    /// Whether some bet tells suits apart; without one, nobody needs a column for them.
    fn tells_suits(&self) -> bool {
        self.counting.effects().iter().any(ByCard::tells_suits)
    }

    /// Rows of figures by rank, then others.
    fn by_suits(&self, others: &[&'static str]) -> Rows {
        let mut headings = vec!["Bet"];
        headings.extend(self.tells_suits().then_some("Suits"));
        headings.extend(["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]);
        headings.extend(others);
        Rows::of(headings)
    }

    /// A row for each set of suits that a bet tells from others; what concerns the whole bet stands in the first.
    fn push<T: Copy + PartialEq>(
        &self,
        rows: &mut Rows,
        bet: usize,
        values: &ByCard<T>,
        figure: impl Fn(T) -> String,
        others: Vec<String>,
    ) {
        for (index, (of, values)) in values.by_suits().into_iter().enumerate() {
            let once = |text: String| if index == 0 { text } else { String::new() };
            let mut row = vec![once(self.bet(bet).to_string())];
            row.extend(self.tells_suits().then(|| suits(&of)));
            row.extend(values.map(&figure));
            row.extend(others.iter().cloned().map(once));
            rows.push_all(row);
        }
    }

    /// For which cards a figure by rank stands.
    fn about_suits(&self) -> &'static str {
        if self.tells_suits() {
            "Bets that ask for suits have a row for each set of suits that makes a difference; else a figure is that of every \
             suit of its rank."
        } else {
            "Suits make no difference to these bets: a figure is that of every card of its rank."
        }
    }
}

fn cells(figures: &Figures) -> [String; 4] {
    let Some(gain) = figures.gain else { return ["0", "0", "0 %", ""].map(String::from) };
    let margin = match gain.margin.is_finite() {
        true => format!(" ± {:.2}", gain.margin * 100.0),
        false => String::new(), // bet on in one shoe only: nobody knows
    };
    [
        units(figures.win),
        format!("{:.2} ± {:.2}", figures.bets.mean, figures.bets.margin),
        format!("{:.1} %", figures.share * 100.0),
        format!("{:.2}{margin} %", gain.mean * 100.0),
    ]
}
