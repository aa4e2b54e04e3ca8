//! Which whole-number pays put a bet's edge where it should be.

use punto_rules::Verdict;

use crate::{Price, Ratio};

/// Pays for the rows that were varied, and the edge they make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// "N to 1", for each row that was varied, in their order.
    pub pays: Vec<u32>,
    /// The exact house edge.
    pub edge: Ratio,
}

/// How much the edge changes when a row pays 1 to 1 more: the chance of the row, with the sign turned.
pub fn sensitivity(price: &Price, row: usize) -> Ratio {
    Ratio::new(-i128::from(price.rows[row]), price.sequences.into())
}

/// What is wrong with the question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SolveError {
    #[error("row {0} does not pay odds, so there is nothing to seek; rows are counted from 1")]
    NotAWinningRow(usize),
    #[error("row {0} is named twice")]
    TwiceTheSame(usize),
    #[error("at most three rows can be varied at once; name them")]
    TooManyRows,
    #[error("the interval is empty: {from} is above {to}")]
    EmptyInterval { from: String, to: String },
}

/// All whole-number pays from 1 to `most` for these rows, at most `keep` of them, nearest to the middle first.
///
/// More likely rows never pay more than less likely ones: such a table would make no sense on a felt.
///
/// # Errors
/// A row that pays no odds, too many rows, or an interval upside down.
pub fn solve(
    price: &Price,
    rows: &[usize],
    from: Ratio,
    to: Ratio,
    most: u32,
    keep: usize,
) -> Result<Vec<Solution>, SolveError> {
    if from > to {
        return Err(SolveError::EmptyInterval { from: from.to_string(), to: to.to_string() });
    }
    let wins = |row: &usize| price.verdict(*row).is_some_and(|verdict| matches!(verdict, Verdict::Won(_)));
    if let Some(row) = rows.iter().find(|row| !wins(row)) {
        return Err(SolveError::NotAWinningRow(row + 1));
    }
    if let Some(twice) = rows.iter().enumerate().find(|(at, row)| rows[..*at].contains(row)) {
        return Err(SolveError::TwiceTheSame(twice.1 + 1));
    }
    if rows.len() > 3 {
        return Err(SolveError::TooManyRows);
    }
    if most == 0 {
        return Ok(Vec::new());
    }
    // edge = fixed − Σ pays × chance, in units of 1 / sequences.
    let sequences = i128::from(price.sequences);
    let fixed = price.edge_without(rows);
    let chances: Vec<i128> = rows.iter().map(|&row| i128::from(price.rows[row])).collect();
    let middle = Ratio::new(
        from.numerator() * to.denominator() + to.numerator() * from.denominator(),
        2 * from.denominator() * to.denominator(),
    );
    let mut found: Vec<Solution> = Vec::new();
    let distance = |edge: Ratio| {
        let difference = edge.minus(middle);
        if difference < Ratio::ZERO { Ratio::ZERO.minus(difference) } else { difference }
    };
    let mut pays = vec![1u32; rows.len()];
    loop {
        let ordered =
            (0..rows.len()).all(|i| (0..rows.len()).all(|j| chances[i] <= chances[j] || pays[i] <= pays[j]));
        if ordered {
            let paid: i128 = pays.iter().zip(&chances).map(|(&pays, chance)| i128::from(pays) * chance).sum();
            let edge = fixed.minus(Ratio::new(paid, sequences));
            if from <= edge && edge <= to {
                found.push(Solution { pays: pays.clone(), edge });
                if found.len() > 4 * keep + 1_000 {
                    found.sort_by_key(|solution| distance(solution.edge));
                    found.truncate(keep);
                }
            }
        }
        // The next combination, last row fastest.
        let Some(row) = (0..rows.len()).rev().find(|&row| pays[row] < most) else { break };
        pays[row] += 1;
        pays[row + 1..].fill(1);
    }
    found.sort_by_key(|solution| distance(solution.edge));
    found.truncate(keep);
    Ok(found)
}
