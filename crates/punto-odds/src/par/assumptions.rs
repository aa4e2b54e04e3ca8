//! What the figures take for granted, in sentences. Only what bears on the layout at hand is said.

use punto_rules::{Fact, Pays, Rulebook, Terms, Which};

use super::figures;

pub(super) fn assumptions(rulebook: &Rulebook, terms: &Terms) -> Vec<String> {
    let decks = terms.decks();
    let mut lines = vec![
        format!(
            "Every Round is dealt from the full shoe of {}, {} cards. No card is burnt or known beforehand.",
            figures::decks(decks),
            u32::from(decks) * 52
        ),
        "Every ordered sequence of six cards is equally likely. A Round that takes four or five cards counts with \
         every way to go on to six, so that all Rounds are counted on one scale."
            .to_string(),
        format!(
            "Third cards are drawn by the Table of Play (paragraph {}). Nobody decides anything once bets are closed.",
            rulebook.play.table_of_play
        ),
        "Figures are for a unit staked. A stake that is returned counts as staked: the edge is what the House keeps \
         of everything placed, not only of what is won or lost."
            .to_string(),
        "The first row of a pay table that matches decides; if none does, the bet loses. Payouts are exact; nothing \
         is rounded."
            .to_string(),
        "There are no side agreements: no rebate, bonus, jackpot or promotional chip. Rounds that are void do not \
         enter."
            .to_string(),
    ];
    let rows = || terms.bets().iter().flat_map(|bet| &bet.rows);
    let pairs: Vec<Which> = rows().flat_map(|row| &row.when).filter_map(asks_pairs).collect();
    if !pairs.is_empty() {
        lines.push(
            "Interpretation 1: a pair is two first cards of one rank. A 10 and a Jack have one value and are no \
             pair."
                .to_string(),
        );
    }
    if pairs.iter().any(|which| matches!(which, Which::ExactlyOne | Which::Both | Which::Twin)) {
        lines.push(
            "Interpretation 2: Single, Double and Twin exclude each other: a pair on exactly one Hand; on both, of \
             different ranks; on both, of one rank."
                .to_string(),
        );
    }
    if terms.bet_no("wu-dalang").is_some() {
        lines.push(
            "Interpretation 3: Wu Dalang needs a win. The Player Hand must win with a total of 1; a Tie at 1 loses."
                .to_string(),
        );
    }
    if rows().any(|row| matches!(row.pays, Pays::Won { commission: Some(_), .. })) {
        lines.push(
            "Interpretation 6: printed odds are net. Even money less 5 % and 0.95 to 1 are one thing; commission is \
             not charged twice."
                .to_string(),
        );
    }
    let by_card: Vec<&str> =
        terms.bets().iter().filter(|bet| bet.tells_suits()).map(|bet| bet.label.en.as_str()).collect();
    if !by_card.is_empty() {
        lines.push(format!(
            "Suits make a difference to these bets: {}. Their removal effects are by card; those of all other bets are by \
             rank and hold for each of its suits.",
            by_card.join(", ")
        ));
    }
    lines
}

fn asks_pairs(fact: &Fact) -> Option<Which> {
    match fact {
        Fact::Pairs(which) | Fact::SuitedPairs(which) => Some(*which),
        Fact::Winner(_)
        | Fact::Points(_)
        | Fact::PointsOf(..)
        | Fact::WinnerCards(_)
        | Fact::CardsOf(..)
        | Fact::Cards(_)
        | Fact::Margin(_)
        | Fact::Natural(_)
        | Fact::Count(..)
        | Fact::Sum(_) => None,
    }
}

pub(super) fn exactness() -> Vec<String> {
    [
        "Exact, whole numbers: numbers of sequences, of cards, of Rounds, and the results of the simulation.",
        "Exact, fractions in lowest terms: edge, RTP, what each row adds to the gain, removal effects, the edge by \
         decks. Printed percentages are these fractions, rounded.",
        "Floating point (IEEE 754, 64 bits): standard deviation, skewness, volatility index, confidence intervals, \
         correlations, z, χ² and p. They are statistics; no payment depends on them.",
    ]
    .map(String::from)
    .to_vec()
}
