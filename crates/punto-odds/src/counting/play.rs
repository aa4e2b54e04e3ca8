//! Shoes, dealt Round by Round under the eyes of two counters.

use punto_rules::{Burn, Card, Composition, Deal, Shoe, Step};

use super::rules::{CountingError, CountingRules, LastRound, check};
use super::sums::{ByPlay, CountingTally, EDGE_STEP, EDGE_STEPS, Played, parts};
use super::tags::LinearCount;
use crate::pricer::Depends;
use crate::{ByCard, CompiledBet, Pricer, Ratio, effects_of_removal};

/// The study of one layout from one shoe.
///
/// ```
/// use punto_odds::{CountingRules, CountingStudy, CountingTally, LastRound, Pricer};
/// use punto_rules::{Burn, Composition, LimitsAsked, Rulebook};
/// let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
/// let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
/// let rules = CountingRules {
///     behind: vec![14],
///     last_round: LastRound::Stop,
///     burn: Burn::Fixed(0),
///     triggers: vec![0.0],
///     seed: 1,
/// };
/// let study = CountingStudy::new(&Pricer::new(&terms), &Composition::decks(8), rules).unwrap();
/// let mut tally = CountingTally::new(&study);
/// for shoe in [1, 0] {
///     tally.add(&study.shoe(shoe)); // in any order
/// }
/// let tie = terms.bet_no("tie").unwrap().index();
/// assert!(tally.perfect(tie, 0, 0).win.mean >= tally.count(tie, 0, 0).win.mean);
/// ```
#[derive(Clone, Debug)]
pub struct CountingStudy {
    pricer: Pricer,
    full: Composition,
    rules: CountingRules,
    effects: Vec<ByCard<Ratio>>,
    counts: Vec<LinearCount>,
    /// `None` where a bet depends on too much to be compiled: then all such bets are priced at once.
    compiled: Vec<Option<CompiledBet>>,
    /// The true counts from which each count bets, by bet and trigger.
    true_counts: Vec<f64>,
}

impl CountingStudy {
    /// Checks the rules and derives a count for each bet.
    ///
    /// # Errors
    /// If the rules contradict themselves or the shoe.
    pub fn new(
        pricer: &Pricer,
        shoe: &Composition,
        mut rules: CountingRules,
    ) -> Result<CountingStudy, CountingError> {
        rules.behind.sort_unstable();
        check(&rules, shoe)?;
        let effects = effects_of_removal(pricer, shoe)?;
        let prices = pricer.price(shoe)?;
        let counts: Vec<LinearCount> = effects
            .iter()
            .zip(&prices)
            .map(|(effects, price)| {
                LinearCount::new(&effects.map(Ratio::to_f64), shoe, -price.edge().to_f64())
            })
            .collect();
        let compile = |bet: usize| match pricer.depends(bet) {
            Depends::Totals(_) | Depends::Pairs(_) => Some(CompiledBet::new(pricer, bet)),
            Depends::Class => None,
        };
        let true_counts = counts
            .iter()
            .flat_map(|count| rules.triggers.iter().map(|&trigger| count.trigger(trigger)))
            .collect();
        Ok(CountingStudy {
            pricer: pricer.clone(),
            full: shoe.clone(),
            compiled: (0..counts.len()).map(compile).collect(),
            rules,
            effects,
            counts,
            true_counts,
        })
    }

    /// The rules, the depths with the fewest cards behind the cut card first.
    pub fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// What removing a card does to each bet, exactly.
    pub fn effects(&self) -> &[ByCard<Ratio>] {
        &self.effects
    }

    /// The count for each bet.
    pub fn counts(&self) -> &[LinearCount] {
        &self.counts
    }

    /// The bets that take milliseconds to price before every Round, because they depend on suits or on many things at once.
    pub fn slow(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.compiled.len()).filter(|&bet| self.compiled[bet].is_none())
    }

    /// The gain of every bet from these cards.
    ///
    /// # Panics
    /// If there are fewer than six.
    pub fn gains(&self, cards: &Composition) -> Vec<f64> {
        let slow = self.compiled.iter().any(Option::is_none);
        let prices = slow.then(|| self.pricer.price(cards).expect("enough cards for a Round"));
        let gain = |(bet, compiled): (usize, &Option<CompiledBet>)| match (compiled, &prices) {
            (Some(compiled), _) => compiled.gain_f64(cards),
            (None, Some(prices)) => -prices[bet].edge().to_f64(),
            (None, None) => unreachable!("priced above"),
        };
        self.compiled.iter().enumerate().map(gain).collect()
    }

    /// Plays one shoe.
    pub fn shoe(&self, index: u64) -> CountingTally {
        let mut shoe = Shoe::shuffled(&self.full, self.key(index));
        let mut counter = Counter { unseen: self.full.clone() };
        let burnt = shoe.burn(self.rules.burn);
        if let (Burn::ByFirstCard, Some(&first)) = (self.rules.burn, burnt.first()) {
            counter.see(first);
        }
        let (depths, triggers) = (self.rules.behind.len(), self.rules.triggers.len());
        let mut rounds = vec![0i64; depths];
        let mut played = vec![ByPlay::<Played>::default(); self.counts.len() * triggers * depths];
        let mut raised = vec![0i64; self.counts.len() * depths * EDGE_STEPS];
        let mut stages = vec![Stage::CutCardInside; depths];
        loop {
            // The fewer cards lie behind the cut card the longer a shoe lasts, so the depths still dealt come first.
            let open = stages.iter().take_while(|stage| **stage != Stage::Over).count();
            if open == 0 {
                break;
            }
            rounds[..open].iter_mut().for_each(|rounds| *rounds += 1);
            for (bet, gain) in self.gains(&counter.unseen).into_iter().enumerate() {
                let true_count = self.counts[bet].true_count(&counter.unseen);
                for (trigger, &least) in self.rules.triggers.iter().enumerate() {
                    let at = bet * triggers + trigger;
                    let played = &mut played[at * depths..][..open];
                    if gain > least {
                        played.iter_mut().for_each(|it| it.perfect.bet(gain));
                    }
                    if true_count >= self.true_counts[at] {
                        played.iter_mut().for_each(|it| it.count.bet(gain));
                    }
                }
                for step in 0..EDGE_STEPS {
                    let left = gain - step as f64 * EDGE_STEP;
                    if left <= 0.0 {
                        break;
                    }
                    (0..open)
                        .for_each(|depth| raised[(bet * depths + depth) * EDGE_STEPS + step] += parts(left));
                }
            }
            counter.watch_round(&mut shoe);
            for (stage, &behind) in stages.iter_mut().zip(&self.rules.behind) {
                *stage = stage.after(shoe.remaining() <= usize::from(behind), self.rules.last_round);
            }
        }
        CountingTally::of_shoe(&rounds, &played, &raised, triggers)
    }

    /// Every shoe of every seed has a stream of its own; the word keeps them apart from those of other studies.
    fn key(&self, index: u64) -> [u8; 32] {
        let mut key = *b"................counting shoes..";
        key[..8].copy_from_slice(&self.rules.seed.to_le_bytes());
        key[8..16].copy_from_slice(&index.to_le_bytes());
        key
    }
}

/// How far a shoe is, for one depth of the cut card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    CutCardInside,
    OneMore,
    Over,
}

impl Stage {
    /// After a Round.
    fn after(self, is_cut_card_out: bool, last_round: LastRound) -> Stage {
        match (self, last_round) {
            (Stage::CutCardInside, _) if !is_cut_card_out => Stage::CutCardInside,
            (Stage::CutCardInside, LastRound::OneMore) => Stage::OneMore,
            (Stage::CutCardInside, LastRound::Stop) | (Stage::OneMore | Stage::Over, _) => Stage::Over,
        }
    }
}

/// What a counter knows.
struct Counter {
    unseen: Composition,
}

impl Counter {
    fn see(&mut self, card: Card) {
        assert!(self.unseen.remove(card), "a shoe holds no card that it was not made of");
    }

    fn watch_round(&mut self, shoe: &mut Shoe) {
        let mut deal = Deal::new();
        while let Step::Draw(_) = deal.step() {
            let card = shoe.draw().expect("the cut card leaves enough for a Round");
            self.see(card);
            deal = deal.take(card);
        }
    }
}

impl Played {
    fn bet(&mut self, gain: f64) {
        self.bets += 1;
        self.parts += parts(gain);
    }
}
