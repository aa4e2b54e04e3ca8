//! What each audience may see, after every entry of every scenario: nobody's money on public screens, no card before it is
//! turned, no order that the table would not take.

#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;
mod scripts;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Actor, Command, CommandKind, Event, MatterNo, Order, Report, Seen, TicketAnswer};
use punto_rules::{Money, PatronNo, Post};
use punto_table::script::{Outcome, Played, Script, play};
use punto_table::{Audience, Feed, Frame, Given, State, Table, gate};
use scale::{says, scale};
use scripts::scenarios;
use serde_json::Value;
use walk::{Commit, after_each, approved, orders, played, walk};

const POSTS: [Post; 5] = Post::ALL;
/// Somebody who never comes to any table.
const STRANGER: PatronNo = PatronNo(9999);

/// Tables that deal face down and at which something happens that no scenario has.
const FACE_DOWN: [&str; 6] = [
    "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 2s unreadable
dealer: read-card card=5h
dealer: draw 7c Kh
dealer: turn-cards cards=[2]
dealer: turn-cards
dealer: confirm-result",
    "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 9s 2d Kh
house: report technical-interruption
supervisor: confirm-cards cards=[9s 2d Kh 5c] second=dealer
dealer: turn-cards
dealer: confirm-result",
    "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 2s
house: report technical-interruption
supervisor: confirm-cards cards=[2s] second=dealer",
    "table wu-song A faces=down decks=4
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 2s 2s 2s 2s 2s
supervisor: rule 1 misread card=7d reason=\"a seven\"
dealer: draw 9c
dealer: turn-cards
dealer: confirm-result",
    "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 9s 2d Kh 3c 7d
supervisor: rule 1 reconstruct reason=\"it opens the next Round\"
dealer: turn-cards
dealer: confirm-result
dealer: open-bets",
    "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 2s 4d
dealer: report simultaneous-draw cards=[3c Kh]
supervisor: rule 1 in-order order=[2s 4d Kh 3c] replace_shoe=true reason=\"the king lay on top\"
dealer: exchange-shoe card_set=red-1 shuffled_by=shuffler-2 reason=\"as ruled\"
dealer: draw 5h
dealer: turn-cards
dealer: confirm-result",
];

/// Everybody who has or had something at the table.
fn patrons(state: &State) -> BTreeSet<PatronNo> {
    let wagers = state.round().into_iter().flat_map(|round| round.wagers.patrons());
    let lines = state.last().into_iter().flat_map(|last| last.lines.iter().map(|line| line.patron));
    state.accounts.keys().copied().chain(wagers).chain(lines).collect()
}

fn view(table: &Table, audience: Audience) -> Value {
    serde_json::to_value(table.view(audience)).expect("a view is JSON")
}

fn events(frame: &Frame) -> Value {
    serde_json::to_value(&frame.events).expect("events are JSON")
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Number(number) => number.as_u64() == Some(0),
        Value::Bool(_) | Value::String(_) | Value::Object(_) => false,
    }
}

/// Every field of a JSON value, however deep.
fn fields(value: &Value, see: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            see(key, value);
            fields(value, see);
        }),
        Value::Array(list) => list.iter().for_each(|value| fields(value, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn texts(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::Object(map) => map.values().for_each(|value| texts(value, see)),
        Value::Array(list) => list.iter().for_each(|value| texts(value, see)),
        Value::String(text) => see(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A terminal's view without what is its owner's.
fn shared(mut view: Value) -> Value {
    let map = view.as_object_mut().expect("a view is an object");
    map.remove("own");
    map.remove("possible");
    if let Some(last) = map.get_mut("last").and_then(Value::as_object_mut) {
        last.remove("lines");
    }
    view
}

fn each_is(list: &Value, patron: PatronNo) -> bool {
    list.as_array().expect("a list").iter().all(|it| it["patron"] == patron.0)
}

#[test]
fn views_show_nobody_elses_money() {
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            let (table, state) = (commit.after, commit.after.state());
            let board = view(table, Audience::Board);
            for key in ["own", "wagers", "flags", "accounts", "matters", "house", "floor", "float", "least"] {
                assert!(board[key].is_null(), "{}: `{key}` on the board", scenario.name);
            }
            assert!(is_nothing(&board["possible"]));
            assert!(board["last"].is_null() || is_nothing(&board["last"]["lines"]));
            for patron in patrons(state).into_iter().chain([STRANGER]) {
                let own = view(table, Audience::Terminal { patron });
                assert_eq!(own["own"]["patron"], patron.0);
                assert!(each_is(&own["own"]["wagers"], patron));
                assert!(own["last"].is_null() || each_is(&own["last"]["lines"], patron));
                assert_eq!(shared(own), shared(board.clone()), "{}: terminal {patron:?}", scenario.name);
            }
            let cage = view(table, Audience::Cage);
            for key in ["own", "wagers", "flags", "matters", "house", "floor", "float", "least"] {
                assert!(cage[key].is_null(), "{}: `{key}` in the cage", scenario.name);
            }
            assert!(cage["last"].is_null() || is_nothing(&cage["last"]["lines"]));
            let console = view(table, Audience::Console { post: Post::Dealer });
            assert!(console["accounts"].is_null() && console["house"].is_null() && console["own"].is_null());
        });
    }
}

#[test]
fn frames_show_nobody_elses_money() {
    const AMOUNTS: [&str; 12] = [
        "amount",
        "stake",
        "credits",
        "owed",
        "playing",
        "returned",
        "winnings",
        "to_patron",
        "paid",
        "taken",
        "uncollected",
        "counted",
    ];
    const LISTS: [&str; 7] = ["lines", "returns", "changes", "parts", "patrons", "adjustments", "flags"];
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            for frame in commit.for_patrons() {
                let of = if let Feed::Patron(patron) = frame.feed { Some(patron) } else { None };
                seen.extend(frame.events.iter().filter(|_| of.is_none()).map(|event| event.kind().id()));
                fields(&events(frame), &mut |key, value| {
                    let told = || format!("{}: `{key}` {value} for {:?}", scenario.name, frame.feed);
                    match key {
                        "patron" => {
                            assert_eq!(Some(value), of.map(|it| Value::from(it.0)).as_ref(), "{}", told())
                        }
                        "patrons" => {
                            let mut list = value.as_array().expect("a list").iter();
                            assert!(list.all(|it| of.is_some_and(|of| *it == of.0)), "{}", told());
                        }
                        "house" | "float" | "expected" => assert!(is_nothing(value), "{}", told()),
                        key if of.is_none() && AMOUNTS.contains(&key) => panic!("{}", told()),
                        key if of.is_none() && LISTS.contains(&key) => {
                            assert!(is_nothing(value), "{}", told())
                        }
                        _ => {}
                    }
                });
                if let Some(patron) = of.filter(|_| commit.answer.as_ref() != Some(frame)) {
                    let concerned = |event: &Event| {
                        let mut named = false;
                        fields(&serde_json::to_value(event).expect("JSON"), &mut |key, value| {
                            named |= key == "patron" && *value == patron.0 || key == "patrons";
                        });
                        named
                    };
                    assert!(frame.events.iter().all(concerned), "{}: {frame:?}", scenario.name);
                }
            }
        });
    }
    for word in ["round-settled", "round-voided", "round-corrected", "choice-offered", "bets-closed"] {
        assert!(seen.contains(word), "the scenarios have a public `{word}`");
    }
}

/// The console sees every wager and nobody's credits, the cage credits and nobody's wagers; between them nothing is lost.
#[test]
fn console_and_cage_have_their_own_feeds() {
    let mut seen: BTreeMap<Feed, BTreeSet<&str>> = BTreeMap::new();
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            let of = |feed| commit.frames.iter().find(|frame| frame.feed == feed);
            let (floor, cage) = (of(Feed::Floor), of(Feed::Cage));
            let told = [floor, cage].into_iter().flatten().map(|frame| frame.events.len()).sum::<usize>();
            assert_eq!(told, commit.events.len(), "{}: every event is on one of them", scenario.name);
            for frame in [floor, cage].into_iter().flatten() {
                seen.entry(frame.feed)
                    .or_default()
                    .extend(frame.events.iter().map(|event| event.kind().id()));
            }
        });
    }
    let has = |feed, word: &str| seen[&feed].contains(word);
    for word in ["credits-bought", "ticket-redeemed", "cashed-out", "unclaimed-kept"] {
        assert!(has(Feed::Cage, word) && !has(Feed::Floor, word), "{word}");
    }
    for word in ["wager-registered", "chips-recorded", "round-settled", "matter-opened"] {
        assert!(has(Feed::Floor, word) && !has(Feed::Cage, word), "{word}");
    }
}

/// The same script with another amount in one place, several for each place, and whose it is.
fn twins(text: &str) -> Vec<(PatronNo, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut twins = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((who, what)) = line.split_once(": ").filter(|_| !line.starts_with([' ', '#'])) else {
            continue;
        };
        let words: Vec<&str> = what.split_whitespace().collect();
        let number = |text: &str| text.parse::<u32>().ok().map(PatronNo);
        let field = |name: &str| words.iter().position(|word| word.starts_with(&format!("{name}=")));
        let named = |name: &str| field(name).and_then(|i| words[i].split_once('=')).map(|(_, value)| value);
        let (patron, place) = match words.first() {
            Some(&"bet") => {
                let behalf =
                    words.iter().position(|word| *word == "for").and_then(|i| number(words.get(i + 1)?));
                (who.strip_prefix("patron ").and_then(number).or(behalf), Some(2))
            }
            Some(&"buy-credits" | &"drop") => (named("patron").and_then(number), field("amount")),
            Some(&"record-chips") => (named("patron").and_then(number), field("stake")),
            Some(_) | None => continue,
        };
        let (Some(patron), Some(place)) = (patron, place) else { continue };
        let (before, amount) = words[place].split_at(words[place].find('=').map_or(0, |i| i + 1));
        let Ok(amount) = amount.parse::<i64>() else { continue };
        let changed = [20, -20, 100, -100, 1000].map(|change| {
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words[place] = format!("{before}{}", (amount + change).max(0));
            let changed = format!("{who}: {}", words.join(" "));
            let mut lines = lines.clone();
            lines[at] = &changed;
            lines.join("\n")
        });
        twins.push((patron, changed.into()));
    }
    twins
}

/// What happened, without the figures.
fn shape(played: &Played) -> Vec<(bool, Vec<&'static str>)> {
    let of = |outcome: &Outcome| match outcome {
        Outcome::Events(events) => (true, events.iter().map(|event| event.kind().id()).collect()),
        Outcome::Refused(rejection) => (false, vec![rejection.reason.kind().id()]),
        Outcome::Answered(_) => (false, vec![]),
    };
    played.steps.iter().flat_map(|step| &step.orders).map(|(_, outcome)| of(outcome)).collect()
}

/// All that public screens show, and all that every patron but one sees.
fn seen_by_others(
    orders: &[(Order, Given)],
    but: PatronNo,
    all: &BTreeSet<PatronNo>,
) -> (Vec<String>, Vec<String>) {
    let (mut public, mut others) = (Vec::new(), Vec::new());
    let view = |table: &Table, audience| serde_json::to_string(&table.view(audience)).expect("JSON");
    let events = |frame: &Frame| serde_json::to_string(&frame.events).expect("JSON");
    after_each(orders, |commit| {
        public.push(view(commit.after, Audience::Board));
        for patron in all.iter().copied().filter(|it| *it != but) {
            others.push(view(commit.after, Audience::Terminal { patron }));
        }
        for frame in &commit.frames {
            match frame.feed {
                Feed::Public => public.push(events(frame)),
                Feed::Patron(patron) if patron != but => others.push(events(frame)),
                Feed::Patron(_) | Feed::Floor | Feed::Cage | Feed::Staff => {}
            }
        }
    });
    (public, others)
}

/// Whether somebody's chips were moved because of what others have.
fn moves_chips(played: &Played) -> bool {
    played.entries.iter().flat_map(|entry| &entry.events).any(|event| {
        matches!(event, Event::WagerTrimmed { .. } | Event::WagerAmended { .. })
            || matches!(event, Event::BetsClosed { parts, .. } if !parts.is_empty())
    })
}

/// One patron stakes or buys another amount: nobody else can tell, unless it moved their own chips.
#[test]
fn nobody_can_tell_what_another_staked() {
    // At a small count one amount in four is changed.
    let every = 5 - scale(1, 4) as usize;
    let (mut compared, mut in_full) = (0, 0);
    for scenario in scenarios() {
        let told = played(&scenario.name, &scenario.text);
        let happened = told.entries.iter().flat_map(|entry| &entry.events);
        let all: BTreeSet<PatronNo> = happened
            .filter_map(|event| {
                let (Event::CreditsBought { patron, .. }
                | Event::WagerRegistered { patron, .. }
                | Event::ChipsRecorded { patron, .. }) = event
                else {
                    return None;
                };
                Some(*patron)
            })
            .collect();
        let mut baseline: BTreeMap<PatronNo, (Vec<String>, Vec<String>)> = BTreeMap::new();
        for (patron, texts) in twins(&scenario.text).into_iter().skip(1).step_by(every) {
            // The first one that goes as the script does.
            let twin = texts.iter().find_map(|text| {
                let twin = play(&Script::parse(text).ok()?, approved).ok()?;
                let alike = shape(&twin) == shape(&told) && moves_chips(&twin) == moves_chips(&told);
                (alike && twin.entries != told.entries).then_some((twin, text))
            });
            let Some((twin, text)) = twin else { continue };
            let ours = baseline.entry(patron).or_insert_with(|| seen_by_others(&orders(&told), patron, &all));
            let theirs = seen_by_others(&orders(&twin), patron, &all);
            let differs =
                |ours: &[String], theirs: &[String]| ours.iter().zip(theirs).position(|(a, b)| a != b);
            if let Some(at) = differs(&ours.0, &theirs.0) {
                panic!("{}: on public screens\n{}\n{}\n{text}", scenario.name, ours.0[at], theirs.0[at]);
            }
            if !moves_chips(&told) {
                if let Some(at) = differs(&ours.1, &theirs.1) {
                    panic!("{}: for others\n{}\n{}\n{text}", scenario.name, ours.1[at], theirs.1[at]);
                }
                in_full += 1;
            }
            compared += 1;
        }
    }
    says("twins", compared);
    let enough = compared as usize * every > 300 && in_full * every > 200;
    assert!(enough, "only {compared} twins, {in_full} of them in full");
}

fn covered(table: &Table) -> Vec<Seen> {
    let drawn = table.state().round().into_iter().flat_map(|round| &round.drawn);
    drawn.filter(|dealt| dealt.covered).map(|dealt| dealt.seen.clone()).collect()
}

/// What lies face down is on no public screen: no card, and nothing that follows from it.
fn nothing_of_what_is_covered(name: &str, commit: &Commit<'_>) -> usize {
    let mut hidden = covered(commit.after);
    if commit.after.state().round().is_none() {
        // A void Round may end with cards that nobody ever turned.
        hidden = covered(commit.before);
    }
    let mut open: Vec<Seen> = Vec::new();
    for event in &commit.events {
        if let Event::CardsTurned { shown, .. } = event {
            open.extend(shown.iter().cloned());
            hidden.retain(|card| !shown.contains(card) || commit.after.state().round().is_some());
        }
    }
    let state = commit.after.state();
    let drawn = state.round().into_iter().flat_map(|round| &round.drawn);
    open.extend(drawn.filter(|dealt| !dealt.covered).map(|dealt| dealt.seen.clone()));
    let secret: Vec<String> =
        hidden.iter().filter(|it| !open.contains(it)).map(ToString::to_string).collect();
    let secret: Vec<String> = secret.into_iter().filter(|it| it != "unreadable" && it != "covered").collect();
    let keeps = |what: &str, value: &Value| {
        texts(value, &mut |text| {
            assert!(
                !secret.iter().any(|card| card == text),
                "{name}: {what} shows {text}, which lies face down: {value}"
            );
        });
    };
    let audiences = patrons(state).into_iter().map(|patron| Audience::Terminal { patron });
    for audience in audiences.chain([Audience::Board, Audience::Cage]) {
        let view = view(commit.after, audience);
        keeps("a view", &view);
        if !covered(commit.after).is_empty() {
            for key in ["next", "points", "result"] {
                assert!(view[key].is_null(), "{name}: `{key}` of cards that lie face down");
            }
            let round = state.round().expect("cards lie on the felt");
            for (dealt, shown) in round.drawn.iter().zip(view["cards"].as_array().expect("cards")) {
                let card = if dealt.covered { Seen::Covered } else { dealt.seen.clone() };
                assert_eq!(shown["card"], card.to_string());
            }
        }
    }
    for frame in commit.for_patrons() {
        keeps("a frame", &events(frame));
        if !hidden.is_empty() {
            for event in &frame.events {
                let tells = matches!(
                    event,
                    Event::RoundCompleted { .. } | Event::CardsOrdered { .. } | Event::RoundSettled { .. }
                ) || matches!(event, Event::InterruptionResolved { because, .. } if !because.is_empty());
                assert!(!tells, "{name}: {event:?} with cards face down");
            }
        }
    }
    hidden.len()
}

#[test]
fn covered_cards_are_on_no_public_screen() {
    let mut hidden = 0;
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            hidden += nothing_of_what_is_covered(&scenario.name, &commit);
        });
    }
    assert!(hidden > 50, "only {hidden} covered cards");
}

#[test]
fn covered_cards_stay_covered_when_something_goes_wrong() {
    let mut failed = Vec::new();
    for (no, text) in FACE_DOWN.iter().enumerate() {
        let played = played("face down", text);
        for step in &played.steps {
            for (_, outcome) in &step.orders {
                assert!(matches!(outcome, Outcome::Events(_)), "{}: {outcome:?}", step.line.text);
            }
        }
        let name = format!("FACE_DOWN[{no}]");
        let watched = std::panic::catch_unwind(|| {
            after_each(&orders(&played), |commit| {
                nothing_of_what_is_covered(&name, &commit);
            });
        });
        if watched.is_err() {
            failed.push(no);
        }
    }
    assert!(failed.is_empty(), "tables {failed:?}");
}

#[test]
fn turned_cards_are_there_for_everybody() {
    let script = "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 9s 2d Kh Kc
dealer: turn-cards cards=[1 3]
dealer: turn-cards";
    let mut cards: Vec<String> = Vec::new();
    after_each(&orders(&played("turned", script)), |commit| {
        let board = view(commit.after, Audience::Board);
        let shown = board["cards"].as_array().expect("cards").iter();
        cards.push(shown.map(|it| it["card"].as_str().expect("a card")).collect::<Vec<_>>().join(" "));
        let console = view(commit.after, Audience::Console { post: Post::Dealer });
        texts(&console["cards"], &mut |text| assert_ne!(text, "covered", "the Dealer knows the cards"));
        if cards.last().is_some_and(|it| it == "9s 2d Kh Kc") {
            assert_eq!(board["points"], serde_json::json!({ "player": 9, "banker": 2 }));
            assert_eq!(board["result"]["winner"], "player");
        }
    });
    let covered = |n| vec!["covered"; n].join(" ");
    let dealt = [covered(1), covered(2), covered(3), covered(4)];
    let turned = ["9s covered Kh covered".to_owned(), "9s 2d Kh Kc".to_owned()];
    assert_eq!(cards[4..], dealt.into_iter().chain(turned).collect::<Vec<_>>());
}

fn audiences(actor: &Actor) -> Vec<Audience> {
    match actor {
        Actor::Patron { patron } => vec![Audience::Terminal { patron: *patron }],
        Actor::Staff { post, .. } => vec![Audience::Console { post: *post }, Audience::Pit { post: *post }],
        Actor::Cashier { .. } => vec![Audience::Cage],
        Actor::Auditor { .. } | Actor::Administrator { .. } | Actor::House | Actor::Acceptor { .. } => {
            Vec::new()
        }
    }
}

/// Everybody who might order something, and where they look.
fn actors(state: &State) -> Vec<Actor> {
    let staff = POSTS.into_iter().map(|post| Actor::Staff { person: "somebody".into(), post });
    let patrons = patrons(state).into_iter().chain([STRANGER]).map(|patron| Actor::Patron { patron });
    staff.chain(patrons).chain([Actor::Cashier { person: "cashier".into() }]).collect()
}

/// A command as a patron would give it.
fn own(command: &Command, by: &Actor) -> Command {
    let mut command = command.clone();
    if let Actor::Patron { patron: own } = by {
        if let Command::PlaceWager { patron, .. }
        | Command::WithdrawWager { patron, .. }
        | Command::AskSqueeze { patron, .. }
        | Command::Choose { patron, .. }
        | Command::RedeemTicket { patron, .. }
        | Command::CashOut { patron, .. } = &mut command
        {
            *patron = *own;
        }
        if let Command::OpenDispute { patron, .. } = &mut command {
            *patron = Some(*own);
        }
    }
    command
}

/// Whoever looks is told the least post for what somebody on the floor can order now: it is offered to that post and to
/// none below.
fn who_might(table: &Table) {
    let offered = POSTS.map(|post| (post, table.view(Audience::Console { post }).possible));
    let first = |kind: &CommandKind| offered.iter().find(|(_, possible)| possible.contains(kind));
    let least: Vec<(CommandKind, Post)> =
        CommandKind::ALL.iter().filter_map(|kind| Some((*kind, first(kind)?.0))).collect();
    for post in POSTS {
        assert_eq!(table.view(Audience::Pit { post }).least.as_ref(), Some(&least));
    }
    for audience in [Audience::Board, Audience::Terminal { patron: STRANGER }, Audience::Cage] {
        assert_eq!(table.view(audience).least, None);
    }
}

/// Whatever the table takes from somebody was offered to them before; what is offered passes the gate.
#[test]
fn what_is_possible_is_what_the_table_takes() {
    // At a small count everybody tries everything at one point in sixteen.
    let every = 17 - scale(1, 16) as usize;
    let mut point = 0;
    let mut taken: BTreeMap<CommandKind, u32> = BTreeMap::new();
    let mut never: BTreeSet<CommandKind> = CommandKind::ALL.iter().copied().collect();
    for scenario in scenarios() {
        let orders = orders(&played(&scenario.name, &scenario.text));
        let mut commands: Vec<Command> = Vec::new();
        for (order, _) in &orders {
            // Settings are long to read, and their gate is the same for any.
            let is_law = matches!(order.command, Command::OpenTable { .. } | Command::ChangeSettings { .. });
            if !is_law && !commands.contains(&order.command) {
                commands.push(order.command.clone());
            }
        }
        let given = Given {
            ticket: Some(TicketAnswer::Reserved {
                amount: Money::new(100).expect("money"),
                currency: Some("SGD".into()),
            }),
            new_ticket: Some("ticket".into()),
            ..Given::default()
        };
        let look = |table: &Table, next: &Order| {
            let (state, law) = (table.state(), table.law());
            assert!(table.view(Audience::Auditor).possible.is_empty());
            assert!(table.view(Audience::Board).possible.is_empty());
            // The script's own order, by whoever gives it.
            for audience in audiences(&next.by) {
                let possible = table.view(audience).possible;
                never.retain(|kind| !possible.contains(kind));
                let accepted = table.decide(next, &given).is_ok();
                *taken.entry(next.command.kind()).or_default() += u32::from(accepted);
                assert!(!accepted || possible.contains(&next.command.kind()), "{}: {next:?}", scenario.name);
            }
            point += 1;
            if point % every != 0 {
                return;
            }
            who_might(table);
            // Every command of the script, by everybody, at this point.
            for by in actors(state) {
                let offered: Vec<Vec<CommandKind>> =
                    audiences(&by).into_iter().map(|audience| table.view(audience).possible).collect();
                assert!(offered.iter().all(|it| *it == offered[0]), "console and pit offer the same");
                let possible: BTreeSet<CommandKind> = offered[0].iter().copied().collect();
                assert_eq!(possible.len(), offered[0].len(), "each kind once");
                for kind in CommandKind::ALL {
                    let passes = gate(state, law, *kind, &by).is_ok();
                    assert!(passes || !possible.contains(kind), "{}: {kind:?} by {by:?}", scenario.name);
                    // Staff and cage are offered all that the gate lets through.
                    assert!(!passes || by.patron().is_some() || possible.contains(kind));
                    if possible.contains(kind) {
                        never.remove(kind);
                    }
                }
                for command in &commands {
                    let mut id = next.id.clone();
                    id.device = "somewhere".into();
                    let round = state.round().map_or(state.rounds, |round| round.no);
                    let command = own(command, &by);
                    let kind = command.kind();
                    let order = Order { id, by: by.clone(), at: next.at, round: Some(round), command };
                    if table.decide(&order, &given).is_ok() {
                        assert!(possible.contains(&kind), "{}: {order:?} was not offered", scenario.name);
                        *taken.entry(kind).or_default() += 1;
                    }
                }
            }
        };
        walk(&orders, look, |_| {});
    }
    let by_machines_alone = [
        CommandKind::RevealShoe,
        CommandKind::AcceptNote,
        CommandKind::LoseTerminal,
        CommandKind::RestoreTerminal,
        CommandKind::NoteClock,
    ];
    assert_eq!(never.into_iter().collect::<Vec<_>>(), by_machines_alone, "never offered to anybody");
    taken.retain(|_, times| *times > 0);
    assert!(taken.len() > 40, "only {} kinds were ever taken", taken.len());
}

/// The pit sees what is to be ruled: by whom, by which paragraph, and what the software proposes.
#[test]
fn the_pit_sees_what_is_to_be_ruled() {
    let (mut seen, mut proposals) = (0, 0);
    for scenario in scenarios() {
        let mut opened: BTreeMap<MatterNo, Event> = BTreeMap::new();
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            for event in &commit.events {
                if let Event::MatterOpened { matter, .. } = event {
                    opened.insert(*matter, event.clone());
                }
            }
            let (table, state) = (commit.after, commit.after.state());
            let held = state.round().map_or(&[][..], |round| round.matters());
            let numbers: Vec<MatterNo> = held.iter().chain(&state.matters).map(|matter| matter.no).collect();
            let Some(law) = table.law() else { return };
            for audience in [Audience::Pit { post: Post::PitManager }, Audience::Auditor] {
                let view = table.view(audience);
                let matters = view.matters.expect("the pit sees matters");
                assert_eq!(matters.iter().map(|it| it.matter).collect::<Vec<_>>(), numbers);
                for shown in &matters {
                    let Event::MatterOpened {
                        kind, report, holds, cite, decides, discretion, proposed, ..
                    } = &opened[&shown.matter]
                    else {
                        unreachable!("only matters are kept")
                    };
                    assert_eq!((shown.kind, shown.report), (*kind, report), "{}", scenario.name);
                    if law.cite(*kind).is_some() {
                        assert_eq!(&shown.cite, cite, "{}: {kind:?}", scenario.name);
                    }
                    assert_eq!(Some(shown.decides), *decides, "{}: {kind:?}", scenario.name);
                    assert_eq!(shown.discretion, *discretion, "{}: {kind:?}", scenario.name);
                    assert_eq!(shown.proposed, *proposed, "{}: {kind:?}", scenario.name);
                    let is_exposed = matches!(
                        report,
                        Report::ExcessOrExposedCard { .. } | Report::SimultaneousDraw { .. }
                    );
                    assert_eq!(
                        shown.proposal.is_some(),
                        *holds && (state.round().is_some() || is_exposed),
                        "{}",
                        scenario.name
                    );
                    if let (Some(proposal), Some(round)) = (&shown.proposal, state.round()) {
                        let all: Vec<_> =
                            proposal.reconstructed.iter().chain(&proposal.carried).copied().collect();
                        assert_eq!(all, round.order, "{}: all cards are in the proposal", scenario.name);
                        if let Some(order) = &proposal.as_they_lie {
                            let hands = round.hands();
                            let (mut a, mut b) = (order.clone(), [hands.player, hands.banker].concat());
                            a.sort();
                            b.sort();
                            assert_eq!(a, b, "{}", scenario.name);
                        }
                        proposals += 1;
                    }
                    seen += 1;
                }
                // Who may rule is who decides.
                if let Some(least) = matters.iter().map(|it| it.decides).min() {
                    for post in POSTS {
                        let possible = table.view(Audience::Pit { post }).possible;
                        // While the table is interrupted only cards in dispute are ruled on (interpretation 31).
                        let interrupted = state.round().is_some_and(|round| {
                            let is_open = matches!(round.stage, punto_table::Stage::Interrupted { .. });
                            is_open && round.disputed().is_none()
                        });
                        let may = post >= least && !interrupted;
                        assert_eq!(possible.contains(&CommandKind::Rule), may, "{}: {post:?}", scenario.name);
                    }
                }
            }
        });
    }
    assert!(seen > 100 && proposals > 80, "only {seen} matters, {proposals} proposals");
}

/// What terminals show of their own is what the console shows of everybody.
#[test]
fn terminals_and_console_agree() {
    for scenario in scenarios() {
        after_each(&orders(&played(&scenario.name, &scenario.text)), |commit| {
            let (table, state) = (commit.after, commit.after.state());
            let console = view(table, Audience::Console { post: Post::Dealer });
            let pit = view(table, Audience::Pit { post: Post::PitManager });
            let auditor = view(table, Audience::Auditor);
            assert_eq!(console["wagers"], pit["wagers"]);
            assert_eq!(pit["wagers"], auditor["wagers"]);
            let text = |it: &Value| it.to_string();
            let mut all: Vec<String> =
                console["wagers"].as_array().expect("wagers").iter().map(text).collect();
            let mut lines: Vec<String> =
                console["last"]["lines"].as_array().map_or_else(Vec::new, |it| it.iter().map(text).collect());
            let (mut own, mut own_lines, mut total) = (Vec::new(), Vec::new(), Money::ZERO);
            let accounts = pit["accounts"].as_array().expect("accounts");
            for patron in patrons(state) {
                let view = table.view(Audience::Terminal { patron });
                let it = view.own.as_ref().expect("one's own");
                let stakes: Money = it.wagers.iter().map(|wager| wager.stake).sum();
                assert_eq!(it.total, stakes);
                total = total.plus(stakes).expect("money");
                own.extend(it.wagers.iter().map(|wager| text(&serde_json::to_value(wager).expect("JSON"))));
                own_lines.extend(
                    view.last
                        .iter()
                        .flat_map(|last| &last.lines)
                        .map(|line| text(&serde_json::to_value(line).expect("JSON"))),
                );
                let credits = accounts.iter().find(|account| account["patron"] == patron.0);
                let credits = credits.map_or(0, |account| account["credits"].as_u64().expect("money"));
                assert_eq!(it.credits.get(), credits, "{}: {patron:?}", scenario.name);
            }
            assert_eq!(total, state.round().map_or(Money::ZERO, |round| round.wagers.total()));
            for list in [&mut all, &mut own, &mut lines, &mut own_lines] {
                list.sort();
            }
            assert_eq!(own, all, "{}", scenario.name);
            assert_eq!(own_lines, lines, "{}", scenario.name);
            assert_eq!(pit["house"]["won"], serde_json::json!(state.books.house as i64));
        });
    }
}
