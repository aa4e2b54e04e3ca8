//! The counting study for programs and spreadsheets.

use punto_odds::{
    ByCard, EDGE_STEP, EDGE_STEPS, Estimate, Figures, LastRound, Ratio, VULNERABLE, WORTH_WATCHING,
    kind_of_cards,
};
use punto_rules::Burn;
use serde::Serialize;
use serde_json::{Value, json};

use super::report::Report;
use super::words::concern;
use crate::output::Rows;

impl Report<'_> {
    /// One line for each bet, trigger, depth and way to play, in units staked.
    pub(super) fn csv(&self) -> Rows {
        let mut rows = Rows::new([
            "bet",
            "trigger",
            "behind",
            "rounds",
            "play",
            "win",
            "win_margin",
            "bets",
            "bets_margin",
            "share",
            "gain",
            "gain_margin",
        ]);
        self.each_result(|bet, trigger, behind, rounds, play, figures| {
            rows.push([
                self.bet(bet).to_string(),
                trigger.to_string(),
                behind.to_string(),
                rounds.mean.to_string(),
                play.to_string(),
                figures.win.mean.to_string(),
                figures.win.margin.to_string(),
                figures.bets.mean.to_string(),
                figures.bets.margin.to_string(),
                figures.share.to_string(),
                figures.gain.map(|gain| gain.mean.to_string()).unwrap_or_default(),
                // Infinite where all bets were made in one shoe.
                figures
                    .gain
                    .filter(|gain| gain.margin.is_finite())
                    .map(|gain| gain.margin.to_string())
                    .unwrap_or_default(),
            ]);
        });
        rows
    }

    fn each_result(&self, mut visit: impl FnMut(usize, f64, u16, Estimate, &'static str, Figures)) {
        let rules = self.counting.rules();
        for bet in 0..self.findings.len() {
            for (t, &trigger) in rules.triggers.iter().enumerate() {
                for (depth, &behind) in rules.behind.iter().enumerate() {
                    let rounds = self.tally.rounds(depth);
                    visit(bet, trigger, behind, rounds, "perfect", self.tally.perfect(bet, t, depth));
                    visit(bet, trigger, behind, rounds, "count", self.tally.count(bet, t, depth));
                }
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        let rules = self.counting.rules();
        let rulebook = self.study.rulebook();
        let mut results = vec![Vec::new(); self.findings.len()];
        self.each_result(|bet, trigger, behind, rounds, play, figures| {
            results[bet].push(json!({
                "trigger": trigger, "behind": behind, "rounds": estimate(rounds), "play": play,
                "win": estimate(figures.win), "bets": estimate(figures.bets), "share": figures.share,
                "gain": figures.gain.map(estimate),
            }));
        });
        let bets = results.into_iter().enumerate().map(|(bet, results)| {
            let count = &self.counting.counts()[bet];
            let finding = &self.findings[bet];
            let effects = &self.counting.effects()[bet];
            json!({
                "bet": self.bet(bet),
                "edge": -count.base,
                // Keys are `A` to `K` by rank, `As` to `Kc` by card.
                "effects_by": if effects.tells_suits() { "card" } else { "rank" },
                "effects": by_card(&effects.map(Ratio::to_f64)),
                "effects_exact": by_card(effects),
                "count": count.counts().then(|| json!({
                    "tags": by_card(&count.tags),
                    "correlation": count.correlation, "offset": count.offset,
                    "imbalance_per_deck": count.imbalance(), "worth_of_one": count.worth,
                    "bet_from": rules.triggers.iter().map(|&trigger| count.trigger(trigger)).collect::<Vec<_>>(),
                })),
                "results": results,
                "verdict": concern(finding.concern),
                "most": estimate(finding.most),
                "cure": finding.cure.map(|cure| json!({
                    "below": cure.below, "behind": cure.behind,
                    "edge": cure.edge_higher.map(|higher| higher - count.base),
                    "share_of_maximum": cure.maximum,
                })),
                // What perfect play would still win if the edge were higher by so much, step by step, until nothing.
                "win_with_edge_higher": (0..EDGE_STEPS)
                    .map(|step| (step, self.tally.with_edge_raised(bet, 0, step)))
                    .take_while(|(_, win)| win.mean > 0.0)
                    .map(|(step, win)| json!({ "higher": step as f64 * EDGE_STEP, "win": estimate(win) }))
                    .collect::<Vec<_>>(),
            })
        });
        json!({
            "game": rulebook.game, "version": rulebook.version, "layout": self.study.terms.layout().id,
            "decks": self.study.terms.decks(), "shoes": self.tally.shoes, "seed": rules.seed,
            "cut": rules.behind, "triggers": rules.triggers,
            "last_round": match rules.last_round { LastRound::Stop => "stop", LastRound::OneMore => "one-more" },
            "burn": match rules.burn { Burn::Fixed(count) => json!(count), Burn::ByFirstCard => json!("first-card") },
            "worth_watching_from": WORTH_WATCHING, "vulnerable_from": VULNERABLE,
            "bets": bets.collect::<Vec<_>>(),
        })
    }
}

fn by_card<T: Copy + Serialize>(values: &ByCard<T>) -> Value {
    values.iter().map(|(cards, value)| (kind_of_cards(cards), json!(value))).collect()
}

fn estimate(estimate: Estimate) -> Value {
    json!({ "mean": estimate.mean, "margin": estimate.margin })
}
