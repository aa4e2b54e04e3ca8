//! A shoe written by its cards: `A=30,2=32,…,K=29` by rank, `As=8,…` by card.

use punto_rules::{Card, Composition, Rank, Suit};

/// Why a text is no shoe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ShoeError {
    #[error("`{0}` is not a number of cards; write as in `A=30` or `As=8`")]
    Malformed(String),
    #[error("`{0}` is named twice")]
    Twice(String),
    #[error("`{name}={count}`: ten decks hold {most} of them")]
    TooMany { name: String, count: u64, most: u16 },
    #[error(
        "`{name}={count}` does not divide among four suits, and this layout has bets on suits; write it by card, as in `As=8`"
    )]
    NeedsSuits { name: String, count: u64 },
    #[error("{cards} cards; a Round may take six")]
    TooFew { cards: u32 },
}

/// The copies of one card that ten decks hold.
const MOST_COPIES: u16 = 10;

/// Reads a shoe. What is left out stands at nought.
///
/// Cards of a rank are spread over the suits evenly; where suits matter (`by_suit`) they must divide by four.
///
/// ```
/// use punto_odds::parse_shoe;
/// let shoe = parse_shoe("A=30,9=32,K=29", false).unwrap();
/// assert_eq!(shoe.len(), 91);
/// ```
pub fn parse_shoe(text: &str, by_suit: bool) -> Result<Composition, ShoeError> {
    let mut shoe = Composition::EMPTY;
    let mut named: Vec<Card> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let malformed = || ShoeError::Malformed(part.chars().take(20).collect());
        let (name, count) = part.split_once('=').ok_or_else(malformed)?;
        let (name, count) = (name.trim(), count.trim());
        if count.starts_with('+') {
            return Err(malformed());
        }
        let count = count.parse::<u64>().map_err(|_| malformed())?;
        let mut letters = name.chars();
        let rank = letters.next().and_then(Rank::from_symbol).ok_or_else(malformed)?;
        let suits: Vec<Suit> = match (letters.next(), letters.next()) {
            (None, _) => Suit::ALL.to_vec(),
            (Some(suit), None) => vec![Suit::from_symbol(suit).ok_or_else(malformed)?],
            (Some(_), Some(_)) => return Err(malformed()),
        };
        let most = MOST_COPIES * suits.len() as u16;
        if count > u64::from(most) {
            return Err(ShoeError::TooMany { name: name.to_string(), count, most });
        }
        let cards: Vec<Card> = suits.into_iter().map(|suit| Card { rank, suit }).collect();
        if by_suit && !count.is_multiple_of(cards.len() as u64) {
            return Err(ShoeError::NeedsSuits { name: name.to_string(), count });
        }
        for (index, &card) in cards.iter().enumerate() {
            if named.contains(&card) {
                return Err(ShoeError::Twice(name.to_string()));
            }
            named.push(card);
            let (share, spare) = (count / cards.len() as u64, count % cards.len() as u64);
            shoe.set(card, (share + u64::from((index as u64) < spare)) as u16);
        }
    }
    if shoe.len() < 6 {
        return Err(ShoeError::TooFew { cards: shoe.len() });
    }
    Ok(shoe)
}
