//! Ticket numbers: every misread of one digit or two neighbours is noticed, and 99.9 % of all others.

use proptest::prelude::*;
use punto_record::TicketNo;

fn digits(ticket: &TicketNo) -> Vec<u8> {
    ticket.as_str().bytes().filter(u8::is_ascii_digit).collect()
}

fn read(digits: &[u8]) -> Option<TicketNo> {
    TicketNo::from_typed(std::str::from_utf8(digits).expect("digits"))
}

proptest! {
    #[test]
    fn a_number_is_read_as_it_is_printed(drawn: u64) {
        let ticket = TicketNo::from_drawn(drawn);
        prop_assert_eq!(ticket.as_str().len(), 24);
        prop_assert_eq!(TicketNo::from_typed(ticket.as_str()), Some(ticket.clone()));
        prop_assert_eq!(read(&digits(&ticket)), Some(ticket.clone()));
        prop_assert_eq!(TicketNo::from_typed(&ticket.as_str().replace('-', " ")), Some(ticket));
    }

    #[test]
    fn one_wrong_digit_and_two_changed_round_are_always_noticed(drawn: u64) {
        let right = digits(&TicketNo::from_drawn(drawn));
        for at in 0..right.len() {
            for digit in b'0'..=b'9' {
                let mut wrong = right.clone();
                wrong[at] = digit;
                prop_assert_eq!(read(&wrong).is_some(), wrong == right);
            }
        }
        for at in 1..right.len() {
            let mut wrong = right.clone();
            wrong.swap(at - 1, at);
            prop_assert_eq!(read(&wrong).is_some(), wrong == right);
        }
    }
}

#[test]
fn other_misreads_are_noticed_in_999_of_1000() {
    // A fixed walk through numbers far apart: what a scanner might make of dirt.
    let misreads =
        (1..=200_000_u64).map(|n| format!("{:020}", u128::from(n) * 9_876_543_210_987_653 % 10_u128.pow(20)));
    let taken = misreads.filter(|text| TicketNo::from_typed(text).is_some()).count();
    assert!(taken < 200, "{taken} of 200,000 were taken");
    assert!(taken > 0, "so few as one in 9,973 pass, but not none");
}

#[test]
fn what_is_no_number_is_refused() {
    for text in
        ["", "0", "t-1", "0000-0000-0000-0000-000", "0000-0000-0000-0000-0000-0", "000O-0000-0000-0000-0000"]
    {
        assert_eq!(TicketNo::from_typed(text), None, "{text}");
    }
}
