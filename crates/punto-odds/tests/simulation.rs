//! Simulation: the same seed deals the same Rounds however the work is divided, and what it deals is what the exact odds
//! say. Seeds are fixed, so a bound that holds once holds always; a wrong shoe shows that it can be exceeded.

mod made_up;
mod scale;
mod textbook;

use made_up::{COUNTS, MadeUpLayout, SUITED, TOTALS};
use punto_odds::{BLOCK, Comparison, Generator, Pricer, Simulation, Tally};
use punto_rules::{
    Card, ClassNo, ClassSpace, Composition, LimitsAsked, Rank, Rulebook, Step, Verdict, reconstruct,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use scale::{Chance, scale};

const GENERATORS: [Generator; 2] = [Generator::Fast, Generator::ChaCha];

fn pricer(game: &str, layout: &str) -> Pricer {
    let rulebook = Rulebook::approved(game).unwrap();
    Pricer::new(&rulebook.terms(layout, rulebook.decks.max, &LimitsAsked::default()).unwrap())
}

fn harbour() -> Pricer {
    let rulebook = Rulebook::parse(include_str!("../../../docs/examples/harbour-baccarat.toml")).unwrap();
    Pricer::new(&rulebook.terms("A", 8, &LimitsAsked::default()).unwrap())
}

/// Some blocks of a simulation, added up in their order.
fn dealt(simulation: &Simulation, blocks: u64, rounds: u64) -> Tally {
    let mut sum = Tally::new(simulation.space());
    (0..blocks).for_each(|number| sum.add(&simulation.block(number, rounds)));
    sum
}

/// How far a simulation of `actual` is from the odds of `supposed`.
fn compare(
    pricer: &Pricer,
    supposed: &Composition,
    actual: &Composition,
    of: (Generator, u64, u64),
) -> Comparison {
    let (generator, seed, blocks) = of;
    let simulation = Simulation::new(pricer.space(), actual, generator, seed);
    Comparison::new(pricer, supposed, &dealt(&simulation, blocks, BLOCK)).unwrap()
}

fn agrees(pricer: &Pricer, shoe: &Composition, of: (Generator, u64, u64)) {
    let comparison = compare(pricer, shoe, shoe, of);
    for (bet, compared) in pricer.bets().zip(&comparison.bets) {
        assert!(compared.z.abs() < 4.5, "{} is {} standard errors off, {of:?}", bet.id, compared.z);
    }
    assert!(comparison.degrees_of_freedom > 0);
    assert!(comparison.p > 1e-4, "χ² {} at {:?}", comparison.chi_square, of);
    // Too good is wrong as well: numbers that are not random.
    assert!(comparison.p < 1.0 - 1e-4, "χ² {} at {:?}", comparison.chi_square, of);
}

#[test]
fn the_same_seed_deals_the_same_rounds() {
    let (plain, by_suit) = (pricer("wu-song", "A"), harbour());
    for pricer in [&plain, &by_suit] {
        for generator in GENERATORS {
            let block = |seed, number| {
                let shoe = Composition::decks(8);
                Simulation::new(pricer.space(), &shoe, generator, seed).block(number, 5_000)
            };
            assert_eq!(block(7, 3), block(7, 3));
            assert_ne!(block(7, 3), block(8, 3), "another seed, other Rounds");
            assert_ne!(block(7, 3), block(7, 4), "another block, other Rounds");
            assert_ne!(block(7, 0), block(7, 1));
        }
    }
    let by = |generator| Simulation::new(plain.space(), &Composition::decks(8), generator, 7).block(0, 5_000);
    assert_ne!(by(Generator::Fast), by(Generator::ChaCha));
}

#[test]
fn blocks_add_up_in_any_order_on_any_thread() {
    let pricer = pricer("rws-baccarat", "A");
    for generator in GENERATORS {
        let simulation = Simulation::new(pricer.space(), &Composition::decks(6), generator, 11);
        let in_order = dealt(&simulation, 6, 20_000);
        assert_eq!(in_order.rounds, 120_000);
        assert_eq!(in_order.counts.iter().sum::<u64>(), 120_000);

        let mut shuffled = Tally::new(simulation.space());
        [4, 0, 5, 2, 1, 3].into_iter().for_each(|number| shuffled.add(&simulation.block(number, 20_000)));
        assert_eq!(shuffled, in_order);

        let halves = std::thread::scope(|scope| {
            let half = |numbers: [u64; 3]| {
                let simulation = &simulation;
                scope.spawn(move || numbers.map(|number| simulation.block(number, 20_000)))
            };
            let (odd, even) = (half([5, 3, 1]), half([0, 4, 2]));
            [odd.join().unwrap(), even.join().unwrap()]
        });
        let mut threaded = Tally::new(simulation.space());
        halves.iter().flatten().for_each(|tally| threaded.add(tally));
        assert_eq!(threaded, in_order);
    }
}

/// A shorter block is the beginning of a longer one, so a last block that is not full changes nothing before it.
#[test]
fn a_shorter_block_is_the_beginning_of_a_longer_one() {
    for (pricer, decks) in [(pricer("da-hu-ying-xiong", "A"), 4), (harbour(), 8)] {
        for generator in GENERATORS {
            let simulation = Simulation::new(pricer.space(), &Composition::decks(decks), generator, 5);
            let mut before = simulation.block(2, 0);
            assert_eq!(before, Tally::new(simulation.space()));
            for rounds in (1..600).chain([5_000, 5_001]) {
                let after = simulation.block(2, rounds);
                assert_eq!(after.rounds, rounds);
                assert_eq!(after.counts.iter().sum::<u64>(), rounds);
                let more =
                    after.counts.iter().zip(&before.counts).map(|(after, before)| after.checked_sub(*before));
                let more: Option<u64> = more.sum();
                assert_eq!(more, Some(after.rounds - before.rounds), "nothing is taken back");
                before = after;
            }
        }
    }
}

#[test]
fn whole_shoes_agree_with_their_odds() {
    let blocks = scale(3, 200);
    for (game, layout, decks) in
        [("wu-song", "A", 8), ("wu-song", "E", 4), ("rws-baccarat", "A", 10), ("da-hu-ying-xiong", "A", 6)]
    {
        let pricer = pricer(game, layout);
        for generator in GENERATORS {
            agrees(&pricer, &Composition::decks(decks), (generator, 20_251_115, blocks));
        }
    }
}

/// What shuffling or indexing could favour shows in a shoe with all weight in one place: the odd card is the first of
/// the shoe, in its middle or its last, and the class tells the place in the Round to which it fell.
#[test]
fn uneven_shoes_agree_with_their_odds() {
    let pricer = pricer("ncb-etg", "terminal");
    let place = |text: &str, copies| (text.parse::<Card>().unwrap(), copies);
    for cards in [
        vec![place("9s", 4), place("Ts", 96)],
        vec![place("As", 96), place("Kc", 4)],
        vec![place("4h", 60), place("7c", 3), place("Kd", 60)],
        vec![place("2s", 10), place("3c", 200), place("5s", 200), place("8d", 100)],
    ] {
        let mut shoe = Composition::EMPTY;
        cards.into_iter().for_each(|(card, copies)| shoe.set(card, copies));
        for generator in GENERATORS {
            agrees(&pricer, &shoe, (generator, 99, scale(2, 50)));
        }
    }
    for seed in 0..scale(2, 30) {
        agrees(&pricer, &Chance::new(9_000 + seed).depleted(8), (Generator::Fast, seed, 2));
    }
}

/// Small shoes, suits and counts are dealt card by card.
#[test]
fn small_shoes_suits_and_counts_agree_with_their_odds() {
    let plain = pricer("wu-song", "C");
    let suited = MadeUpLayout::new(TOTALS.iter().chain(&SUITED)).pricer;
    let counts = MadeUpLayout::new(COUNTS.iter()).pricer;
    let mut chance = Chance::new(31);
    let tiny = [chance.handful(7), chance.handful(12), chance.lopsided(6), Composition::decks(1)];
    for generator in GENERATORS {
        tiny.iter().for_each(|shoe| agrees(&plain, shoe, (generator, 3, 1)));
        agrees(&suited, &tiny[2], (generator, 4, 1));
        agrees(&counts, &tiny[3], (generator, 5, 1));
        agrees(&harbour(), &Composition::decks(8), (generator, 6, scale(1, 40)));
    }
}

/// The bounds above can be exceeded: a shoe short of half its nines is found out, with or without suits.
#[test]
fn a_wrong_shoe_is_found_out() {
    let whole = Composition::decks(8);
    let mut short = whole.clone();
    Card::all().filter(|card| card.rank == Rank::Nine).for_each(|card| short.set(card, 4));
    for pricer in [pricer("wu-song", "A"), harbour()] {
        for generator in GENERATORS {
            assert!(compare(&pricer, &whole, &short, (generator, 1, 1)).p < 1e-9);
            assert!(compare(&pricer, &short, &whole, (generator, 1, 1)).p < 1e-9);
        }
    }
    // Without sixes Banker seldom has six with two cards: z says so of that bet.
    let mut without = whole.clone();
    Card::all().filter(|card| card.rank == Rank::Six).for_each(|card| without.set(card, 0));
    let pricer = pricer("wu-song", "A");
    let small_tiger = pricer.bets().position(|bet| bet.id.as_str() == "small-tiger").unwrap();
    assert!(compare(&pricer, &whole, &without, (Generator::Fast, 1, 1)).bets[small_tiger].z > 4.5);
}

/// The statistics of a comparison, by hand from the tally.
#[test]
fn comparison_counts_what_was_dealt() {
    let pricer = pricer("da-hu-ying-xiong", "A");
    let shoe = Composition::decks(8);
    let tally = Simulation::new(pricer.space(), &shoe, Generator::Fast, 1).block(0, 50_000);
    let comparison = Comparison::new(&pricer, &shoe, &tally).unwrap();
    for ((bet, compared), price) in pricer.bets().zip(&comparison.bets).zip(pricer.price(&shoe).unwrap()) {
        assert_eq!(compared.won + compared.lost + compared.returned, 50_000);
        let mut gained = 0.0;
        for class in pricer.space().possible().iter() {
            let count = tally.counts[class.index()] as f64;
            gained += count
                * match bet.verdict(class) {
                    Verdict::Won(odds) => f64::from(odds.pays()) / f64::from(odds.per()),
                    Verdict::Lost => -1.0,
                    Verdict::Returned => 0.0,
                };
        }
        assert!((compared.edge + gained / 50_000.0).abs() < 1e-9);
        assert!((compared.exact_edge - price.edge().to_f64()).abs() < 1e-15);
        let z = (compared.edge - compared.exact_edge) / (price.sd() / 50_000f64.sqrt());
        assert!((compared.z - z).abs() < 1e-9);
    }
}

/// Six 16-bit numbers for each of 256 Rounds, position by position, each scaled to a place in the shoe.
///
/// `None` where the Round is void: two cards are one, or a number is one of those left over when 2¹⁶ numbers are shared
/// out evenly among the places.
fn places(random: &mut impl Rng, cards: u32) -> Vec<Option<[usize; 6]>> {
    let mut bytes = vec![0; 6 * 256 * 2];
    random.fill_bytes(&mut bytes);
    let number = |position: usize, round: usize| {
        let at = (position * 256 + round) * 2;
        u32::from(bytes[at]) + 256 * u32::from(bytes[at + 1])
    };
    let round = |round: usize| {
        let numbers: [u32; 6] = std::array::from_fn(|position| number(position, round));
        let places = numbers.map(|number| place(number, cards));
        let places: Vec<usize> = places.into_iter().collect::<Option<_>>()?;
        let places: [usize; 6] = places.try_into().unwrap();
        (0..6).all(|i| !places[..i].contains(&places[i])).then_some(places)
    };
    (0..256).map(round).collect()
}

fn place(number: u32, cards: u32) -> Option<usize> {
    let (place, rest) = (number * cards / 65_536, number * cards % 65_536);
    (rest >= 65_536 % cards).then_some(place as usize)
}

#[test]
fn every_place_of_a_shoe_has_as_many_numbers() {
    for cards in [100, 104, 131, 208, 416, 509, 520] {
        let mut numbers = vec![0; cards as usize];
        (0..65_536).filter_map(|number| place(number, cards)).for_each(|place| numbers[place] += 1);
        assert!(numbers.iter().all(|&count| count == 65_536 / cards), "{cards}");
    }
}

/// A block dealt once more, slowly: the fast path draws as above and deals as everybody deals.
#[test]
fn the_fast_path_deals_what_the_slow_one_does() {
    let pricer = pricer("wu-song", "A");
    for shoe in [Composition::decks(8), Chance::new(77).depleted(10), Composition::decks(2)] {
        let simulation = Simulation::new(pricer.space(), &shoe, Generator::ChaCha, 12);
        let mut stream = ChaCha20Rng::seed_from_u64(12);
        stream.set_stream(9);
        let cards: Vec<Card> = shoe.cards().collect();
        let mut slow = Tally::new(simulation.space());
        while slow.rounds < 30_000 {
            for places in places(&mut stream, shoe.len()).into_iter().flatten() {
                if slow.rounds < 30_000 {
                    slow.counts[class(simulation.space(), places.map(|place| cards[place])).index()] += 1;
                    slow.rounds += 1;
                }
            }
        }
        assert_eq!(simulation.block(9, 30_000), slow);
    }
}

fn class(space: &ClassSpace, cards: [Card; 6]) -> ClassNo {
    let (deal, _) = reconstruct(&cards);
    let Step::Complete(outcome) = deal.step() else { panic!("six cards complete every Round") };
    space.class_of(&outcome)
}

#[test]
#[should_panic(expected = "six cards")]
fn five_cards_are_not_dealt() {
    let five = "Ts Th Td Tc Js".split(' ').map(|card| card.parse::<Card>().unwrap()).collect();
    let _ = Simulation::new(pricer("wu-song", "A").space(), &five, Generator::Fast, 1);
}

/// Nothing but Tens can only tie on nought. Whoever saw anything else did not deal from that shoe.
#[test]
fn what_cannot_happen_is_rejected() {
    let pricer = pricer("ncb-etg", "terminal");
    let eight_decks = Simulation::new(pricer.space(), &Composition::decks(8), Generator::Fast, 1);
    let tens: Composition = std::iter::repeat_n(Card::from_index(Rank::Ten as usize * 4), 7).collect();
    let comparison = Comparison::new(&pricer, &tens, &dealt(&eight_decks, 1, 1_000)).unwrap();
    assert_eq!(comparison.p, 0.0);
    assert!(comparison.bets.iter().any(|bet| bet.z.is_infinite()));
    let honest = Simulation::new(pricer.space(), &tens, Generator::Fast, 1);
    let comparison = Comparison::new(&pricer, &tens, &dealt(&honest, 1, 1_000)).unwrap();
    assert_eq!(comparison.p, 1.0);
    assert!(comparison.bets.iter().all(|bet| bet.z == 0.0));
}
