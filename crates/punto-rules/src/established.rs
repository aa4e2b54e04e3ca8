//! Whether an outcome has been established: some bet is already certain (5.4; electronic 5.1).

use crate::{BetNo, Deal, Odds, Terms, Verdict};

/// What is already certain about a bet, whatever cards come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certain {
    /// It wins; at which odds may still be open.
    Won(Option<Odds>),
    /// It loses.
    Lost,
    /// It comes back.
    Returned,
}

impl Certain {
    /// Conclusively won or lost, which is what establishes an outcome.
    pub const fn is_decided(self) -> bool {
        match self {
            Certain::Won(_) | Certain::Lost => true,
            Certain::Returned => false,
        }
    }

    /// `won`, `lost` or `returned`.
    pub const fn id(self) -> &'static str {
        match self {
            Certain::Won(_) => "won",
            Certain::Lost => "lost",
            Certain::Returned => "returned",
        }
    }
}

/// What is certain about every bet of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Established {
    bets: Vec<Option<Certain>>,
}

impl Established {
    /// What is certain about one bet; `None` while it is open.
    pub fn of(&self, bet: BetNo) -> Option<Certain> {
        self.bets[bet.index()]
    }

    /// The bets that are conclusively won or lost.
    pub fn decided(&self) -> impl Iterator<Item = (BetNo, Certain)> + '_ {
        let bets = self.bets.iter().enumerate();
        bets.filter_map(|(no, bet)| bet.filter(|bet| bet.is_decided()).map(|bet| (BetNo::new(no), bet)))
    }

    /// Whether any bet that the layout offers is conclusively won or lost: the literal reading of 5.4.1.
    pub fn is_established(&self) -> bool {
        self.decided().next().is_some()
    }

    /// Whether any of these bets is; for tables that go by the bets placed.
    pub fn is_established_among(&self, placed: impl IntoIterator<Item = BetNo>) -> bool {
        placed.into_iter().any(|bet| self.of(bet).is_some_and(Certain::is_decided))
    }
}

/// What is already certain about each bet, on the cards out so far.
///
/// ```
/// use punto_rules::{Certain, LimitsAsked, Rulebook, established, notation, reconstruct};
/// let rulebook = Rulebook::approved("ncb-etg").unwrap();
/// let terms = rulebook.terms("terminal", 8, &LimitsAsked::default()).unwrap();
/// let (deal, _) = reconstruct(&notation::parse("9s 2d 9h").unwrap());
/// let so_far = established(&terms, &deal);
/// assert_eq!(so_far.of(terms.bet_no("banker").unwrap()), None); // a Natural 8 can be beaten by 9
/// assert!(matches!(so_far.of(terms.bet_no("player-pair").unwrap()), Some(Certain::Won(_))));
/// assert!(so_far.is_established());
/// ```
// INTERPRETATION 20: certain whatever ranks may still come; won-or-returned is not certain.
pub fn established(terms: &Terms, deal: &Deal) -> Established {
    let future = terms.space().future(*deal);
    let bets = terms.bets().iter().map(|bet| {
        let mut verdicts = future.iter().map(|class| bet.verdict(class));
        let first = verdicts.next().expect("every Round ends in some class");
        verdicts.try_fold(certain(first), |so_far, verdict| join(so_far, certain(verdict)))
    });
    Established { bets: bets.collect() }
}

fn certain(verdict: Verdict) -> Certain {
    match verdict {
        Verdict::Won(odds) => Certain::Won(Some(odds)),
        Verdict::Lost => Certain::Lost,
        Verdict::Returned => Certain::Returned,
    }
}

fn join(a: Certain, b: Certain) -> Option<Certain> {
    match (a, b) {
        (Certain::Won(a), Certain::Won(b)) => Some(Certain::Won(if a == b { a } else { None })),
        (Certain::Lost, Certain::Lost) => Some(Certain::Lost),
        (Certain::Returned, Certain::Returned) => Some(Certain::Returned),
        (Certain::Won(_) | Certain::Lost | Certain::Returned, _) => None,
    }
}
