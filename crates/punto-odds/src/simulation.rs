//! Simulation: seeded, the same answer however the work is divided.
//!
//! Rounds are dealt in blocks, each with a random stream of its own that follows from seed and block number alone. Blocks
//! can be dealt anywhere in any order; their tallies add up to the same sum. Cards are drawn one by one from what is left
//! of the shoe, so that only the cards that are dealt cost anything.

use punto_rules::{
    BySide, Card, ClassSpace, Composition, Deal, Ending, Pairs, PointTotal, Step, table_of_play,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::enumeration::card_worth;

/// How many Rounds a block has.
pub const BLOCK: u64 = 1 << 18;

/// Where the random numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// xoshiro256++: fast, good enough for statistics.
    Fast,
    /// ChaCha20, the stream that software shoes use.
    ChaCha,
}

/// How often Rounds ended in each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// By class.
    pub counts: Vec<u64>,
    /// In all.
    pub rounds: u64,
}

impl Tally {
    /// Nothing dealt yet.
    pub fn new(space: &ClassSpace) -> Tally {
        Tally { counts: vec![0; space.len()], rounds: 0 }
    }

    /// Adds another tally of the same classes.
    pub fn add(&mut self, other: &Tally) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
        self.rounds += other.rounds;
    }
}

/// Rounds dealt from a full shoe each, as the exact odds count them.
#[derive(Clone, Debug)]
pub struct Simulation {
    space: ClassSpace,
    cards: Vec<Card>,
    generator: Generator,
    seed: u64,
    table: DrawingTable,
}

impl Simulation {
    /// A simulation that deals from this shoe.
    ///
    /// # Panics
    /// If the shoe has fewer than six cards.
    pub fn new(space: &ClassSpace, shoe: &Composition, generator: Generator, seed: u64) -> Simulation {
        assert!(shoe.len() >= 6, "a Round may take six cards");
        let cards = shoe.cards().collect();
        Simulation { space: space.clone(), cards, generator, seed, table: DrawingTable::new() }
    }

    /// The classes that are tallied.
    pub fn space(&self) -> &ClassSpace {
        &self.space
    }

    /// Deals so many Rounds of a block, at most [`BLOCK`].
    pub fn block(&self, number: u64, rounds: u64) -> Tally {
        assert!(rounds <= BLOCK);
        match self.generator {
            Generator::Fast => {
                // Seeds of neighbouring blocks are spread by the generator's own seeding.
                let seed = self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
                self.deal(Xoshiro256PlusPlus::seed_from_u64(seed), rounds)
            }
            Generator::ChaCha => {
                let mut stream = ChaCha20Rng::seed_from_u64(self.seed);
                stream.set_stream(number);
                self.deal(stream, rounds)
            }
        }
    }

    fn deal(&self, random: impl Rng, rounds: u64) -> Tally {
        let plain = !self.space.tells_suited() && self.space.counters().is_empty();
        if plain && self.cards.len() >= LEAST_FOR_TABLES {
            self.deal_by_tables(random, rounds)
        } else {
            self.deal_card_by_card(random, rounds)
        }
    }

    /// Where only totals, numbers of cards and pairs matter: six cards at once, and no branch that depends on them.
    fn deal_by_tables(&self, random: impl Rng, rounds: u64) -> Tally {
        let mut hands = Batch::new(random, &self.cards);
        let mut endings = [0u32; ENDINGS];
        let mut dealt = 0;
        while dealt < rounds {
            hands.draw();
            let drawn = self.table.endings(&hands);
            let counted = drawn.iter().zip(&hands.void);
            if rounds - dealt >= ABREAST as u64 {
                // Void Rounds go where no ending is: cheaper than asking for each.
                for (&ending, &void) in counted {
                    endings[usize::from(ending | void.wrapping_neg()) % ENDINGS] += 1;
                }
                dealt += ABREAST as u64 - hands.void.iter().map(|&void| u64::from(void)).sum::<u64>();
            } else {
                for (&ending, _) in counted.filter(|(_, void)| **void == 0).take((rounds - dealt) as usize) {
                    endings[usize::from(ending)] += 1;
                    dealt += 1;
                }
            }
        }
        endings[ENDINGS - 1] = 0;
        let mut tally = Tally::new(&self.space);
        tally.rounds = rounds;
        for (number, &count) in endings.iter().enumerate().filter(|(_, count)| **count > 0) {
            let class = self.space.class_with(&ending_of(number), &[]).expect("what was dealt can happen");
            tally.counts[class.index()] += u64::from(count);
        }
        tally
    }

    /// Where suits or counts matter: card by card.
    fn deal_card_by_card(&self, random: impl Rng, rounds: u64) -> Tally {
        let mut shoe = Drawing { cards: self.cards.clone(), random };
        let mut tally = Tally::new(&self.space);
        tally.rounds = rounds;
        for _ in 0..rounds {
            let mut deal = Deal::new();
            let outcome = loop {
                match deal.step() {
                    Step::Complete(outcome) => break outcome,
                    Step::Draw(_) => deal = deal.take(shoe.draw(deal.len())),
                }
            };
            tally.counts[self.space.class_of(&outcome).index()] += 1;
        }
        tally
    }
}

/// Cards drawn without replacement: what was drawn lies in front, in whatever order the rest is.
struct Drawing<R> {
    cards: Vec<Card>,
    random: R,
}

impl<R: Rng> Drawing<R> {
    /// One of the cards behind the first `drawn`, all equally likely.
    fn draw(&mut self, drawn: usize) -> Card {
        let bound = (self.cards.len() - drawn) as u32;
        // The high half of a product; draws that would favour some numbers are thrown away.
        let at = loop {
            let product = u64::from(self.random.next_u32()) * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                break (product >> 32) as usize;
            }
        };
        self.cards.swap(drawn, drawn + at);
        self.cards[drawn]
    }
}

/// Below this many cards, six different ones are too rare to wait for.
const LEAST_FOR_TABLES: usize = 100;
/// How many Rounds are drawn at a time, side by side: the compiler turns loops over them into vector instructions.
const ABREAST: usize = 256;
/// More than the endings there are, and a power of two, so that a mask takes the place of a check.
const ENDINGS: usize = 1 << 11;
const MOST_CARDS: usize = 1 << 10;

/// Six cards for each of many Rounds, every ordered choice of six different cards equally likely.
///
/// Each card's place in the shoe is the high half of 16 random bits times the number of cards. The six of a Round are
/// void together if one of them would favour some places or two are the same card: what is left is uniform.
struct Batch<R> {
    random: R,
    bytes: Vec<u8>,
    /// Rank and value of each card of the shoe in one byte: equal bytes are equal ranks.
    shoe: [u8; MOST_CARDS],
    len: u16,
    places: [[u16; ABREAST]; 6],
    cards: [[u8; ABREAST]; 6],
    /// 1 where the Round does not count.
    void: [u16; ABREAST],
}

impl<R: Rng> Batch<R> {
    fn new(random: R, cards: &[Card]) -> Batch<R> {
        let mut shoe = [0; MOST_CARDS];
        assert!(cards.len() <= MOST_CARDS, "at most ten decks");
        for (byte, card) in shoe.iter_mut().zip(cards) {
            *byte = (card.rank as u8) << 4 | card.rank.value();
        }
        Batch {
            random,
            bytes: vec![0; 2 * 6 * ABREAST],
            shoe,
            len: cards.len() as u16,
            places: [[0; ABREAST]; 6],
            cards: [[0; ABREAST]; 6],
            void: [0; ABREAST],
        }
    }

    fn draw(&mut self) {
        self.random.fill_bytes(&mut self.bytes);
        self.void = [0; ABREAST];
        // Low halves below 2¹⁶ modulo the number of cards would favour some places.
        let favoured = ((1u32 << 16) % u32::from(self.len)) as u16;
        for (places, bytes) in self.places.iter_mut().zip(self.bytes.chunks_exact(2 * ABREAST)) {
            for ((place, void), bytes) in places.iter_mut().zip(&mut self.void).zip(bytes.chunks_exact(2)) {
                let product = u32::from(u16::from_le_bytes([bytes[0], bytes[1]])) * u32::from(self.len);
                *place = (product >> 16) as u16;
                *void |= u16::from((product as u16) < favoured);
            }
        }
        for i in 0..6 {
            for j in i + 1..6 {
                for ((a, b), void) in self.places[i].iter().zip(&self.places[j]).zip(&mut self.void) {
                    *void |= u16::from(a == b);
                }
            }
        }
        for (cards, places) in self.cards.iter_mut().zip(&self.places) {
            for (card, place) in cards.iter_mut().zip(places) {
                *card = self.shoe[usize::from(*place) % MOST_CARDS];
            }
        }
    }
}

/// The Table of Play, asked once for everything that can come, so that dealing is looking up.
#[derive(Clone, Debug)]
struct DrawingTable {
    /// By both two-card totals and the value of the fifth card: what happens.
    course: Box<[Course; COURSES]>,
}

/// A thousand, and up to a power of two.
const COURSES: usize = 1 << 10;

/// What happens after four cards and with a fifth.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    /// The number of the ending but for Banker's total and the pairs.
    ending: u16,
    /// Whether Banker takes the fifth card, or the sixth.
    fifth: u8,
    sixth: u8,
}

impl DrawingTable {
    fn new() -> DrawingTable {
        let course = |index: usize| {
            let [player, banker, fifth] =
                [index / 100, index / 10 % 10, index % 10].map(|points| points as u8);
            let total = |points: u8| PointTotal::of(&[card_worth(points)]);
            let two = BySide { player: total(player), banker: total(banker) };
            let ending = |player: u8, cards: u16| u16::from(player % 10) * 200 + cards * 5;
            if table_of_play::player(two).draws {
                let draws = u8::from(table_of_play::banker(two, Some(card_worth(fifth).rank)).draws);
                Course { ending: ending(player + fifth, 2 + u16::from(draws)), fifth: 0, sixth: draws }
            } else {
                let draws = u8::from(table_of_play::banker(two, None).draws);
                Course { ending: ending(player, draws.into()), fifth: draws, sixth: 0 }
            }
        };
        let mut table = DrawingTable { course: Box::new([Course::default(); COURSES]) };
        table.course.iter_mut().take(1_000).enumerate().for_each(|(index, place)| *place = course(index));
        table
    }

    /// The numbers of the endings of many Rounds; each may take fewer than six cards.
    fn endings<R>(&self, of: &Batch<R>) -> [u16; ABREAST] {
        let ten = |sum: u8| if sum >= 10 { sum - 10 } else { sum };
        let [p1, b1, p2, b2, fifth, sixth] = &of.cards;
        let (mut course, mut banker, mut pairs) = ([0u16; ABREAST], [0u8; ABREAST], [0u8; ABREAST]);
        for i in 0..ABREAST {
            let player = ten((p1[i] & 15) + (p2[i] & 15));
            banker[i] = ten((b1[i] & 15) + (b2[i] & 15));
            course[i] = u16::from(player) * 100 + u16::from(banker[i]) * 10 + u16::from(fifth[i] & 15);
            let (on_player, on_banker) = (u8::from(p1[i] == p2[i]), u8::from(b1[i] == b2[i]));
            pairs[i] = on_player + 2 * on_banker + (on_player & on_banker & u8::from(p1[i] == b1[i]));
        }
        let mut endings = [0u16; ABREAST];
        for i in 0..ABREAST {
            let course = self.course[usize::from(course[i]) % COURSES];
            let banker = ten(banker[i] + course.fifth * (fifth[i] & 15) + course.sixth * (sixth[i] & 15));
            endings[i] = course.ending + u16::from(banker) * 20 + u16::from(pairs[i]);
        }
        endings
    }
}

fn ending_of(number: usize) -> Ending {
    let pairs = [Pairs::None, Pairs::Player, Pairs::Banker, Pairs::Both, Pairs::Twin][number % 5];
    let cards = number / 5 % 4;
    let totals = number / 20;
    Ending {
        points: BySide { player: (totals / 10) as u8, banker: (totals % 10) as u8 },
        cards: BySide { player: (cards / 2) as u8 + 2, banker: (cards % 2) as u8 + 2 },
        pairs,
        suited: BySide::default(),
    }
}
