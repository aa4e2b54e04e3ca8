//! Every Round of a shoe, gathered: how often each ending comes.
//!
//! The first four cards are taken Hand by Hand (the order within the deal does not change a count). What the third
//! cards add is gathered over all Hands that leave the same decision, from three sums: the ways, the ways by each card
//! used, the ways by each two cards used. That replaces the two inner loops of the textbook enumeration.

use punto_rules::{
    BySide, Card, ClassSpace, Composition, Deal, Ending, Hand, Pairs, PointTotal, Rank, Step, Suit,
    table_of_play,
};

/// Cards that make no difference to each other.
#[derive(Clone, Copy, Debug)]
struct Kind {
    card: Card,
    copies: i64,
    group: usize,
}

/// Kinds that are alike as third cards: of one value, counted by the same counters.
#[derive(Clone, Copy, Debug)]
struct Group {
    value: u8,
    /// Which counters count it, one bit each.
    counted: u8,
    copies: i64,
}

/// A shoe, cut up as finely as the question needs.
pub(crate) struct Enumeration<'s> {
    /// `None` where pairs, suits and counts do not matter: then cards are told apart by value only.
    space: Option<&'s ClassSpace>,
    kinds: Vec<Kind>,
    groups: Vec<Group>,
    cards: i64,
}

/// One of the first two cards of a Hand: to come from the shoe, by kind, or out already.
#[derive(Clone, Copy, Debug)]
enum Source {
    Shoe(usize),
    Out(Card),
}

/// The first two cards of a Hand, as far as it matters.
struct TwoCards {
    from: [Source; 2],
    points: u8,
    pair: Option<Rank>,
    suited: bool,
    /// The groups of those that come from the shoe.
    groups: [usize; 2],
    drawn: usize,
    counted: [u8; 2],
}

/// All first-four-card Hands after which the third cards make the same difference.
struct Cell {
    points: BySide<u8>,
    pairs: Pairs,
    suited: BySide<bool>,
    counts: Vec<u8>,
    ways: i64,
    /// The ways times the cards used, by group.
    used: Vec<i64>,
    /// The ways times each two cards used, by both groups; each two once.
    used_two: Vec<i64>,
}

impl<'s> Enumeration<'s> {
    /// By value only.
    pub(crate) fn by_value(shoe: &Composition) -> Enumeration<'static> {
        let kind = |value: u8| {
            let card = card_worth(value);
            Kind { card, copies: shoe.of_value(value).into(), group: value.into() }
        };
        let group = |kind: &Kind| Group { value: kind.card.rank.value(), counted: 0, copies: kind.copies };
        let kinds: Vec<Kind> = (0..10).map(kind).collect();
        Enumeration {
            space: None,
            groups: kinds.iter().map(group).collect(),
            kinds,
            cards: shoe.len().into(),
        }
    }

    /// As finely as the classes of a rule book need: by rank, by what is counted, and by suit where suited pairs matter.
    pub(crate) fn by_class(space: &'s ClassSpace, shoe: &Composition) -> Enumeration<'s> {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        let alike = |a: Card, b: Card| {
            let suits = a.suit == b.suit || !space.tells_suited();
            a.rank == b.rank && suits && counted(space, a) == counted(space, b)
        };
        for card in Card::all() {
            let copies = i64::from(shoe.copies(card));
            let (value, counted) = (card.rank.value(), counted(space, card));
            let same = |group: &Group| group.value == value && group.counted == counted;
            let group = groups.iter().position(same).unwrap_or_else(|| {
                groups.push(Group { value, counted, copies: 0 });
                groups.len() - 1
            });
            groups[group].copies += copies;
            match kinds.iter_mut().find(|kind| alike(kind.card, card)) {
                Some(kind) => kind.copies += copies,
                None => kinds.push(Kind { card, copies, group }),
            }
        }
        Enumeration { space: Some(space), kinds, groups, cards: shoe.len().into() }
    }

    /// Calls `add` with every ending, the counts of cards that belong to it, and how many sequences end so.
    ///
    /// `seen` are cards of this Round that are out and no longer in the shoe. Sequences are ordered and have six cards
    /// together with those seen; where a Round takes fewer, every way to go on counts.
    pub(crate) fn each(&self, seen: &Deal, mut add: impl FnMut(Ending, &[u8], u64)) {
        let mut add = |ending: Ending, counts: &[u8], count: i64| {
            assert!(count >= 0, "no ending comes less than never");
            if count > 0 {
                add(ending, counts, count as u64);
            }
        };
        if seen.len() <= 4 {
            let taken = 4 - seen.len() as i64;
            for cell in &self.cells(seen) {
                self.finish(cell, taken, &mut add);
            }
        } else {
            self.last_card(seen, &mut add);
        }
    }

    /// All two-card Hands of a side.
    fn hands(&self, seen: &Hand) -> Vec<TwoCards> {
        let kinds = 0..self.kinds.len();
        let hands: Vec<[Source; 2]> = match *seen.cards() {
            [] => {
                let second =
                    |i: usize| (i..self.kinds.len()).map(move |j| [Source::Shoe(i), Source::Shoe(j)]);
                kinds.flat_map(second).collect()
            }
            [first] => kinds.map(|second| [Source::Out(first), Source::Shoe(second)]).collect(),
            [first, second, ..] => vec![[Source::Out(first), Source::Out(second)]],
        };
        hands.into_iter().map(|hand| self.two_cards(hand)).collect()
    }

    fn two_cards(&self, from: [Source; 2]) -> TwoCards {
        let cards = from.map(|source| match source {
            Source::Shoe(kind) => self.kinds[kind].card,
            Source::Out(card) => card,
        });
        let mut groups = [0; 2];
        let mut drawn = 0;
        for source in from {
            if let Source::Shoe(kind) = source {
                groups[drawn] = self.kinds[kind].group;
                drawn += 1;
            }
        }
        let pair = self.space.and_then(|_| (cards[0].rank == cards[1].rank).then_some(cards[0].rank));
        TwoCards {
            from,
            points: PointTotal::of(&cards).get(),
            pair,
            suited: self.space.is_some_and(ClassSpace::tells_suited) && cards[0] == cards[1],
            groups,
            drawn,
            counted: cards.map(|card| self.space.map_or(0, |space| counted(space, card))),
        }
    }

    fn cells(&self, seen: &Deal) -> Vec<Cell> {
        let mut cells = Cells::new(self);
        let bankers = self.hands(&seen.hands().banker);
        let mut left: Vec<i64> = self.kinds.iter().map(|kind| kind.copies).collect();
        for player in self.hands(&seen.hands().player) {
            let ways = player.ways(&left);
            if ways == 0 {
                continue;
            }
            player.take(&mut left, -1);
            for banker in &bankers {
                cells.add(&player, banker, ways * banker.ways(&left));
            }
            player.take(&mut left, 1);
        }
        cells.cells
    }

    /// Adds the third cards to the first four.
    fn finish(&self, cell: &Cell, taken: i64, add: &mut impl FnMut(Ending, &[u8], i64)) {
        let two = BySide { player: cell.points.player, banker: cell.points.banker };
        let totals = BySide::from_fn(|side| PointTotal::of(&[card_worth(two[side])]));
        let rest = self.cards - taken;
        let ending = |player: u8, banker: u8, cards: (u8, u8)| Ending {
            points: BySide { player: player % 10, banker: banker % 10 },
            cards: BySide { player: cards.0, banker: cards.1 },
            pairs: cell.pairs,
            suited: cell.suited,
        };
        if !table_of_play::player(totals).draws {
            if !table_of_play::banker(totals, None).draws {
                add(
                    ending(two.player, two.banker, (2, 2)),
                    &cell.counts,
                    cell.ways * rest.max(0) * (rest - 1).max(0),
                );
                return;
            }
            for (y, third) in self.groups.iter().enumerate() {
                let ending = ending(two.player, two.banker + third.value, (2, 3));
                add(ending, &self.counts(cell, &[third]), self.ways_of(cell, y) * (rest - 1).max(0));
            }
            return;
        }
        for (x, third) in self.groups.iter().enumerate() {
            let player = two.player + third.value;
            if !table_of_play::banker(totals, Some(card_worth(third.value).rank)).draws {
                let ways = self.ways_of(cell, x) * (rest - 1).max(0);
                add(ending(player, two.banker, (3, 2)), &self.counts(cell, &[third]), ways);
                continue;
            }
            for (y, fourth) in self.groups.iter().enumerate() {
                let ending = ending(player, two.banker + fourth.value, (3, 3));
                add(ending, &self.counts(cell, &[third, fourth]), self.ways_of_two(cell, x, y));
            }
        }
    }

    /// The ways of a cell with a third card of group `x`: Σ ways · (copies − used).
    fn ways_of(&self, cell: &Cell, x: usize) -> i64 {
        self.groups[x].copies * cell.ways - cell.used[x]
    }

    /// The ways with third cards of groups `x` and `y`: Σ ways · (copies − used) · (copies − used, less one if alike).
    fn ways_of_two(&self, cell: &Cell, x: usize, y: usize) -> i64 {
        let groups = self.groups.len();
        let (nx, ny) = (self.groups[x].copies, self.groups[y].copies);
        let both_used = cell.used_two[x * groups + y] + cell.used_two[y * groups + x];
        let mut ways = nx * ny * cell.ways - nx * cell.used[y] - ny * cell.used[x] + both_used;
        if x == y {
            // One card used twice is one card of the square, and the second draw finds one card less.
            ways += cell.used[x] - self.ways_of(cell, x);
        }
        ways
    }

    fn counts(&self, cell: &Cell, thirds: &[&Group]) -> Vec<u8> {
        let count =
            |(i, count): (usize, &u8)| count + thirds.iter().map(|group| group.counted >> i & 1).sum::<u8>();
        cell.counts.iter().enumerate().map(count).collect()
    }

    /// Five or six cards are out: at most one more comes.
    fn last_card(&self, seen: &Deal, add: &mut impl FnMut(Ending, &[u8], i64)) {
        let mut visit = |deal: Deal, count: i64| {
            let Step::Complete(outcome) = deal.step() else { unreachable!("six cards complete every Round") };
            let hands = outcome.hands();
            let suited = self.space.is_some_and(ClassSpace::tells_suited);
            let ending = Ending {
                points: BySide::from_fn(|side| hands[side].points().get()),
                cards: BySide::from_fn(|side| hands[side].len()),
                pairs: if self.space.is_some() { outcome.pairs() } else { Pairs::None },
                suited: BySide::from_fn(|side| suited && hands[side].is_suited_pair()),
            };
            let counters = self.space.map_or(&[][..], ClassSpace::counters);
            let count_of =
                |counter: &punto_rules::Counter| deal.drawn().filter(|card| counter.counts(*card)).count();
            let counts: Vec<u8> = counters.iter().map(|(counter, _)| count_of(counter) as u8).collect();
            add(ending, &counts, count);
        };
        match seen.step() {
            // Nothing is left to draw, or one card that no longer matters.
            Step::Complete(_) => visit(*seen, if seen.len() == 6 { 1 } else { self.cards }),
            Step::Draw(_) => self.kinds.iter().for_each(|kind| visit(seen.take(kind.card), kind.copies)),
        }
    }
}

impl TwoCards {
    /// In how many orders these cards come out of what is left.
    fn ways(&self, left: &[i64]) -> i64 {
        match self.from {
            [Source::Shoe(i), Source::Shoe(j)] if i == j => left[i] * (left[i] - 1),
            [Source::Shoe(i), Source::Shoe(j)] => 2 * left[i] * left[j],
            [Source::Out(_), Source::Shoe(i)] | [Source::Shoe(i), Source::Out(_)] => left[i],
            [Source::Out(_), Source::Out(_)] => 1,
        }
    }

    fn take(&self, left: &mut [i64], by: i64) {
        for source in self.from {
            if let Source::Shoe(kind) = source {
                left[kind] += by;
            }
        }
    }
}

/// The cells found so far, by totals, pairs and suited pairs; among those of one slot the counts tell.
struct Cells {
    caps: Vec<u8>,
    groups: usize,
    slots: Vec<Vec<u32>>,
    cells: Vec<Cell>,
}

impl Cells {
    fn new(of: &Enumeration<'_>) -> Cells {
        let caps = of.space.map_or(&[][..], ClassSpace::counters).iter().map(|(_, cap)| *cap).collect();
        Cells { caps, groups: of.groups.len(), slots: vec![Vec::new(); 100 * 5 * 4], cells: Vec::new() }
    }

    fn add(&mut self, player: &TwoCards, banker: &TwoCards, ways: i64) {
        if ways == 0 {
            return;
        }
        let cell = self.cell(player, banker);
        cell.ways += ways;
        let (p, b) = (player.points, banker.points);
        let (player_draws, nobody_draws) = (p <= 5 && b <= 7, p >= 8 || b >= 8 || (p >= 6 && b >= 6));
        if nobody_draws {
            return; // then it does not matter which cards were used
        }
        let groups = cell.used.len();
        let mut used = [0usize; 4];
        used[..2].copy_from_slice(&player.groups);
        used[player.drawn..player.drawn + 2].copy_from_slice(&banker.groups);
        let used = &used[..player.drawn + banker.drawn];
        for (i, &x) in used.iter().enumerate() {
            cell.used[x] += ways;
            if player_draws {
                for &y in &used[i + 1..] {
                    cell.used_two[x * groups + y] += ways;
                }
            }
        }
    }

    fn cell(&mut self, player: &TwoCards, banker: &TwoCards) -> &mut Cell {
        let pairs = Pairs::from_ranks(player.pair, banker.pair);
        let totals = usize::from(player.points) * 10 + usize::from(banker.points);
        let suited = usize::from(player.suited) * 2 + usize::from(banker.suited);
        let slot = (totals * 5 + pairs as usize) * 4 + suited;
        let counted = [player.counted, banker.counted];
        let count =
            |i: usize, cap: u8| counted.iter().flatten().map(|bits| bits >> i & 1).sum::<u8>().min(cap);
        let caps = &self.caps;
        let same = |cell: &Cell| caps.iter().enumerate().all(|(i, &cap)| cell.counts[i] == count(i, cap));
        let found = self.slots[slot].iter().copied().find(|&at| same(&self.cells[at as usize]));
        let at = found.unwrap_or_else(|| {
            self.slots[slot].push(self.cells.len() as u32);
            self.cells.push(Cell {
                points: BySide { player: player.points, banker: banker.points },
                pairs,
                suited: BySide { player: player.suited, banker: banker.suited },
                counts: caps.iter().enumerate().map(|(i, &cap)| count(i, cap)).collect(),
                ways: 0,
                used: vec![0; self.groups],
                used_two: vec![0; self.groups * self.groups],
            });
            self.cells.len() as u32 - 1
        });
        &mut self.cells[at as usize]
    }
}

/// Which counters count a card, one bit each.
fn counted(space: &ClassSpace, card: Card) -> u8 {
    let counters = space.counters().iter().enumerate();
    counters.fold(0, |bits, (i, (counter, _))| bits | u8::from(counter.counts(card)) << i)
}

/// Some card of a value.
pub(crate) const fn card_worth(value: u8) -> Card {
    let rank = if value == 0 { Rank::Ten } else { Rank::ALL[value as usize - 1] };
    Card { rank, suit: Suit::Spades }
}
