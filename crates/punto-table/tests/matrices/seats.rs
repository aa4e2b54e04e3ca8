//! Interpretation 39: who is Seated, by game, money, seat, claim and box; when people sit down and get up; whose the
//! squeeze is.

use punto_record::{Actor, BoxNo, Command, Event, Order, OrderId, ReasonKind, Timestamp};
use punto_rules::{Money, PatronNo, Post, Stance};
use punto_table::script::{Script, play};
use punto_table::{Given, Table};

use crate::{approved, staff};

const LIMITS: &str = "minimum=200 differential=2000 others=40..1000";
const CREDITS: &str =
    "cashier: buy-credits patron=7 amount=9000\ncashier: buy-credits patron=8 amount=9000\n";

fn at(game: &str, chips: bool, settings: &str, lines: &str) -> Table {
    let (money, before, seats) = if chips {
        ("money=chips limits=observed", "supervisor: open-float amount=100000\n", "dealer")
    } else {
        ("", CREDITS, "house")
    };
    let lines = lines.replace("SEATS", seats);
    let text = format!(
        "table {game} A {LIMITS} {money} {settings}\n\
         dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n{before}{lines}"
    );
    play(&Script::parse(&text).expect("a script"), approved).expect("played").table
}

fn decide(table: &Table, by: Actor, command: Command) -> Result<Vec<Event>, ReasonKind> {
    let state = table.state();
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by,
        at: Timestamp(state.now.0 + 1_000),
        round: state.round().map(|round| round.no),
        command,
    };
    table.decide(&order, &Given::default()).map_err(|refused| refused.reason.kind())
}

fn money(amount: u64) -> Money {
    Money::new(amount).expect("chips")
}

/// Who sits at box 1: nobody, the bettor, another; where the bettor sits else; what the bet claims; which bet.
fn a_bet_is_seated_where_its_owner_sits(game: &str) {
    let mut wrong = Vec::new();
    for chips in [false, true] {
        for (seats, sits) in [
            ("", None),
            ("SEATS: take-seat patron=7 box=1\n", Some(Stance::Seated)),
            ("SEATS: take-seat patron=8 box=1\n", Some(Stance::Standing)),
            ("SEATS: take-seat patron=7 box=2\n", None),
            ("SEATS: take-seat patron=7 box=1\nSEATS: leave-seat box=1\n", None),
            ("SEATS: take-seat patron=8 box=1\nSEATS: take-seat patron=7 box=2\n", Some(Stance::Standing)),
        ] {
            let table = at(game, chips, "", &format!("{seats}dealer: open-bets\n"));
            for claimed in [None, Some(Stance::Seated), Some(Stance::Standing)] {
                for bet in ["player", "banker", "tie"] {
                    let bet = if game == "rws-baccarat" && bet == "tie" { "any-tie" } else { bet };
                    let (patron, box_no, stake) = (PatronNo(7), BoxNo(1), money(400));
                    let (by, command) = if chips {
                        let bet = bet.into();
                        let chips = Command::RecordChips { patron, box_no, stance: claimed, bet, stake };
                        (staff(Post::Dealer), chips)
                    } else {
                        let (box_no, bet) = (Some(box_no), bet.into());
                        let place = Command::PlaceWager { patron, box_no, stance: claimed, bet, stake };
                        (Actor::Patron { patron }, place)
                    };
                    let is = if sits == Some(Stance::Seated) { Stance::Seated } else { Stance::Standing };
                    let expected = match claimed {
                        Some(claimed) if claimed != is => Err(match (claimed, sits) {
                            (Stance::Seated, Some(_)) => ReasonKind::SeatTaken,
                            (Stance::Seated, None) => ReasonKind::NotSeated,
                            (Stance::Standing, _) => ReasonKind::OtherStance,
                        }),
                        Some(_) | None => Ok(Some(is)),
                    };
                    let answer = decide(&table, by, command).map(|events| stance_of(&events[0]));
                    if answer != expected {
                        let told = format!("{game} chips={chips} {seats:?} {claimed:?} {bet}");
                        wrong.push(format!("{told}: {answer:?}, not {expected:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn stance_of(event: &Event) -> Option<Stance> {
    if let Event::WagerRegistered { stance, .. } = event {
        return *stance;
    }
    if let Event::ChipsRecorded { stance, .. } = event { Some(*stance) } else { None }
}

/// Sitting down and getting up, at every stage of a Round, with and without a bet, by everybody.
fn nobody_moves_with_a_bet_in_the_round(game: &str) {
    let mut wrong = Vec::new();
    for chips in [false, true] {
        let bet = if chips {
            "dealer: record-chips patron=7 box=3 bet=banker stake=400\n"
        } else {
            "patron 7: bet banker 400 box=3\n"
        };
        for (stage, lines, in_play) in [
            ("between", "", false),
            ("betting", "dealer: open-bets\n", false),
            ("betting with a bet", "dealer: open-bets\nBET", true),
            ("dealing", "dealer: open-bets\nBETdealer: close-bets\n", true),
            ("held", "dealer: open-bets\nBETdealer: close-bets\ndealer: report not-shuffled\n", true),
            (
                "settled",
                "dealer: open-bets\nBETdealer: close-bets\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n",
                false,
            ),
        ] {
            let lines = format!("SEATS: take-seat patron=7 box=1\n{}", lines.replace("BET", bet));
            let table = at(game, chips, "", &lines);
            let mut ask = |by: Actor, command: Command, expected: Result<(), ReasonKind>| {
                let answer = decide(&table, by.clone(), command.clone()).map(|_| ());
                if answer != expected {
                    let told = format!("{game} chips={chips} {stage}: {command:?} by {by:?}");
                    wrong.push(format!("{told}: {answer:?}, not {expected:?}"));
                }
            };
            let moves = if in_play { Err(ReasonKind::SeatInPlay) } else { Ok(()) };
            let leave = Command::LeaveSeat { box_no: BoxNo(1) };
            let take = |patron, no| Command::TakeSeat { patron: Some(PatronNo(patron)), box_no: BoxNo(no) };
            let (right, other) =
                if chips { (staff(Post::Dealer), Actor::House) } else { (Actor::House, staff(Post::Dealer)) };
            for post in Post::ALL {
                ask(staff(post), leave.clone(), if chips { moves } else { Err(ReasonKind::NotPermitted) });
            }
            ask(right.clone(), leave.clone(), moves);
            ask(other, leave, Err(ReasonKind::NotPermitted));
            let patron = Actor::Patron { patron: PatronNo(7) };
            ask(patron, take(7, 2), Err(ReasonKind::NotPermitted));
            let again = if in_play { ReasonKind::SeatInPlay } else { ReasonKind::Nothing };
            ask(right.clone(), take(7, 1), Err(again));
            ask(right.clone(), take(7, 2), Err(ReasonKind::SeatElsewhere));
            ask(right.clone(), take(8, 1), Err(ReasonKind::SeatTaken));
            ask(right.clone(), take(8, 2), Ok(()));
            ask(right.clone(), take(8, 99), Err(ReasonKind::NoSuchBox));
            ask(right.clone(), Command::LeaveSeat { box_no: BoxNo(2) }, Err(ReasonKind::SeatEmpty));
            let stranger = Command::TakeSeat { patron: None, box_no: BoxNo(2) };
            ask(right, stranger, if chips { Ok(()) } else { Err(ReasonKind::PatronNeeded) });
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With a bet somewhere and none of one's own at one's box, at one's box only, at both, or without a seat.
fn the_squeeze_of_a_seated_player_counts_all_their_bets(game: &str) {
    let mut wrong = Vec::new();
    for (seats, at_home, expected) in [
        ("", "", 8),
        ("house: take-seat patron=7 box=1\n", "", 8),
        ("house: take-seat patron=7 box=1\n", "patron 7: bet player 200 box=1\n", 7),
        ("house: take-seat patron=7 box=1\n", "patron 7: bet TIE 100 box=1\n", 7),
    ] {
        let tie = if game == "rws-baccarat" { "any-tie" } else { "tie" };
        let lines = format!(
            "{seats}house: take-seat patron=8 box=2\ndealer: open-bets\n{}\
             patron 8: bet banker 800 box=2\npatron 7: bet player 1200 box=2\ndealer: close-bets\n",
            at_home.replace("TIE", tie)
        );
        let table = at(game, false, "faces=down", &lines);
        // In Wu Song it is the highest bet of anybody.
        let expected = if game == "wu-song" { 7 } else { expected };
        for patron in [7, 8] {
            let (no, patron) = (patron, PatronNo(patron));
            let answer = decide(&table, Actor::Patron { patron }, Command::AskSqueeze { patron, card: 1 });
            if answer.is_ok() != (no == expected) {
                wrong.push(format!("{game} {seats:?} {at_home:?}: patron {no} {answer:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The electronic game has no boxes, and so no seats.
#[test]
fn there_are_no_seats_without_boxes() {
    let table = crate::table("ncb-etg", "", "");
    let take = Command::TakeSeat { patron: Some(PatronNo(7)), box_no: BoxNo(1) };
    assert_eq!(decide(&table, Actor::House, take), Err(ReasonKind::NoBoxes));
    let leave = Command::LeaveSeat { box_no: BoxNo(1) };
    assert_eq!(decide(&table, Actor::House, leave), Err(ReasonKind::NoBoxes));
}

in_games!(a_bet_is_seated_where_its_owner_sits: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(nobody_moves_with_a_bet_in_the_round: wu_song, rws_baccarat, da_hu_ying_xiong);
in_games!(the_squeeze_of_a_seated_player_counts_all_their_bets: wu_song, rws_baccarat, da_hu_ying_xiong);
