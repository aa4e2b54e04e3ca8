//! How numbers are written, and the constants of the normal distribution.

use punto_rules::Suit;

/// z of 90, 95 and 99 % of the normal distribution, two-sided.
pub(super) const Z_90: f64 = 1.645;
pub(super) const Z_95: f64 = 1.960;
pub(super) const Z_99: f64 = 2.576;

/// `4,998,398,275,503,360`
pub(super) fn whole(number: impl std::fmt::Display) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("−", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}")
}

/// So many decimals, a true minus sign, and no minus before nought.
pub(super) fn decimal(number: f64, places: usize) -> String {
    let text = format!("{:.places$}", number.abs());
    let is_nought = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if number < 0.0 && !is_nought { format!("−{text}") } else { text }
}

/// The same with a plus sign where there is no minus; nought has neither.
pub(super) fn signed(number: f64, places: usize) -> String {
    let text = decimal(number, places);
    let is_nought = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if text.starts_with('−') || is_nought { text } else { format!("+{text}") }
}

/// A share as a number of percent, without the sign: headings have it.
pub(super) fn percent(share: f64, places: usize) -> String {
    decimal(share * 100.0, places)
}

/// `10⁵`
pub(super) fn power_of_ten(number: u64) -> String {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.ilog10().to_string();
    format!("10{}", digits.bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect::<String>())
}

/// A ratio as it is printed: `−1,038 / 19,525`; whole numbers without a line.
pub(super) fn fraction(ratio: crate::Ratio) -> String {
    match ratio.denominator() {
        1 => whole(ratio.numerator()),
        below => format!("{} / {}", whole(ratio.numerator()), whole(below)),
    }
}

/// `♠♣` for `sc`; `any` for all four suits.
pub(super) fn suits(symbols: &str) -> String {
    if symbols.len() == Suit::ALL.len() {
        return "any".to_string();
    }
    symbols.chars().filter_map(Suit::from_symbol).map(Suit::glyph).collect()
}

/// `1 deck`, `8 decks`
pub(super) fn decks(decks: u8) -> String {
    format!("{decks} deck{}", if decks == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_printed() {
        assert_eq!(whole(4_998_398_275_503_360_u64), "4,998,398,275,503,360");
        assert_eq!((whole(0), whole(-1_000), whole(999)), ("0".into(), "−1,000".into(), "999".into()));
        assert_eq!((decimal(-0.000_01, 4), decimal(-0.5, 1)), ("0.0000".into(), "−0.5".into()));
        assert_eq!((signed(0.0, 2), signed(0.25, 2)), ("0.00".into(), "+0.25".into()));
        assert_eq!(power_of_ten(10_000_000), "10⁷");
    }
}
