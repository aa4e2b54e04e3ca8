//! Interpretations 33, 46 and 48: every game, every state of its approval, everything that opens something.

use punto_record::{
    Actor, Anchor, Approval, Cards, Command, Digest, EstablishedBy, Event, LimitsMode, MoneyKind, Order,
    OrderId, PostsBy, ReasonKind, Rejection, ResultBy, Ruling, Seq, Settings, Timestamp, digest,
};
use punto_rules::Post;
use punto_table::{Given, Rules, Table};

use crate::scripts::approved;
use crate::{staff, table};

/// The people of a house hold their posts in the shift.
const POSTS: &str = "shift-manager: take-post person=shift-manager post=shift-manager\n\
                     shift-manager: take-post person=dealer post=dealer\n\
                     shift-manager: take-post person=the-dealer post=dealer\n\
                     shift-manager: take-post person=the-pit-supervisor post=pit-supervisor\n\
                     shift-manager: take-post person=supervisor post=pit-supervisor";

const DEED: Anchor = Anchor { seq: Seq(7), link: Digest([7; 32]) };

fn decide(
    table: &Table,
    by: &Actor,
    at: Timestamp,
    command: &Command,
    rules: &Rules,
) -> Result<Vec<Event>, Rejection> {
    let (id, command) = (OrderId { device: "anywhere".into(), n: 1 }, command.clone());
    let order = Order { id, by: by.clone(), at, round: None, command };
    table.decide(&order, &Given { rules: rules.clone(), ..Given::default() })
}

fn refused(decided: &Result<Vec<Event>, Rejection>) -> Option<(ReasonKind, String)> {
    let cite = |it: &Rejection| it.cite.as_ref().map(ToString::to_string).unwrap_or_default();
    decided.as_ref().err().map(|it| (it.reason.kind(), cite(it)))
}

fn by_33(kind: ReasonKind) -> Option<(ReasonKind, String)> {
    Some((kind, "interpretation 33".to_owned()))
}

fn by_46(kind: ReasonKind) -> Option<(ReasonKind, String)> {
    Some((kind, "interpretation 46".to_owned()))
}

fn by_48(kind: ReasonKind) -> Option<(ReasonKind, String)> {
    Some((kind, "interpretation 48".to_owned()))
}

/// A refusal and what it cites.
type Refused = Option<(ReasonKind, String)>;

/// What an approval may be, at that moment, and what a house says to whoever opens something then.
fn approvals(text: Digest, at: Timestamp) -> Vec<(Option<Approval>, Refused)> {
    let (before, after) = (Timestamp(at.0 - 1), Timestamp(at.0 + 1));
    let it = |digest, in_force, withdrawn| {
        Some(Approval { deed: DEED, digest, in_force, withdrawn, software_cards: false })
    };
    let (pending, early) = (by_33(ReasonKind::RulesNotApproved), by_33(ReasonKind::RulesNotInForce));
    let late = by_33(ReasonKind::RulesWithdrawn);
    vec![
        (None, pending.clone()),
        (it(digest(b"another text"), before, None), pending),
        (it(text, after, None), early.clone()),
        (it(text, after, Some(after)), early),
        (it(text, at, None), None),
        (it(text, before, Some(after)), None),
        (it(text, before, Some(at)), None),
        (it(text, before, Some(before)), late),
    ]
}

fn cited(events: &[Event]) -> Option<Anchor> {
    events.iter().find_map(|event| {
        if let Event::TableOpened { approval, .. }
        | Event::SettingsChanged { approval, .. }
        | Event::BetsOpened { approval, .. } = event
        {
            *approval
        } else {
            None
        }
    })
}

fn nothing_opens_outside_its_approval(game: &str) {
    let office = Actor::Administrator { person: "office".into() };
    let text = approved(game).expect("an approved game");
    let digest = digest(text.as_bytes());
    let ready = held(game, "posts=held", "patron 7: cash-out patron=7\n");
    let settings = Box::new(ready.law().expect("open").settings.clone());
    let at = Timestamp(ready.state().now.0 + 1_000);
    let (rulebook, second) = (text.clone(), Some("compliance".into()));
    let open =
        Command::OpenTable { settings: settings.clone(), rulebook: text.clone(), second: second.clone() };
    let change = Command::ChangeSettings { settings, rulebook, second };
    let empty = Table::default();
    let unused = table_without_shoe(game);
    let doing = [
        (&empty, &office, &open),
        (&unused, &office, &change),
        (&ready, &staff(Post::Dealer), &Command::OpenBets {}),
    ];
    for (at_table, by, command) in doing {
        for (approval, says) in approvals(digest, at) {
            let decided = decide(at_table, by, at, command, &Rules::Approved(approval.clone()));
            let told = format!("{game}: {} under {approval:?}", command.kind().id());
            assert_eq!(refused(&decided), says, "{told}");
            if let Ok(events) = decided {
                assert_eq!(cited(&events), Some(DEED), "{told}");
            }
        }
        // Where there is no real money anything goes, and nothing is cited.
        let events = decide(at_table, by, at, command, &Rules::Any).expect("anything goes");
        assert_eq!(cited(&events), None);
    }
}

/// A Round in play is never asked again, at whatever stage the approval is withdrawn.
fn a_round_ends_under_the_rules_under_which_it_commenced(game: &str) {
    let (open, draw) = ("dealer: open-bets\nBETS\nCLOSE\n", "dealer: draw 9s 2d Kh Kc\n");
    for (lines, command) in [
        (open.to_owned(), Command::ReadCard { card: "9s".to_owned().try_into().expect("a card") }),
        (format!("{open}{draw}"), Command::ConfirmResult {}),
    ] {
        let played = held(game, "posts=held", &lines);
        let at = Timestamp(played.state().now.0 + 1_000);
        let under = |rules: &Rules| decide(&played, &staff(Post::Dealer), at, &command, rules);
        assert_eq!(under(&Rules::Any), under(&Rules::Approved(None)), "{game}: {}", command.kind().id());
    }
    let played = held(game, "posts=held", &format!("{open}{draw}"));
    let at = Timestamp(played.state().now.0 + 1_000);
    let settled =
        decide(&played, &staff(Post::Dealer), at, &Command::ConfirmResult {}, &Rules::Approved(None));
    assert!(settled.is_ok(), "{game}: {settled:?}");
}

fn table_without_shoe(game: &str) -> Table {
    crate::table_from(game, "posts=held", "+1s", "patron 7: cash-out patron=7\n")
}

/// A table whose people hold their posts.
fn held(game: &str, settings: &str, lines: &str) -> Table {
    let shoe = format!("{POSTS}\ndealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2");
    crate::table_from(game, settings, &shoe, lines)
}

/// Every setting that touches rights, alone and together with another person.
fn settings_that_touch_rights_take_two(game: &str) {
    let office = Actor::Administrator { person: "office".into() };
    let text = approved(game).expect("an approved game");
    let unused = table_without_shoe(game);
    let at = Timestamp(unused.state().now.0 + 1_000);
    let (digest, in_force) = (digest(text.as_bytes()), Timestamp(0));
    let rules = |software_cards| {
        Rules::Approved(Some(Approval { deed: DEED, digest, in_force, withdrawn: None, software_cards }))
    };
    let own = unused.law().expect("open").settings.clone();
    let with = |change: &dyn Fn(&mut Settings)| {
        let mut settings = own.clone();
        change(&mut settings);
        settings
    };
    let mut touching = vec![
        with(&|it| it.betting_seconds = 60),
        with(&|it| it.choice_seconds = 60),
        with(&|it| it.result = Some(ResultBy::Automatic)),
    ];
    if game != "ncb-etg" {
        touching.push(with(&|it| (it.limits, it.money) = (LimitsMode::Observed, MoneyKind::Chips)));
    }
    let harmless = with(&|it| it.ticket_days = 60);
    let allowed_never = [
        with(&|it| it.established_by = EstablishedBy::Placed),
        with(&|it| it.betting_seconds = 9),
        with(&|it| it.betting_seconds = 301),
    ];
    let software = with(&|it| it.cards = Cards::Software);
    let change = |settings: &Settings, second: Option<&str>, rules: &Rules| {
        let (settings, rulebook) = (Box::new(settings.clone()), text.clone());
        let command = Command::ChangeSettings {
            settings,
            rulebook,
            second: second.map(punto_record::Person::as_recorded),
        };
        refused(&decide(&unused, &office, at, &command, rules))
    };
    let needed = by_48(ReasonKind::SecondPersonNeeded);
    for settings in &touching {
        assert_eq!(change(settings, None, &rules(false)), needed, "{game}");
        assert_eq!(change(settings, Some("office"), &rules(false)), needed, "{game}");
        let nobody = change(settings, Some(" "), &rules(false)).map(|(kind, _)| kind);
        assert_eq!(nobody, Some(ReasonKind::UnfitText), "{game}");
        assert_eq!(change(settings, Some("compliance"), &rules(false)), None, "{game}");
        assert_eq!(change(settings, None, &Rules::Any), None, "{game}");
    }
    assert_eq!(change(&harmless, None, &rules(false)), None, "{game}");
    for settings in &allowed_never {
        let second = Some("compliance");
        assert_eq!(change(settings, second, &rules(true)), by_48(ReasonKind::SettingsRefused), "{game}");
        assert_eq!(change(settings, None, &Rules::Any), None, "{game}");
    }
    let second = Some("compliance");
    assert_eq!(change(&software, second, &rules(false)), by_48(ReasonKind::SettingsRefused), "{game}");
    assert_eq!(change(&software, second, &rules(true)), None, "{game}");
    assert_eq!(change(&software, None, &rules(true)), needed, "{game}");
    // A table that was opened before with such settings opens no further Round.
    let refusal = ReasonKind::SettingsRefused;
    for (settings, says) in [
        ("posts=held established_by=placed", by_48(refusal)),
        ("posts=held betting_seconds=9", by_48(refusal)),
        ("posts=role", by_46(refusal)),
        ("", by_46(refusal)),
    ] {
        let before = held(game, settings, "");
        let opens = decide(&before, &staff(Post::Dealer), at, &Command::OpenBets {}, &rules(false));
        assert_eq!(refused(&opens), says, "{game}: {settings}");
    }
    let by_role = with(&|it| it.posts = PostsBy::Role);
    assert_eq!(change(&by_role, second, &rules(false)), by_46(refusal), "{game}");
    assert_eq!(change(&by_role, None, &Rules::Any), None, "{game}");
}

/// The Round announced as the last is waited for while it may commence, and not a moment longer.
fn a_last_round_that_may_not_commence_is_dropped(game: &str) {
    let mut wrong = Vec::new();
    let text = approved(game).expect("an approved game");
    let played = "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n";
    let ends = "patron 7: cash-out patron=7\nsupervisor: announce-closing\ndealer: retire-shoe reason=worn\n";
    for settings in ["posts=held", "posts=role"] {
        let announced = held(game, settings, &format!("{played}{ends}"));
        let at = Timestamp(announced.state().now.0 + 1_000);
        let supervisor = staff(Post::PitSupervisor);
        let close = |rules: &Rules| decide(&announced, &supervisor, at, &Command::CloseTable {}, rules);
        let mut expect = |rules: &Rules, may_play: bool| {
            let decided = close(rules);
            let is_so = match &decided {
                Err(no) => may_play && no.reason.kind() == ReasonKind::LastRoundToPlay,
                Ok(events) => {
                    let [Event::LastRoundDropped { round, cite }, Event::TableClosed {}] = &events[..] else {
                        return wrong.push(format!("{game} {settings} {rules:?}: {events:?}"));
                    };
                    !may_play && (round.0, cite.to_string().as_str()) == (2, "interpretation 33")
                }
            };
            if !is_so {
                wrong.push(format!("{game} {settings} {rules:?}: {decided:?}"));
            }
        };
        for (approval, says) in approvals(digest(text.as_bytes()), at) {
            expect(&Rules::Approved(approval), says.is_none() && settings == "posts=held");
        }
        expect(&Rules::Any, true);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only a Shift Manager or above departs from an interpretation, and from one that there is; also in a matter that is
/// otherwise a Pit Supervisor's.
fn a_departure_is_a_shift_managers(game: &str) {
    for (report, ruling, least) in [
        ("uncovered words=\"a glass fell over\"", Ruling::Continue {}, Post::ShiftManager),
        ("not-shuffled", Ruling::Void {}, Post::PitSupervisor),
    ] {
        let lines = format!("dealer: open-bets\nBETS\nCLOSE\ndealer: report {report}\n");
        let held = table(game, "", &lines);
        let at = Timestamp(held.state().now.0 + 1_000);
        for post in Post::ALL {
            for departs in [None, Some(0), Some(1), Some(25), Some(51), Some(52)] {
                let mut command = crate::rule(1, &ruling);
                if let Command::Rule { departs: it, .. } = &mut command {
                    *it = departs;
                }
                let decided = decide(&held, &staff(post), at, &command, &Rules::Any);
                let exists = departs.is_none_or(|no| (1..=51).contains(&no));
                let least = if departs.is_some() { Post::ShiftManager } else { least };
                let told = format!("{game}: {} departs from {departs:?} about {report}", post.id());
                assert_eq!(decided.is_ok(), exists && post >= least, "{told}: {decided:?}");
                if let Ok(events) = decided {
                    let named = events.iter().find_map(|event| {
                        if let Event::Ruled { departs, .. } = event { Some(*departs) } else { None }
                    });
                    assert_eq!(named, Some(departs), "{told}");
                }
            }
        }
    }
}

/// How long play waits for a dispute, notice of limits, time to choose and the time after which credits are abandoned are
/// bounded where a table opens (43, 48, 34, 45).
fn times_that_a_table_sets_are_bounded(game: &str) {
    let text = approved(game).expect("an approved game");
    let own = table(game, "", "").law().expect("open").settings.clone();
    let opens = |settings: Settings| {
        let (settings, rulebook) = (Box::new(settings), text.clone());
        let open = Command::OpenTable { settings, rulebook, second: None };
        let office = Actor::Administrator { person: "office".into() };
        refused(&decide(&Table::default(), &office, Timestamp(1), &open, &Rules::Any)).map(|(kind, _)| kind)
    };
    type Set = fn(&mut Settings, u16);
    let times: [(&str, Set, u16, u16); 4] = [
        ("dispute_seconds", |it, s| it.dispute_seconds = s, 60, 600),
        ("limits_notice_seconds", |it, s| it.limits_notice_seconds = s, 60, 3600),
        ("choice_seconds", |it, s| it.choice_seconds = s, 20, 180),
        ("abandoned_minutes", |it, minutes| it.abandoned_minutes = minutes, 10, 1440),
    ];
    for (what, set, least, most) in times {
        for (seconds, fits) in [
            (0, false),
            (least - 1, false),
            (least, true),
            (most, true),
            (most + 1, false),
            (u16::MAX, false),
        ] {
            let mut settings = own.clone();
            set(&mut settings, seconds);
            let says = (!fits).then_some(ReasonKind::SettingsRefused);
            assert_eq!(opens(settings), says, "{game}: {what} {seconds}");
        }
    }
}

every_game!(
    times_that_a_table_sets_are_bounded,
    nothing_opens_outside_its_approval,
    a_round_ends_under_the_rules_under_which_it_commenced,
    settings_that_touch_rights_take_two,
    a_last_round_that_may_not_commence_is_dropped,
    a_departure_is_a_shift_managers
);
