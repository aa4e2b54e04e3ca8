//! A row of a pay table: what it asks of a Round, and what it pays.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::odds::least_common_multiple;
use crate::settlement::MOST;
use crate::{Card, Odds, Percentage, Round, Side, Verdict, Winner};

/// A value, or a list of which any will do.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a value that the key takes, or a list of such values")]
enum AnyOf<T> {
    List(Vec<T>),
    One(T),
}

impl<T: PartialEq> AnyOf<T> {
    fn has(&self, value: &T) -> bool {
        match self {
            AnyOf::List(list) => list.contains(value),
            AnyOf::One(one) => one == value,
        }
    }
}

/// What a row asks about pairs, or about suited pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PairWord {
    Player,
    Banker,
    ExactlyOne,
    Either,
    Both,
    Neither,
    Twin,
}

/// What a row asks about Naturals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NaturalWord {
    Player,
    Banker,
    ExactlyOne,
    Either,
    Both,
    Neither,
    Winner,
}

/// The rank of a card in a rule book: one letter or digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct RankLetter(char);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SuitWord {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl SuitWord {
    const fn letter(self) -> char {
        match self {
            SuitWord::Spades => 's',
            SuitWord::Hearts => 'h',
            SuitWord::Diamonds => 'd',
            SuitWord::Clubs => 'c',
        }
    }
}

/// How many of certain cards were dealt in the Round, third cards too.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    rank: Option<AnyOf<RankLetter>>,
    suit: Option<AnyOf<SuitWord>>,
    is: AnyOf<u8>,
}

impl Count {
    /// Whether a card counts: one of the ranks, if any are named, and one of the suits, if any are.
    pub fn counts(&self, card: Card) -> bool {
        let suit_is = |word: &SuitWord| word.letter() == card.suit();
        self.rank.as_ref().is_none_or(|ranks| ranks.has(&RankLetter(card.rank())))
            && self.suit.as_ref().is_none_or(|suits| match suits {
                AnyOf::List(list) => list.iter().any(suit_is),
                AnyOf::One(one) => suit_is(one),
            })
    }

    /// How many of these cards count.
    pub fn of(&self, cards: impl Iterator<Item = Card>) -> u8 {
        cards.map(|card| u8::from(self.counts(card))).sum()
    }
}

/// One row: all conditions that it names must hold; one that it does not name always does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    winner: Option<AnyOf<Winner>>,
    points: Option<AnyOf<u8>>,
    player_points: Option<AnyOf<u8>>,
    banker_points: Option<AnyOf<u8>>,
    winner_cards: Option<AnyOf<u8>>,
    player_cards: Option<AnyOf<u8>>,
    banker_cards: Option<AnyOf<u8>>,
    cards: Option<AnyOf<u8>>,
    margin: Option<AnyOf<u8>>,
    sum: Option<AnyOf<u8>>,
    natural: Option<NaturalWord>,
    pairs: Option<PairWord>,
    suited_pairs: Option<PairWord>,
    count: Option<AnyOf<Count>>,
    odds: Option<Odds>,
    #[serde(default)]
    returned: bool,
    commission: Option<Percentage>,
    cite: Option<String>,
    #[serde(rename = "label")]
    _label: Option<IgnoredAny>,
}

impl Row {
    /// Whether it either pays odds, with or without a commission, or gives the stake back.
    pub(crate) fn has_one_result(&self) -> bool {
        self.odds.is_some() != self.returned && (self.odds.is_some() || self.commission.is_none())
    }

    /// The counts that it asks about.
    pub(crate) fn counts(&self) -> &[Count] {
        match &self.count {
            None => &[],
            Some(AnyOf::List(counts)) => counts,
            Some(AnyOf::One(count)) => std::slice::from_ref(count),
        }
    }

    /// Whether it asks about pairs, suited or not.
    pub(crate) const fn asks_about_pairs(&self) -> bool {
        self.pairs.is_some() || self.suited_pairs.is_some()
    }

    /// Whether it asks about the suits of pairs.
    pub(crate) const fn asks_about_suited_pairs(&self) -> bool {
        self.suited_pairs.is_some()
    }

    /// Whether every condition holds.
    pub fn matches(&self, round: &Round) -> bool {
        let (player, banker) = (round.hand(Side::Player), round.hand(Side::Banker));
        let (on_player, on_banker) = (player.points(), banker.points());
        let winner = round.winner();
        // The winning Hand's total and cards. A Tie has a total, but no winning Hand.
        let (points, winner_cards) = match winner {
            Winner::Player => (on_player, Some(player.len())),
            Winner::Banker => (on_banker, Some(banker.len())),
            Winner::Tie => (on_player, None),
        };
        let margin = winner_cards.map(|_| on_player.abs_diff(on_banker));
        holds(&self.winner, Some(winner))
            && holds(&self.points, Some(points))
            && holds(&self.player_points, Some(on_player))
            && holds(&self.banker_points, Some(on_banker))
            && holds(&self.winner_cards, winner_cards)
            && holds(&self.player_cards, Some(player.len()))
            && holds(&self.banker_cards, Some(banker.len()))
            && holds(&self.cards, Some(player.len() + banker.len()))
            && holds(&self.margin, margin)
            && holds(&self.sum, Some(on_player + on_banker))
            && self.natural.is_none_or(|word| word.holds(round))
            && self
                .pairs
                .is_none_or(|word| word.holds(round, player.pair().is_some(), banker.pair().is_some()))
            && self
                .suited_pairs
                .is_none_or(|word| word.holds(round, player.is_suited_pair(), banker.is_suited_pair()))
            && self.counts().iter().all(|count| count.is.has(&count.of(round.hands().cards())))
    }

    /// What it makes of the bet.
    pub const fn verdict(&self) -> Verdict {
        match self.odds {
            Some(odds) => Verdict::Won(odds),
            None => Verdict::Returned,
        }
    }

    /// The paragraphs that it cites; `None` if it leaves that to its bet.
    pub fn cite(&self) -> Option<&str> {
        self.cite.as_deref()
    }

    /// The smallest stake whose winnings and commission are whole; every multiple of it is as good. `None` beyond 2⁶⁴.
    pub(crate) fn smallest_stake(&self) -> Option<u64> {
        let Some(odds) = self.odds else { return Some(1) };
        match self.commission {
            None => Some(odds.per()),
            Some(share) => least_common_multiple(odds.per(), share.smallest_stake(odds)),
        }
    }

    /// What a stake wins by this row and the commission beside it; `None` if that cannot be paid in whole minor units, or
    /// would be more than money can hold.
    ///
    /// ```
    /// use punto_reference::Book;
    /// let book = Book::read(include_str!("../../../rulebooks/da-hu-ying-xiong-2019.toml")).unwrap();
    /// let [_, win] = &book.layout("A").unwrap().bet("banker").unwrap().rows[..] else { panic!() };
    /// assert_eq!((win.pay(100), win.pay(101), win.pay(u64::MAX)), (Some((95, 5)), None, None));
    /// ```
    pub fn pay(&self, stake: u64) -> Option<(u64, u64)> {
        let winnings = self.odds.map_or(Some(0), |odds| odds.on(stake))?;
        let commission = self.commission.map_or(Some(0), |share| share.taken_beside(winnings))?;
        let paid = |amount: u128| u64::try_from(amount).ok();
        let all = winnings.checked_add(commission)?.checked_add(stake.into())?;
        if all > u128::from(MOST) { None } else { Some((paid(winnings)?, paid(commission)?)) }
    }
}

/// Whether a condition holds, if there is one. What a Round does not have (a margin on a Tie) is none of the values asked.
fn holds<T: PartialEq>(asked: &Option<AnyOf<T>>, value: Option<T>) -> bool {
    asked.as_ref().is_none_or(|any| value.is_some_and(|value| any.has(&value)))
}

impl PairWord {
    /// `on_player` and `on_banker` say which Hands have such a pair.
    // INTERPRETATION 2: `exactly-one` is Single, `twin` both of one rank; `both` is of one rank or of two.
    fn holds(self, round: &Round, on_player: bool, on_banker: bool) -> bool {
        match self {
            PairWord::Player => on_player,
            PairWord::Banker => on_banker,
            PairWord::ExactlyOne => on_player != on_banker,
            PairWord::Either => on_player || on_banker,
            PairWord::Both => on_player && on_banker,
            PairWord::Neither => !(on_player || on_banker),
            PairWord::Twin => {
                on_player && on_banker && round.hand(Side::Player).pair() == round.hand(Side::Banker).pair()
            }
        }
    }
}

impl NaturalWord {
    fn holds(self, round: &Round) -> bool {
        let on = |side| round.hand(side).is_natural();
        let (on_player, on_banker) = (on(Side::Player), on(Side::Banker));
        match self {
            NaturalWord::Player => on_player,
            NaturalWord::Banker => on_banker,
            NaturalWord::ExactlyOne => on_player != on_banker,
            NaturalWord::Either => on_player || on_banker,
            NaturalWord::Both => on_player && on_banker,
            NaturalWord::Neither => !(on_player || on_banker),
            NaturalWord::Winner => match round.winner() {
                Winner::Player => on_player,
                Winner::Banker => on_banker,
                Winner::Tie => false,
            },
        }
    }
}
