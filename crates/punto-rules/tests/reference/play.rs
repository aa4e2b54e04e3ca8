//! How the cards fall. Paragraph numbers are those of the three live games; the electronic game says the same
//! in 3.8 to 3.12 instead of 3.10 to 3.14. All four print the same Table of Play.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// The Table of Play, every cell of it: D draws, S stands, N is a Natural, where neither Hand draws (1.12 of
/// Wu Song, 1.9 of the electronic game, 1.10 of the other two).
///
/// The first part is the upper half of paragraph 3.12: the Player Hand by its own first two cards. The second
/// is the lower half: the Banker Hand by its first two cards (rows) and the Player Hand's third card
/// (columns). The column `none`, for when the Player Hand did not draw, is the proviso of paragraph 3.11;
/// 3.12 has no such column.
pub const TABLE_OF_PLAY: &str = "
    two-cards         0 1 2 3 4 5 6 7 8 9
    player            D D D D D D S S N N

    third-card  none  0 1 2 3 4 5 6 7 8 9
    banker-0    D     D D D D D D D D D D
    banker-1    D     D D D D D D D D D D
    banker-2    D     D D D D D D D D D D
    banker-3    D     D D D D D D D D S D
    banker-4    D     S S D D D D D D S S
    banker-5    D     S S S S D D D D S S
    banker-6    S     S S S S S S D D S S
    banker-7    S     S S S S S S S S S S
    banker-8    N     N N N N N N N N N N
    banker-9    N     N N N N N N N N N N
";

/// The table as letters: the Player Hand's row, and ten rows of the Banker Hand with `none` first.
struct Table {
    player: [u8; 10],
    banker: [[u8; 11]; 10],
}

/// Reads [`TABLE_OF_PLAY`], once. Panics if a row is missing, too short, too long, or holds another letter.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table {
        player: row("player"),
        banker: std::array::from_fn(|two| row(&format!("banker-{two}"))),
    })
}

/// The letters of the row with this name.
fn row<const N: usize>(name: &str) -> [u8; N] {
    let line = TABLE_OF_PLAY
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name))
        .unwrap_or_else(|| panic!("the table has no row {name}"));
    let cells: Vec<u8> = line
        .split_whitespace()
        .skip(1)
        .map(|cell| match cell {
            "D" => b'D',
            "S" => b'S',
            "N" => b'N',
            _ => panic!("row {name} holds {cell}"),
        })
        .collect();
    cells.try_into().unwrap_or_else(|_| panic!("row {name} is not {N} cells long"))
}

/// Whether the Player Hand takes a third card, from the Point Totals of both Hands' first two cards.
pub fn player_draws(player_two: u8, banker_two: u8) -> bool {
    !natural(player_two, banker_two) && table().player[usize::from(player_two)] == b'D'
}

/// Whether the Banker Hand takes a third card, from the Point Totals of both Hands' first two cards and the
/// points of the Player Hand's third card (0 for a ten or a picture), `None` if it did not draw.
pub fn banker_draws(player_two: u8, banker_two: u8, player_third: Option<u8>) -> bool {
    let column = match player_third {
        None => 0,
        Some(points) => 1 + usize::from(points),
    };
    !natural(player_two, banker_two) && table().banker[usize::from(banker_two)][column] == b'D'
}

/// Whether either Hand's first two cards are a Natural by the table: then neither Hand draws (3.12).
pub fn natural(player_two: u8, banker_two: u8) -> bool {
    table().player[usize::from(player_two)] == b'N' || table().banker[usize::from(banker_two)][0] == b'N'
}

/// Two or three cards, by rank: 1 is an Ace, 11 to 13 are the pictures. Reads like a slice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    cards: [u8; 3],
    len: usize,
}

impl Hand {
    fn of(first: u8, second: u8) -> Self {
        Self { cards: [first, second, 0], len: 2 }
    }

    fn draw(&mut self, third: u8) {
        self.cards[2] = third;
        self.len = 3;
    }
}

impl Deref for Hand {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.cards[..self.len]
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A Round whose cards are all out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The Player Hand, in the order drawn.
    pub player: Hand,
    /// The Banker Hand, in the order drawn.
    pub banker: Hand,
    /// How many cards the Round took: four, five or six.
    pub used: usize,
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// The Player Hand is higher.
    Player,
    /// The Banker Hand is higher.
    Banker,
    /// Both are the same.
    Tie,
}

/// Plays one Round with the cards in the order they leave the shoe. `None` if there are too few to finish it;
/// cards beyond its end are ignored.
pub fn play(ranks: &[u8]) -> Option<Played> {
    let mut cards = ranks.iter().copied();

    // 3.10: Player, Banker, Player, Banker.
    let (p1, b1) = (cards.next()?, cards.next()?);
    let (p2, b2) = (cards.next()?, cards.next()?);
    let mut player = Hand::of(p1, p2);
    let mut banker = Hand::of(b1, b2);

    // 3.11, 3.12: the Player Hand first, then the Banker Hand, by the first two cards of each.
    let (player_two, banker_two) = (points(&player), points(&banker));
    let mut player_third = None;
    if player_draws(player_two, banker_two) {
        let card = cards.next()?;
        player.draw(card);
        player_third = Some(points(&[card]));
    }
    if banker_draws(player_two, banker_two, player_third) {
        banker.draw(cards.next()?);
    }

    Some(Played { player, banker, used: player.len() + banker.len() })
}

/// What a card counts (3.2). A ten counts ten; that this is nothing is the work of [`points`].
pub fn value(rank: u8) -> u8 {
    match rank {
        1 => 1,         // 3.2.1
        2..=10 => rank, // 3.2.2
        11..=13 => 0,   // 3.2.3
        _ => panic!("no card has rank {rank}"),
    }
}

/// The Point Total of some cards: the last digit of the sum (1.20 of Wu Song, 1.16 of the electronic game,
/// 1.17 of RWS Baccarat, 1.14 of Da Hu Ying Xiong).
pub fn points(cards: &[u8]) -> u8 {
    cards.iter().map(|&rank| value(rank)).sum::<u8>() % 10
}

/// Whether a Hand's first two cards are of one rank (reading 1: a ten and a Jack are not a pair).
pub fn is_pair(hand: &[u8]) -> bool {
    hand[0] == hand[1]
}

/// The higher Point Total wins (3.13); the same Point Total is a Tie (3.14).
pub fn winner(round: &Played) -> Winner {
    let (player, banker) = (points(&round.player), points(&round.banker));
    if player > banker {
        Winner::Player
    } else if banker > player {
        Winner::Banker
    } else {
        Winner::Tie
    }
}

/// Whether the Player Hand won with this Point Total.
pub fn player_won_on(round: &Played, total: u8) -> bool {
    winner(round) == Winner::Player && points(&round.player) == total
}

/// Whether the Banker Hand won with this Point Total.
pub fn banker_won_on(round: &Played, total: u8) -> bool {
    winner(round) == Winner::Banker && points(&round.banker) == total
}

/// Whether both Hands ended on this Point Total.
pub fn tied_on(round: &Played, total: u8) -> bool {
    winner(round) == Winner::Tie && points(&round.player) == total
}
