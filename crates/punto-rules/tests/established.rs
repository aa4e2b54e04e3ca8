//! What is certain before a Round is complete (5.4; interpretation 20), against every way in which it can still end.
//!
//! The ends come from the independent reference, which knows nothing of classes of outcomes.

mod reference;
mod scale;
mod scratch;

use proptest::prelude::*;
use punto_rules::{
    Card, Certain, Deal, Established, Odds, Rank, Rulebook, Step, Suit, Terms, established, notation,
};
use reference::{Answer, BetRule, Played, documents, play};
use scale::{check, says, scale};
use scratch::{BOOKS, deal, terms, text};

/// One card of each rank; suits make no difference to the approved games, so they vary.
fn card(rank: u8, place: usize) -> Card {
    Card { rank: Rank::ALL[usize::from(rank) - 1], suit: Suit::ALL[(usize::from(rank) + place) % 4] }
}

fn cards(ranks: &[u8]) -> Vec<Card> {
    ranks.iter().enumerate().map(|(place, &rank)| card(rank, place)).collect()
}

/// What can still become of a bet: which of its answers are possible, one bit each.
type Possible = u8;

/// What is certain if these answers are possible and no others (interpretation 20: won or returned is not certain).
fn certain(answers: &[Answer]) -> Option<Certain> {
    let odds = |answer: &Answer| match *answer {
        Answer::Won { pays, per } => Some(Odds::new(pays.into(), per.into()).unwrap()),
        Answer::Lost | Answer::Returned => None,
    };
    if answers.iter().all(|answer| *answer == Answer::Lost) {
        Some(Certain::Lost)
    } else if answers.iter().all(|answer| *answer == Answer::Returned) {
        Some(Certain::Returned)
    } else if answers.iter().all(|answer| odds(answer).is_some()) {
        let first = odds(&answers[0]);
        Some(Certain::Won(first.filter(|_| answers.iter().all(|answer| odds(answer) == first))))
    } else {
        None
    }
}

/// A bet of some layout, with the answers it was seen to have.
struct Watched {
    rule: BetRule,
    answers: Vec<Answer>,
}

impl Watched {
    fn possible(&mut self, round: &Played) -> Possible {
        let answer = (self.rule.verdict)(round);
        let known = self.answers.iter().position(|known| *known == answer);
        1 << known.unwrap_or_else(|| {
            self.answers.push(answer);
            self.answers.len() - 1
        })
    }

    fn certain(&self, possible: Possible) -> Option<Certain> {
        let answers = self.answers.iter().enumerate().filter(|(bit, _)| possible >> bit & 1 == 1);
        certain(&answers.map(|(_, answer)| *answer).collect::<Vec<_>>())
    }
}

/// Every different layout of the four games at once, so that the Rounds are gone through but once.
struct Walk {
    tables: Vec<(Terms, Vec<usize>)>,
    watched: Vec<Watched>,
    /// Of the beginnings with so many cards every how many-th is looked at.
    every: [usize; 7],
    seen: [usize; 7],
    compared: u32,
}

const MOST_WATCHED: usize = 80;

impl Walk {
    fn new(every: [usize; 7]) -> Walk {
        let mut walk = Walk { tables: vec![], watched: vec![], every, seen: [0; 7], compared: 0 };
        for (book, document) in BOOKS.iter().zip(documents()) {
            // Wu Song's layouts A, C and E differ; everywhere else the first stands for all.
            for layout in
                document.layouts.iter().filter(|layout| ["A", "C", "E", "terminal"].contains(&layout.id))
            {
                if layout.id != document.layouts[0].id && document.game != "wu-song" {
                    continue;
                }
                let terms = terms(book, layout.id);
                let rule = |id: &str| *layout.bets.iter().find(|rule| rule.id == id).unwrap();
                let first = walk.watched.len();
                walk.watched.extend(
                    terms.bets().iter().map(|bet| Watched { rule: rule(bet.id.as_str()), answers: vec![] }),
                );
                walk.tables.push((terms, (first..walk.watched.len()).collect()));
            }
        }
        assert_eq!((walk.tables.len(), walk.watched.len()), (6, 77));
        walk
    }

    /// What can become of every bet after these cards; on the way back each beginning is compared.
    fn go(&mut self, ranks: &mut Vec<u8>) -> [Possible; MOST_WATCHED] {
        let mut possible = [0; MOST_WATCHED];
        match play(ranks) {
            Some(round) => {
                assert_eq!(round.used, ranks.len());
                for (bet, possible) in self.watched.iter_mut().zip(&mut possible) {
                    *possible = bet.possible(&round);
                }
            }
            None => {
                for rank in 1..=13 {
                    ranks.push(rank);
                    let then = self.go(ranks);
                    possible.iter_mut().zip(then).for_each(|(possible, then)| *possible |= then);
                    ranks.pop();
                }
            }
        }
        let seen = &mut self.seen[ranks.len()];
        *seen += 1;
        if seen.is_multiple_of(self.every[ranks.len()]) {
            self.compare(ranks, &possible);
        }
        possible
    }

    fn compare(&mut self, ranks: &[u8], possible: &[Possible]) {
        let deal = deal(&cards(ranks));
        for (terms, watched) in &self.tables {
            let established = established(terms, &deal);
            for (bet, &no) in terms.bets().iter().zip(watched) {
                let expected = self.watched[no].certain(possible[no]);
                let got = established.of(terms.bet_no(bet.id.as_str()).unwrap());
                assert_eq!(got, expected, "{} on {} after {deal:?}", bet.id, terms.layout().id);
            }
            self.compared += 1;
        }
    }
}

/// Every beginning of up to three cards, and as many longer ones as the count allows, over all six different layouts.
#[test]
fn certain_is_what_every_end_agrees_on() {
    let longer = |test, soak| scale(test, soak) as usize;
    let mut walk = Walk::new([1, 1, 1, 1, longer(4, 1), longer(100, 1), longer(1_000, 4)]);
    walk.go(&mut Vec::new());
    // 13, 13² and 13³ beginnings; from the fourth card on some Rounds are complete.
    assert_eq!(walk.seen[..5], [1, 13, 169, 2_197, 28_561]);
    says("certain_is_what_every_end_agrees_on", walk.compared);
}

/// Every three cards that can open a Round.
fn three_cards() -> impl Iterator<Item = [u8; 3]> {
    (0..13 * 13 * 13).map(|n: u16| [n / 169, n / 13 % 13, n % 13].map(|rank| rank as u8 + 1))
}

/// Interpretation 20: with "offered" it is always so from the third card on, and never before …
#[test]
fn with_offered_bets_the_third_card_always_establishes_an_outcome() {
    for (book, layout) in [(0, "A"), (0, "C"), (0, "E"), (1, "terminal"), (2, "A")] {
        let terms = terms(&BOOKS[book], layout);
        for ranks in three_cards() {
            assert!(established(&terms, &deal(&cards(&ranks))).is_established(), "{ranks:?} on {layout}");
            if ranks[2] == 1 {
                let two = established(&terms, &deal(&cards(&ranks[..2])));
                assert!(!two.is_established(), "{ranks:?} on {layout}");
            }
        }
    }
}

/// … except in Da Hu, where it depends.
#[test]
fn in_da_hu_it_depends_on_the_three_cards() {
    let terms = terms(&BOOKS[3], "A");
    let after = |line: &str| established(&terms, &deal(&notation::parse(line).unwrap()));
    let no = |bet| terms.bet_no(bet).unwrap();
    let count =
        three_cards().filter(|ranks| established(&terms, &deal(&cards(ranks))).is_established()).count();
    // Whatever Banker's first card is: 64 of the 169 Player Hands stand or are Natural, so that Banker cannot win on 6;
    // 9 of those that draw are pairs.
    assert_eq!(count, 13 * (64 + 9));

    // A Natural 9 on Player: Banker cannot win any more, on 6 or otherwise, but may still tie.
    let natural = after("9s 2d Th");
    assert!(natural.is_established());
    assert_eq!(natural.of(no("tiger")), Some(Certain::Lost));
    assert_eq!(natural.of(no("banker")), None);
    // Player on 5 draws: every bet can still go either way.
    let open = after("2s 2d 3h");
    assert!(!open.is_established());
    assert_eq!(open.decided().count(), 0);
    // A pair on Player decides Tiger Pair, at odds that the Banker Hand still has to settle.
    let pair = after("2s 2d 2h");
    assert_eq!(pair.of(no("tiger-pair")), Some(Certain::Won(None)));
}

#[test]
fn what_is_certain_stays_certain() {
    let rounds = (0..BOOKS.len(), prop::collection::vec(0..Card::KINDS, 6));
    check("what_is_certain_stays_certain", scale(400, 40_000), rounds, |(book, cards)| {
        let terms = terms(&BOOKS[book], &BOOKS[book].layouts[0].id);
        let mut deal = Deal::new();
        let mut before: Option<Established> = None;
        for card in cards.into_iter().map(Card::from_index) {
            let now = established(&terms, &deal);
            for bet in terms.bets().iter().map(|bet| terms.bet_no(bet.id.as_str()).unwrap()) {
                match (before.as_ref().and_then(|before| before.of(bet)), now.of(bet)) {
                    (None, _) => {}
                    // At which odds may become known later.
                    (Some(Certain::Won(None)), now) => assert!(matches!(now, Some(Certain::Won(_)))),
                    (before, now) => assert_eq!(before, now),
                }
                let decided = now.of(bet).is_some_and(Certain::is_decided);
                assert_eq!(now.is_established_among([bet]), decided, "with one bet placed");
                assert!(now.is_established() || !decided);
            }
            before = Some(now);
            match deal.step() {
                Step::Draw(_) => deal = deal.take(card),
                Step::Complete(outcome) => {
                    let class = terms.class_of(&outcome);
                    let now = established(&terms, &deal);
                    for bet in terms.bets() {
                        let certain = now.of(terms.bet_no(bet.id.as_str()).unwrap());
                        assert_eq!(certain.map(Certain::id), Some(bet.verdict(class).id()));
                    }
                    break;
                }
            }
        }
    });
}

/// A rule book whose bets ask for suits and counts, and the same bets once more in Rust.
struct Suited;

impl Suited {
    const BETS: [(&str, &str); 4] = [
        (
            "suited",
            "{ suited_pairs = 'both', odds = '200 to 1' }, { suited_pairs = 'either', odds = '5 to 1' }",
        ),
        ("suited-twin", "{ suited_pairs = 'twin', odds = '900 to 1' }"),
        ("sevens", "{ count = { rank = '7', is = [3, 4, 5, 6] }, odds = '50 to 1' }"),
        (
            "hearts",
            "{ count = { suit = 'hearts', is = 0 }, odds = '3 to 1' }, { count = { suit = 'hearts', is = [1, 2] }, returned = true }",
        ),
    ];

    fn answers(player: &[Card], banker: &[Card]) -> [Answer; 4] {
        let won = |wins: bool, pays| if wins { Answer::Won { pays, per: 1 } } else { Answer::Lost };
        let suited = |hand: &[Card]| hand[0] == hand[1];
        let (on_player, on_banker) = (suited(player), suited(banker));
        let all = || player.iter().chain(banker);
        [
            won(on_player || on_banker, if on_player && on_banker { 200 } else { 5 }),
            won(on_player && on_banker && player[0].rank == banker[0].rank, 900),
            won(all().filter(|card| card.rank == Rank::Seven).count() >= 3, 50),
            match all().filter(|card| card.suit == Suit::Hearts).count() {
                0 => won(true, 3),
                1 | 2 => Answer::Returned,
                _ => Answer::Lost,
            },
        ]
    }

    /// Adds what can become of each bet after these cards, over all 52 cards at every draw.
    fn ends(cards: &mut Vec<Card>, ends: &mut [Vec<Answer>; 4]) {
        let ranks: Vec<u8> = cards.iter().map(|card| card.rank as u8 + 1).collect();
        let Some(round) = play(&ranks) else {
            for card in Card::all() {
                cards.push(card);
                Suited::ends(cards, ends);
                cards.pop();
            }
            return;
        };
        let third = round.player.len() - 2;
        let mut player = vec![cards[0], cards[2]];
        player.extend(&cards[4..4 + third]);
        let mut banker = vec![cards[1], cards[3]];
        banker.extend(&cards[4 + third..round.used]);
        for (ends, answer) in ends.iter_mut().zip(Suited::answers(&player, &banker)) {
            if !ends.contains(&answer) {
                ends.push(answer);
            }
        }
    }
}

#[test]
fn suits_and_counts_are_certain_when_every_end_agrees() {
    let book = Rulebook::parse(&text(&Suited::BETS)).unwrap();
    let terms = terms(&book, "A");
    let name = "suits_and_counts_are_certain_when_every_end_agrees";
    let bets = Suited::BETS.map(|(id, _)| terms.bet_no(id).unwrap());
    // Before the second card nothing is certain, whatever the first: each bet can be won and lost.
    for cards in Card::all().step_by(5).map(|card| vec![card]).chain([vec![]]) {
        let established = established(&terms, &deal(&cards));
        assert_eq!(bets.map(|bet| established.of(bet)), [None; 4], "{cards:?}");
    }
    // 52³ ends each after three cards, 52⁴ after two.
    for (length, cases) in
        [(2, scale(1, 40)), (3, scale(40, 4_000)), (4, scale(600, 40_000)), (5, scale(2_000, 200_000))]
    {
        check(name, cases, prop::collection::vec(kinds(), length), |cards| {
            let deal = deal(&cards);
            let mut cards: Vec<Card> = deal.drawn().collect();
            let mut ends: [Vec<Answer>; 4] = Default::default();
            Suited::ends(&mut cards, &mut ends);
            let established = established(&terms, &deal);
            let expected = ends.each_ref().map(|ends| certain(ends));
            assert_eq!(bets.map(|bet| established.of(bet)), expected, "after {deal:?}");
        });
    }
}

/// Cards with many sevens, hearts and pairs among them.
fn kinds() -> impl Strategy<Value = Card> {
    let some = ["7h", "7s", "Th", "Ks"].map(|card| card.parse::<Card>().unwrap());
    prop_oneof![prop::sample::select(some.to_vec()), (0..Card::KINDS).prop_map(Card::from_index)]
}
