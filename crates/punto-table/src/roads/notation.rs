//! A shoe on one line: `B P T Bb Pn B8`.
//!
//! A Round is `B`, `P` or `T`, then flags in any order: `b` for a Banker pair, `p` for a Player pair, `n` for a
//! Natural. A number at the end repeats it. White space between Rounds is optional.

use punto_rules::Winner;

use super::Mark;

/// More Rounds than this on one line are a slip of the hand: a shoe of ten decks has 130 at most.
pub const MOST_ROUNDS: usize = 1_000;

/// A token that is no Round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("token {ordinal}, `{token}`: {fault}")]
pub struct NotationError {
    /// Which token, from 1.
    pub ordinal: usize,
    /// The token, shortened where it is long.
    pub token: String,
    /// What is wrong with it.
    pub fault: TokenFault,
}

/// What is wrong with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// It does not begin with an outcome.
    #[error("a Round begins with B, P or T")]
    NoOutcome,
    /// A character that means nothing.
    #[error("`{}` is no flag", .0.escape_debug())]
    UnknownFlag(char),
    /// A flag that is there already.
    #[error("the flag `{0}` comes twice")]
    FlagTwice(char),
    /// A flag behind the number.
    #[error("the flag `{0}` comes after the number")]
    FlagAfterNumber(char),
    /// A number that repeats nothing.
    #[error("a Round cannot be repeated 0 times")]
    NoTimes,
    /// More Rounds than any shoe has.
    #[error("more than {MOST_ROUNDS} Rounds")]
    TooMany,
}

impl TokenFault {
    /// What would be right.
    pub const fn hint(self) -> &'static str {
        match self {
            TokenFault::NoOutcome => {
                "B is Banker, P is Player, T is Tie, in capitals; small letters are flags behind them: \"B P T Bb Pn B8\""
            }
            TokenFault::UnknownFlag(_) => {
                "the flags are b (Banker pair), p (Player pair) and n (Natural); nothing or a space divides Rounds"
            }
            TokenFault::FlagTwice(_) => "each flag once: Bb, Pn, Tbpn",
            TokenFault::FlagAfterNumber(_) => {
                "flags first, then how often: Bn8 is eight Naturals; for one of eight, write B7 Bn"
            }
            TokenFault::NoTimes => "leave the Round out, or repeat it once or more: B, B2",
            TokenFault::TooMany => "a shoe of ten decks has at most 130 Rounds",
        }
    }
}

/// Reads Rounds; an empty line is none.
///
/// ```
/// use punto_table::roads::notation;
/// let marks = notation::parse("B2 Tpn").unwrap();
/// assert_eq!(notation::show(&marks), "B B Tpn");
/// assert_eq!(notation::parse("TTBx").unwrap_err().to_string(), "token 3, `Bx`: `x` is no flag");
/// ```
pub fn parse(line: &str) -> Result<Vec<Mark>, NotationError> {
    let mut marks = Vec::new();
    for (index, token) in tokens(line).enumerate() {
        let fault = |fault| NotationError { ordinal: index + 1, token: shorten(token), fault };
        let (mark, times) = round(token).map_err(fault)?;
        if times > MOST_ROUNDS - marks.len() {
            return Err(fault(TokenFault::TooMany));
        }
        marks.extend(std::iter::repeat_n(mark, times));
    }
    Ok(marks)
}

/// Writes Rounds as [`parse`] reads them.
pub fn show(marks: &[Mark]) -> String {
    marks.iter().map(Mark::to_string).collect::<Vec<_>>().join(" ")
}

/// Words, divided again before every capital letter.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let mut later = rest.char_indices().skip(1);
            let end = later.find(|(_, c)| c.is_uppercase()).map_or(rest.len(), |(at, _)| at);
            let (token, after) = rest.split_at(end);
            rest = after;
            (!token.is_empty()).then_some(token)
        })
    })
}

/// A Round, and how many times.
fn round(token: &str) -> Result<(Mark, usize), TokenFault> {
    let mut characters = token.chars();
    let winner = match characters.next() {
        Some('B') => Winner::Banker,
        Some('P') => Winner::Player,
        Some('T') => Winner::Tie,
        Some(_) | None => return Err(TokenFault::NoOutcome),
    };
    let mut mark = Mark::plain(winner);
    let mut times: Option<usize> = None;
    for c in characters {
        if let Some(digit) = c.to_digit(10) {
            // Saturated is too many as well.
            times = Some(times.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize));
            continue;
        }
        let flag = match c {
            'b' => &mut mark.pairs.banker,
            'p' => &mut mark.pairs.player,
            'n' => &mut mark.natural,
            _ => return Err(TokenFault::UnknownFlag(c)),
        };
        if times.is_some() {
            return Err(TokenFault::FlagAfterNumber(c));
        }
        if std::mem::replace(flag, true) {
            return Err(TokenFault::FlagTwice(c));
        }
    }
    match times.unwrap_or(1) {
        0 => Err(TokenFault::NoTimes),
        times => Ok((mark, times)),
    }
}

fn shorten(token: &str) -> String {
    const LONGEST: usize = 20;
    let mut short: String = token.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if token.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}
