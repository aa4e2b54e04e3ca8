//! Shoes written by their cards: what is read, and everything that is refused.

use punto_odds::{ShoeError, parse_shoe};
use punto_rules::{Card, Composition, Rank};

fn copies(shoe: &Composition, card: &str) -> u16 {
    shoe.copies(card.parse().unwrap())
}

#[test]
fn by_rank() {
    let shoe = parse_shoe("A=30, 2=32,T=9,J=0 , k = 29", false).unwrap();
    assert_eq!(shoe.len(), 100);
    let of = |rank| shoe.of_rank(rank);
    assert_eq!((of(Rank::Ace), of(Rank::Two), of(Rank::Ten), of(Rank::King)), (30, 32, 9, 29));
    assert_eq!((of(Rank::Jack), of(Rank::Three), of(Rank::Queen)), (0, 0, 0));
    // As even as can be, the first suits having one more.
    assert_eq!(["As", "Ah", "Ad", "Ac"].map(|card| copies(&shoe, card)), [8, 8, 7, 7]);
    assert_eq!(["Ts", "Th", "Td", "Tc"].map(|card| copies(&shoe, card)), [3, 2, 2, 2]);
}

#[test]
fn by_card() {
    for by_suit in [false, true] {
        let shoe = parse_shoe("As=8,ah=3,9D=10,K=12", by_suit).unwrap();
        assert_eq!(["As", "Ah", "Ad", "9d", "9s"].map(|card| copies(&shoe, card)), [8, 3, 0, 10, 0]);
        assert_eq!(["Ks", "Kh", "Kd", "Kc"].map(|card| copies(&shoe, card)), [3; 4]);
        assert_eq!(shoe.len(), 33);
    }
}

#[test]
fn whole_decks() {
    for decks in 1..=10u8 {
        let ranks: Vec<String> =
            Rank::ALL.iter().map(|rank| format!("{}={}", rank.symbol(), 4 * u32::from(decks))).collect();
        let cards: Vec<String> = Card::all().map(|card| format!("{card}={decks}")).collect();
        for by_suit in [false, true] {
            assert_eq!(parse_shoe(&ranks.join(","), by_suit), Ok(Composition::decks(decks)));
            assert_eq!(parse_shoe(&cards.join(","), by_suit), Ok(Composition::decks(decks)));
        }
    }
}

#[test]
fn six_cards_are_enough_and_five_are_not() {
    assert_eq!(parse_shoe("5=6", false).unwrap().len(), 6);
    assert_eq!(parse_shoe("5=5", false), Err(ShoeError::TooFew { cards: 5 }));
    assert_eq!(parse_shoe("5s=1,K=4", true), Err(ShoeError::TooFew { cards: 5 }));
    assert_eq!(parse_shoe("A=0", false), Err(ShoeError::TooFew { cards: 0 }));
}

#[test]
fn ten_decks_are_the_most() {
    assert_eq!(parse_shoe("A=40,Ks=10", false).unwrap().len(), 50);
    let too_many = |name: &str, count, most| Err(ShoeError::TooMany { name: name.into(), count, most });
    assert_eq!(parse_shoe("A=41", false), too_many("A", 41, 40));
    assert_eq!(parse_shoe("2=12,As=11", true), too_many("As", 11, 10));
    assert_eq!(parse_shoe("A=18446744073709551615", false), too_many("A", u64::MAX, 40));
}

#[test]
fn a_card_is_named_once() {
    for (text, name) in [("A=8,2=8,A=8", "A"), ("As=8,As=0", "As"), ("A=8,Ah=1", "Ah"), ("Ah=1,a=8", "a")] {
        assert_eq!(parse_shoe(text, false), Err(ShoeError::Twice(name.into())), "{text}");
    }
}

#[test]
fn suits_are_not_made_up() {
    let refused = ShoeError::NeedsSuits { name: "A".into(), count: 30 };
    assert_eq!(parse_shoe("2=32,A=30", true), Err(refused));
    assert!(parse_shoe("2=32,A=30", false).is_ok());
    assert!(parse_shoe("2=32,As=7", true).is_ok(), "a card has its suit");
}

#[test]
fn what_is_no_number_of_cards() {
    for part in [
        "", "A", "A=", "=8", "A=-1", "A=1.5", "A=x", "A==8", "A:8", "1=8", "10=8", "X=8", "Ax=8", "Asd=8",
        "é=8",
    ] {
        for text in [part.to_string(), format!("2=32,{part}"), format!("{part},2=32")] {
            assert_eq!(parse_shoe(&text, false), Err(ShoeError::Malformed(part.into())), "{text}");
        }
    }
    let too_much = "A=184467440737095516160";
    assert_eq!(parse_shoe(too_much, false), Err(ShoeError::Malformed(too_much[..20].into())));
    assert!(parse_shoe("A=8,", false).is_err(), "nothing after a comma");
}
