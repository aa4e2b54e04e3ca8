//! When a changed pay table still means the same.
//!
//! Rows are read here a second time, straight from the TOML and over Rounds of the reference, without the crate. If
//! in every kind of Round the same row's consequence applies as before, no Round can tell the two apart: a condition
//! was added that always holds there, or rows traded places that no Round matches both of.

use toml::{Table, Value};

use crate::checks::rounds::SAMPLE;
use crate::reference::{Played, Winner, is_pair, points, winner};

/// Whether two rule books differ in pay tables alone, and those mean the same.
pub fn same_meaning(book: &Table, mutant: &Table) -> bool {
    let same_verdicts = |(bet, other): (&Value, &Value)| {
        let (rows, others) = (rows(bet), rows(other));
        let alike = |played| decides(rows, played) == decides(others, played);
        rows == others || SAMPLE.iter().all(|round| alike(&round.played))
    };
    without_pay_tables(book) == without_pay_tables(mutant)
        && bets(book).iter().zip(bets(mutant)).all(same_verdicts)
}

fn bets(book: &Table) -> &[Value] {
    book["bet"].as_array().expect("bets")
}

fn rows(bet: &Value) -> &[Value] {
    bet["pays"].as_array().expect("rows")
}

fn without_pay_tables(book: &Table) -> Table {
    let mut book = book.clone();
    for bet in book["bet"].as_array_mut().expect("bets") {
        bet.as_table_mut().expect("a bet").remove("pays");
    }
    book
}

/// What the first matching row says beside its conditions; `None` if no row matches and the bet loses.
fn decides(rows: &[Value], played: &Played) -> Option<Table> {
    let row = rows
        .iter()
        .filter_map(Value::as_table)
        .find(|row| row.iter().all(|(key, value)| condition(key, value, played).unwrap_or(true)))?;
    Some(row.clone().into_iter().filter(|(key, value)| condition(key, value, played).is_none()).collect())
}

/// Whether a condition holds; `None` if the key is none.
fn condition(key: &str, value: &Value, played: &Played) -> Option<bool> {
    let Played { player, banker, .. } = played;
    let is = |number: usize| one_or_more(value).iter().any(|item| item.as_integer() == Some(number as i64));
    match key {
        "odds" | "returned" | "commission" | "cite" | "label" => None,
        "winner" => {
            let word = match winner(played) {
                Winner::Player => "player",
                Winner::Banker => "banker",
                Winner::Tie => "tie",
            };
            Some(one_or_more(value).iter().any(|item| item.as_str() == Some(word)))
        }
        // The winning Point Total, or the tied one: the higher of the two.
        "points" => Some(is(points(player).max(points(banker)).into())),
        "player_cards" => Some(is(player.len())),
        "banker_cards" => Some(is(banker.len())),
        "pairs" => {
            let (on_player, on_banker) = (is_pair(player), is_pair(banker));
            Some(match value.as_str() {
                Some("player") => on_player,
                Some("banker") => on_banker,
                Some("exactly-one") => on_player != on_banker,
                Some("either") => on_player || on_banker,
                Some("both") => on_player && on_banker,
                Some("neither") => !on_player && !on_banker,
                Some("twin") => on_player && on_banker && player[0] == banker[0],
                _ => panic!("say here what pairs = {value} means"),
            })
        }
        _ => panic!("say here what {key} = {value} means"),
    }
}

fn one_or_more(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}
