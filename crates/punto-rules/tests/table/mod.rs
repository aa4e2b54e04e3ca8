#![allow(dead_code, unreachable_pub)]
//! A table for tests: an approved game, a line of cards, and what became of a bet, all as short text.

use std::sync::LazyLock;

use punto_rules::rulebook::APPROVED;
use punto_rules::{
    BettingBox, BoxLimits, Layer, LimitsAsked, Money, Outcome, PatronNo, PointTotal, Rulebook, Side, Stance,
    Step, Terms, Verdict, Wager, notation, reconstruct, settle,
};

static RULEBOOKS: LazyLock<Vec<Rulebook>> = LazyLock::new(|| {
    APPROVED.iter().map(|(_, text)| Rulebook::parse(text).expect("an approved rule book")).collect()
});

/// The limits that tests ask for: from 100 to a Differential of 1,000.
pub const LIMITS: BoxLimits = BoxLimits { minimum: money(100), differential: money(1_000) };

pub const fn money(minor_units: u64) -> Money {
    Money::new(minor_units).expect("less than the most")
}

pub fn rulebook(game: &str) -> &'static Rulebook {
    RULEBOOKS.iter().find(|rulebook| rulebook.game == game).expect("a game")
}

pub fn terms(game: &str, layout: &str) -> Terms {
    rulebook(game).terms(layout, 8, &LimitsAsked::default()).expect("terms")
}

/// The layouts that offer a bet, in one word: `ABD`.
pub fn offered_on(game: &str, bet: &str) -> String {
    let layouts = rulebook(game).layouts.iter().filter(|layout| layout.bet_no(bet).is_some());
    layouts.map(|layout| layout.id.as_str()).collect()
}

/// The bets of a game, whatever the layout, in the order of the alphabet.
pub fn bets(game: &str) -> Vec<&'static str> {
    let mut bets: Vec<&str> = rulebook(game).bets.iter().map(|bet| bet.id.as_str()).collect();
    bets.sort_unstable();
    bets.dedup();
    bets
}

/// Where the document deals with a step of play.
pub fn cited(game: &str, topic: &str) -> String {
    let topics = rulebook(game).play.topics();
    let (_, cite) = topics.into_iter().find(|(name, _)| *name == topic).expect("a topic of play");
    cite.to_string()
}

/// A complete Round, neither short of cards nor with one too many.
pub fn round(cards: &str) -> Outcome {
    let drawn = notation::parse(cards).expect("cards");
    match reconstruct(&drawn) {
        (deal, []) => match deal.step() {
            Step::Complete(outcome) => outcome,
            Step::Draw(side) => panic!("{cards}: {} draws", side.name()),
        },
        (_, surplus) => panic!("{cards}: {} left over", notation::show(surplus)),
    }
}

/// Both Hands: `2s 3c 5d / 3d 3h`.
pub fn hands(cards: &str) -> String {
    let [player, banker] = Side::BOTH.map(|side| notation::show(round(cards).hands()[side].cards()));
    format!("{player} / {banker}")
}

/// What a Round that began like this needs next: `player`, `banker` or `complete`.
pub fn next(cards: &str) -> &'static str {
    let drawn = notation::parse(cards).expect("cards");
    match reconstruct(&drawn).0.step() {
        Step::Draw(side) => side.id(),
        Step::Complete(_) => "complete",
    }
}

/// The Point Total of some cards.
pub fn points(cards: &str) -> u8 {
    PointTotal::of(&notation::parse(cards).expect("cards")).get()
}

/// What became of a bet: `won 10 to 1`, `lost`, `returned`, or `not offered`.
pub fn verdict(game: &str, layout: &str, bet: &str, cards: &str) -> String {
    let layout = rulebook(game).layout(layout).expect("a layout");
    let Some(no) = layout.bet_no(bet) else { return "not offered".into() };
    match layout.bets[no.index()].verdict(rulebook(game).space().class_of(&round(cards))) {
        Verdict::Won(odds) => format!("won {odds}"),
        verdict @ (Verdict::Lost | Verdict::Returned) => verdict.id().into(),
    }
}

/// What goes back to the patron who staked so much, stake and all.
pub fn back(game: &str, layout: &str, bet: &str, stake: u64, cards: &str) -> u64 {
    let terms = terms(game, layout);
    let wager = Wager::new(terms.bet_no(bet).expect("an offered bet"), money(stake));
    settle(&terms, &[wager], &round(cards)).lines[0].to_patron().get()
}

/// Every side bet of every layout, staked with nothing on Player or Banker beside it: those that would be refused.
pub fn side_bets_refused_alone(game: &str) -> Vec<String> {
    let layouts = rulebook(game).layouts.iter().map(|layout| terms(game, &layout.id));
    let mut refused = Vec::new();
    for terms in layouts {
        for bet in terms.bets().iter().filter(|bet| bet.original.is_none()) {
            let no = terms.bet_no(bet.id.as_str()).expect("its own bet");
            if terms.check_stake(no, terms.unit()).is_err() {
                refused.push(format!("{} on {}", bet.id, terms.layout().id));
            }
        }
    }
    refused
}

/// The rule book with limits on one bet; whether that can be in force.
pub fn takes_range_on(game: &str, layout: &str, bet: &str) -> bool {
    let range = punto_rules::Range { minimum: money(100), maximum: money(1_000) };
    let asked = LimitsAsked { bets: [(bet.to_string(), range)].into(), ..LimitsAsked::default() };
    rulebook(game)
        .terms(layout, 8, &asked)
        .is_ok_and(|terms| terms.range(terms.bet_no(bet).expect("limits name offered bets")) == Some(range))
}

/// The rule book with a minimum and a Differential per betting box; whether they are in force as asked.
pub fn takes_differential(game: &str, layout: &str) -> bool {
    let asked = LimitsAsked { betting_box: Some(LIMITS), ..LimitsAsked::default() };
    rulebook(game).terms(layout, 8, &asked).is_ok_and(|terms| terms.box_limits() == Some(LIMITS))
}

/// A bet on Banker in one box; `Err` says why it is refused.
pub fn place(betting_box: &mut BettingBox, patron: u32, stance: Stance, amount: u64) -> Result<(), String> {
    let bet = Layer { patron: PatronNo(patron), stance, side: Side::Banker, amount: money(amount) };
    betting_box.place(bet, LIMITS).map(|_| ()).map_err(|refusal| refusal.to_string())
}

/// A card that counts so many points.
pub fn card(value: u8) -> String {
    match value {
        0 => "Td".into(),
        1 => "Ad".into(),
        _ => format!("{value}d"),
    }
}

/// The two-card totals on which the Player Hand draws, Banker holding nothing.
pub fn player_draws_on() -> Vec<u8> {
    (0..10).filter(|&total| next(&format!("Ks Qh {} Jc", card(total))) == "player").collect()
}

/// The two-card totals on which the Banker Hand draws after the Player Hand stood on this one.
pub fn banker_draws_after_stand_on(player: u8) -> Vec<u8> {
    (0..10).filter(|&total| next(&format!("Ks Qh {} {}", card(player), card(total))) == "banker").collect()
}

/// The values of the Player Hand's third card against which the Banker Hand draws on this two-card total.
pub fn banker_draws_against(banker: u8) -> Vec<u8> {
    (0..10).filter(|&third| next(&format!("Ks Qh Jc {} {}", card(banker), card(third))) == "banker").collect()
}
