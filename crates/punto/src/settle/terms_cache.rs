//! The terms in force, found again from line to line.

use std::collections::HashMap;

use punto_rules::rulebook::Mode;
use punto_rules::{
    Bet, BetNo, BoxLimits, Cite, IrregularityKind, LimitsAsked, Line, Remedy, Rulebook, Terms,
};

use super::input::LimitsIn;
use super::output::LineTemplate;
use crate::answer::Problem;
use crate::rulebooks;

/// More terms than any sensible stream mixes; beyond it the cache begins anew, so that it never grows without end.
const MOST_TERMS: usize = 64;

#[derive(Default)]
pub(super) struct TermsCache {
    rulebooks: HashMap<String, Result<Rulebook, String>>,
    terms: Vec<InForce>,
}

/// One game's layout with its limits.
pub(super) struct InForce {
    game: String,
    layout: String,
    limits: Option<LimitsIn>,
    pub(super) mode: Mode,
    pub(super) terms: Terms,
    /// For each bet the line's template where no row matches, then one for each row.
    templates: Vec<Vec<LineTemplate>>,
    /// Where the rule book lays down pro rata, for lines that it touches.
    pub(super) pro_rata: Option<Cite>,
    /// The game's bets that this layout does not offer, with the layouts that do.
    elsewhere: Vec<(String, String)>,
}

impl InForce {
    pub(super) fn bet_no(&self, bet: &str) -> Option<BetNo> {
        self.terms.bet_no(bet)
    }

    /// Says that the layout does not offer a bet, and what would be right.
    pub(super) fn not_offered(&self, bet: &str) -> String {
        let refusal = format!("layout {} does not offer a bet `{bet}`", self.layout);
        match self.elsewhere.iter().find(|(other, _)| other == bet) {
            Some((_, layouts)) => format!("{refusal}; it is offered on {layouts}"),
            None => {
                let bets: Vec<&str> = self.terms.bets().iter().map(|bet| bet.id.as_str()).collect();
                format!("{refusal}; it offers {}", bets.join(", "))
            }
        }
    }

    pub(super) fn template(&self, line: &Line<'_>) -> &LineTemplate {
        &self.templates[line.wager.bet.index()][line.row_no.map_or(0, |row| row + 1)]
    }
}

impl TermsCache {
    pub(super) fn get(
        &mut self,
        game: &str,
        layout: &str,
        limits: Option<LimitsIn>,
    ) -> Result<&InForce, String> {
        let same = |it: &InForce| it.game == game && it.layout == layout && it.limits == limits;
        if let Some(found) = self.terms.iter().position(same) {
            return Ok(&self.terms[found]);
        }
        let in_force = self.put_in_force(game, layout, limits)?;
        if self.terms.len() == MOST_TERMS {
            self.terms.clear();
        }
        self.terms.push(in_force);
        Ok(&self.terms[self.terms.len() - 1])
    }

    fn put_in_force(
        &mut self,
        game: &str,
        layout: &str,
        limits: Option<LimitsIn>,
    ) -> Result<InForce, String> {
        let rulebook = self.rulebook(game)?;
        if limits.is_some() && rulebook.mode == Mode::Electronic {
            return Err(format!(
                "limits: {game} is an electronic game and has no betting boxes to share out"
            ));
        }
        let asked = LimitsAsked {
            unit: limits.and_then(|limits| limits.unit).map(|unit| unit.0),
            betting_box: limits
                .map(|limits| BoxLimits { minimum: limits.minimum.0, differential: limits.differential.0 }),
            bets: Default::default(),
        };
        let terms = rulebook.terms(layout, rulebook.decks.max, &asked).map_err(|error| error.to_string())?;
        let templates = |bet: &Bet| {
            let rows = std::iter::once(None).chain(bet.rows.iter().map(Some));
            rows.map(|row| LineTemplate::new(bet, row)).collect()
        };
        let elsewhere =
            rulebook.bets.iter().filter(|bet| terms.bet_no(bet.id.as_str()).is_none()).map(|bet| {
                let offers =
                    rulebook.layouts.iter().filter(|layout| layout.bet_no(bet.id.as_str()).is_some());
                let layouts: Vec<&str> = offers.map(|layout| layout.id.as_str()).collect();
                (bet.id.to_string(), layouts.join(", "))
            });
        let over = rulebook.irregularity(IrregularityKind::OverDifferential);
        let pro_rata = over.filter(|it| it.remedy == Remedy::ProRata).map(|it| it.cite.clone());
        Ok(InForce {
            pro_rata,
            elsewhere: elsewhere.collect(),
            game: game.to_string(),
            layout: layout.to_string(),
            limits,
            mode: rulebook.mode,
            templates: terms.bets().iter().map(|bet| templates(bet)).collect(),
            terms,
        })
    }

    fn rulebook(&mut self, game: &str) -> Result<&Rulebook, String> {
        if !self.rulebooks.contains_key(game) {
            if self.rulebooks.len() >= MOST_TERMS {
                self.rulebooks.clear();
            }
            let loaded = rulebooks::load(game).map(|loaded| loaded.rulebook).map_err(|error| {
                let hint = Problem::hint_of(&error).map(|hint| format!("; {hint}"));
                format!("{error:#}{}", hint.unwrap_or_default())
            });
            self.rulebooks.insert(game.to_string(), loaded);
        }
        self.rulebooks[game].as_ref().map_err(Clone::clone)
    }
}
