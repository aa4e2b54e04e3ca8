//! The register: people, sessions, devices. Time is handed in.

use std::path::Path;

use punto_record::Timestamp;
use punto_rules::PatronNo;
use punto_server::register::{
    ABSOLUTE, ATTEMPTS, BROWSERS, Change, Cost, DeviceKind, Error, FIRST, GRAIN, Gone, IDLE, INVITED_FOR,
    KNOWN_FOR, LOCKED_FOR, NoSignIn, Refusal, Register, SESSIONS, SignedIn, Source, Why,
};
use punto_server::role::Role;

const NOW: Timestamp = Timestamp(1_767_225_600_000);
const PASSWORD: &str = "seven brown horses";
const OTHER: &str = "nine yellow birds";

fn after(ms: u64) -> Timestamp {
    Timestamp(NOW.0 + ms)
}

fn register() -> Register {
    Register::memory(Cost::trifling()).expect("a register")
}

/// Somebody who has chosen a password.
fn employ(register: &Register, person: &str, role: Role) {
    let invitation = register.hire(person, "Somebody", role, NOW).expect("hired").invitation;
    let secret = invitation.expect("an invitation").secret.text();
    register.choose_password(&secret, PASSWORD, NOW).expect("chosen");
}

fn sign_in(register: &Register, person: &str, at: Timestamp) -> SignedIn {
    register.sign_in(person, PASSWORD, at).expect("signed in")
}

fn refused<T>(refusal: Refusal) -> Result<T, Error> {
    Err(Error::Refused(refusal))
}

fn not_signed_in<T>(person: Option<&str>, why: Why) -> Result<T, Error> {
    Err(Error::NotSignedIn(NoSignIn { person: person.map(punto_record::Person::as_recorded), why }))
}

fn change(role: Option<Role>, enabled: Option<bool>) -> Change {
    Change { role, enabled, ..Change::default() }
}

fn terminal(patron: u32) -> DeviceKind {
    DeviceKind::Terminal { table: "T1".into(), patron: PatronNo(patron), at_box: None }
}

#[test]
fn the_first_administrator_is_invited_until_there_is_one() {
    let register = register();
    let first = register.first_administrator(NOW).expect("asked").expect("nobody is there yet");
    assert_eq!((first.person.as_str(), first.until), (FIRST, after(INVITED_FOR)));
    assert_eq!(register.sign_in(FIRST, "", NOW), not_signed_in(Some(FIRST), Why::NoPassword));

    // A second start prints another link, and the first one is worth nothing.
    let second = register.first_administrator(after(1)).expect("asked").expect("still nobody");
    let chosen = register.choose_password(&first.secret.text(), PASSWORD, after(2));
    assert_eq!(chosen, refused(Refusal::InvitationNotGood));
    register.choose_password(&second.secret.text(), PASSWORD, after(2)).expect("chosen");
    assert_eq!(register.first_administrator(after(3)), Ok(None));
    assert_eq!(sign_in(&register, FIRST, after(3)).staff.role, Role::Administrator);
}

#[test]
fn an_invitation_is_good_once_and_in_time() {
    let register = register();
    let hired = register.hire("d-1", "Somebody", Role::Dealer, NOW).expect("hired");
    assert_eq!(hired.member.invited_until, Some(after(INVITED_FOR)));
    let secret = hired.invitation.expect("an invitation").secret.text();

    let late = register.choose_password(&secret, PASSWORD, after(INVITED_FOR));
    assert_eq!(late, refused(Refusal::InvitationNotGood));
    assert_eq!(register.choose_password(&secret, "too short", NOW), refused(Refusal::PasswordTooShort));
    assert_eq!(register.choose_password("nonsense", PASSWORD, NOW), refused(Refusal::InvitationNotGood));
    register.choose_password(&secret, PASSWORD, after(INVITED_FOR - 1)).expect("in time, and not used up");
    assert_eq!(register.choose_password(&secret, OTHER, NOW), refused(Refusal::InvitationNotGood));
    sign_in(&register, "d-1", NOW);

    // A new one, for a forgotten password: it ends what went on under the old one.
    let again = Change { invite: true, ..Change::default() };
    let secret = register.change("d-1", &again, NOW).expect("invited").invitation.expect("it").secret.text();
    let session = sign_in(&register, "d-1", NOW).secret.text();
    register.choose_password(&secret, OTHER, NOW).expect("chosen");
    assert_eq!(register.whose(&session, NOW), Ok(None));
    assert_eq!(register.sign_in("d-1", PASSWORD, NOW), not_signed_in(Some("d-1"), Why::Wrong));
    register.sign_in("d-1", OTHER, NOW).expect("by the new one");
}

#[test]
fn five_wrong_passwords_lock_a_person_for_a_while() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    employ(&register, "d-2", Role::Dealer);
    let wrong = |at| register.sign_in("d-1", "not the password", at);
    for _ in 1..ATTEMPTS {
        assert_eq!(wrong(NOW), not_signed_in(Some("d-1"), Why::Wrong));
    }
    // The right one sets the count back.
    sign_in(&register, "d-1", NOW);
    for _ in 1..ATTEMPTS {
        assert_eq!(wrong(NOW), not_signed_in(Some("d-1"), Why::Wrong));
    }
    let session = sign_in(&register, "d-2", NOW);
    assert_eq!(wrong(NOW), not_signed_in(Some("d-1"), Why::WrongAndLocked));
    let last = after(LOCKED_FOR - 1);
    assert_eq!(register.sign_in("d-1", PASSWORD, last), not_signed_in(Some("d-1"), Why::Locked));
    assert_eq!(
        register.confirm(&Source::Unknown, "d-1", PASSWORD, last),
        not_signed_in(Some("d-1"), Why::Locked)
    );
    assert_eq!(register.member("d-1", last).expect("d-1").locked_until, Some(after(LOCKED_FOR)));
    assert!(register.whose(&session.secret.text(), NOW).expect("asked").is_some(), "others are not locked");

    // Then everything begins anew.
    for _ in 1..ATTEMPTS {
        assert_eq!(wrong(after(LOCKED_FOR)), not_signed_in(Some("d-1"), Why::Wrong));
    }
    sign_in(&register, "d-1", after(LOCKED_FOR));
    assert_eq!(register.member("d-1", after(LOCKED_FOR)).expect("d-1").locked_until, None);
}

#[test]
fn wrong_passwords_count_wherever_they_are_given() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let staff = sign_in(&register, "d-1", NOW).staff;
    let wrong = || not_signed_in::<()>(Some("d-1"), Why::Wrong);
    assert_eq!(register.confirm(&Source::Unknown, "d-1", OTHER, NOW).map(|_| ()), wrong());
    assert_eq!(register.confirm(&Source::Unknown, "d-1", OTHER, NOW).map(|_| ()), wrong());
    assert_eq!(register.change_password(&Source::Unknown, &staff, OTHER, "good enough for me", NOW), wrong());
    assert_eq!(register.sign_in("d-1", OTHER, NOW).map(|_| ()), wrong());
    let last = register.change_password(&Source::Unknown, &staff, OTHER, "good enough for me", NOW);
    assert_eq!(last, not_signed_in(Some("d-1"), Why::WrongAndLocked));
}

const KINDS: usize = 7;

/// A place of each kind, and another of it, that are all known for `d-1`.
fn sources(register: &Register) -> [Source; KINDS] {
    let person = "d-1".into();
    let browser = || {
        let secret = register.know_browser(&person, &Source::Unknown, NOW).expect("known");
        register.browser(Some("D-1"), &secret.text(), NOW).expect("asked")
    };
    [
        Source::Unknown,
        Source::Device("c-1".into()),
        Source::Device("c-2".into()),
        browser(),
        browser(),
        Source::ScreenOf("d-2".into()),
        Source::ScreenOf("c-1".into()),
    ]
}

/// Whatever is done at one place, every other is as if nothing had happened there.
#[test]
fn every_known_place_has_attempts_of_its_own() {
    for used_up in 0..KINDS {
        let register = register();
        employ(&register, "d-1", Role::Dealer);
        employ(&register, "d-3", Role::Dealer);
        let sources = sources(&register);
        let wrong = |source: &Source| register.sign_in_from(source, "d-1", OTHER, NOW);
        let reasons: Vec<_> = (0..=ATTEMPTS).map(|_| wrong(&sources[used_up])).collect();
        assert_eq!(reasons[ATTEMPTS as usize - 1], not_signed_in(Some("d-1"), Why::WrongAndLocked));
        assert_eq!(reasons[ATTEMPTS as usize], not_signed_in(Some("d-1"), Why::Locked));
        for (at, source) in sources.iter().enumerate() {
            let tried = register.confirm(source, "d-1", PASSWORD, NOW).map(|_| ());
            let expected = if at == used_up { not_signed_in(Some("d-1"), Why::Locked) } else { Ok(()) };
            assert_eq!(tried, expected, "{source:?} after {:?}", sources[used_up]);
        }
        // That others signed in has not brought the attempts back; time does.
        assert_eq!(
            register.confirm(&sources[used_up], "d-1", PASSWORD, after(LOCKED_FOR - 1)).map(|_| ()),
            not_signed_in(Some("d-1"), Why::Locked)
        );
        assert!(register.confirm(&sources[used_up], "d-1", PASSWORD, after(LOCKED_FOR)).is_ok());
        // It was about one person.
        assert!(register.confirm(&sources[used_up], "d-3", PASSWORD, NOW).is_ok());
    }
}

#[test]
fn a_browser_is_known_to_one_person_by_what_it_was_given_last() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    employ(&register, "d-2", Role::Dealer);
    let person = "d-1".into();
    let known = |shown: &str, now| register.browser(Some("d-1"), shown, now).expect("asked").is_known();
    let first = register.know_browser(&person, &Source::Unknown, NOW).expect("known").text();
    assert!(known(&first, NOW) && !known(&"0".repeat(64), NOW) && !known("", NOW));
    assert_eq!(register.browser(Some("d-2"), &first, NOW), Ok(Source::Unknown), "nothing to somebody else");
    assert!(register.browser(None, &first, NOW).expect("asked").is_known());
    let session = sign_in(&register, "d-1", NOW).secret.text();
    assert!(!known(&session, NOW), "a secret of another kind");

    // Whoever took a copy has it until the owner signs in again.
    let source = register.browser(Some("d-1"), &first, NOW).expect("asked");
    let second = register.know_browser(&person, &source, after(1)).expect("known").text();
    assert!(!known(&first, after(1)) && known(&second, after(1)));
    assert!(known(&second, after(KNOWN_FOR)) && !known(&second, after(KNOWN_FOR + 1)), "for ninety days");

    let many: Vec<_> = (0..u64::from(BROWSERS))
        .map(|n| register.know_browser(&person, &Source::Unknown, after(10 + n)).expect("known").text())
        .collect();
    assert!(!known(&second, after(100)), "the oldest gave way");
    assert!(many.iter().all(|it| known(it, after(100))));

    // A password of one's own choice changes nothing; one by an invitation makes everything new.
    let staff = sign_in(&register, "d-1", after(100)).staff;
    let screen = Source::ScreenOf("d-1".into());
    register.change_password(&screen, &staff, PASSWORD, OTHER, after(100)).expect("changed");
    assert!(known(&many[0], after(100)));
    let invited = Change { invite: true, ..Change::default() };
    let invitation = register.change("d-1", &invited, after(100)).expect("invited").invitation;
    let secret = invitation.expect("an invitation").secret.text();
    register.choose_password(&secret, PASSWORD, after(100)).expect("chosen");
    assert!(many.iter().all(|it| !known(it, after(100))));
}

/// However many try at once, no more passwords are looked at than allowed.
#[test]
fn attempts_at_once_are_counted_one_by_one() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let tried: Vec<_> = std::thread::scope(|scope| {
        let attempt = |_| scope.spawn(|| register.sign_in("d-1", "not the password", NOW));
        let threads: Vec<_> = (0..3 * ATTEMPTS).map(attempt).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let locked = tried.iter().filter(|it| **it == not_signed_in(Some("d-1"), Why::Locked)).count();
    assert_eq!(locked as u32, 2 * ATTEMPTS);
}

#[test]
fn nobody_is_told_apart_from_somebody_by_the_work() {
    let register = Register::memory(Cost::default()).expect("a register");
    employ(&register, "d-1", Role::Dealer);
    let time = |person: &str| {
        let best = (0..ATTEMPTS).map(|_| {
            let started = std::time::Instant::now();
            assert!(register.sign_in(person, OTHER, NOW).is_err());
            started.elapsed()
        });
        best.min().expect("some")
    };
    let (known, unknown) = (time("d-1"), time("d-9"));
    // A hash takes tens of milliseconds, everything else microseconds: half is far from nothing and far from chance.
    assert!(unknown > known / 2, "unknown {unknown:?}, known {known:?}");
    assert_eq!(register.sign_in("d-9", OTHER, NOW), not_signed_in(None, Why::Unknown));
}

#[test]
fn a_session_ends_when_idle_and_after_a_shift() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let idle = sign_in(&register, "d-1", NOW).secret.text();
    assert!(register.whose(&idle, after(IDLE - 1)).expect("asked").is_some());
    assert!(register.whose(&idle, after(2 * IDLE - 2)).expect("asked").is_some(), "used since");
    let mut gone = register.gone();
    assert_eq!(register.whose(&idle, after(3 * IDLE)), Ok(None));
    assert!(matches!(gone.try_recv(), Ok(Gone::Session(_))));
    assert_eq!(register.whose(&idle, NOW), Ok(None), "over for good");

    let SignedIn { staff, secret, .. } = sign_in(&register, "d-1", NOW);
    assert_eq!(staff.until, after(ABSOLUTE));
    let mut at = 0;
    while at < ABSOLUTE {
        assert_eq!(register.whose(&secret.text(), after(at)), Ok(Some(staff.clone())), "after {at} ms");
        at += IDLE - GRAIN;
    }
    assert!(register.goes_on(&staff.session, after(ABSOLUTE - 1)).expect("asked").is_some());
    assert_eq!(register.whose(&secret.text(), after(ABSOLUTE)), Ok(None));
}

#[test]
fn sessions_that_nobody_uses_are_swept_away() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let session = sign_in(&register, "d-1", NOW).staff.session;
    let mut gone = register.gone();
    register.sweep(after(IDLE - 1)).expect("swept");
    assert!(gone.try_recv().is_err());
    register.sweep(after(IDLE)).expect("swept");
    assert_eq!(gone.try_recv(), Ok(Gone::Session(session)));
}

#[test]
fn every_sign_in_is_a_session_of_its_own_and_there_are_only_so_many() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let count = SESSIONS as usize;
    let sessions: Vec<_> = (0..=count as u64).map(|n| sign_in(&register, "d-1", after(n))).collect();
    let secrets: std::collections::BTreeSet<_> = sessions.iter().map(|it| it.secret.text()).collect();
    assert_eq!(secrets.len(), count + 1);
    let goes_on = |it: &SignedIn| register.whose(&it.secret.text(), after(100)).expect("asked").is_some();
    assert!(!goes_on(&sessions[0]), "the oldest gave way");
    assert!(sessions[1..].iter().all(goes_on));

    register.sign_out(&sessions[1].staff.session, after(100)).expect("signed out");
    assert!(!goes_on(&sessions[1]) && goes_on(&sessions[2]));
}

#[test]
fn disabling_somebody_ends_everything_of_theirs_at_once() {
    let register = register();
    employ(&register, "a-1", Role::Administrator);
    employ(&register, "d-1", Role::Dealer);
    let secret = sign_in(&register, "d-1", NOW).secret.text();
    let mut gone = register.gone();
    let off = register.change("d-1", &change(None, Some(false)), NOW).expect("disabled");
    assert!(!off.member.enabled);
    assert_eq!(gone.try_recv(), Ok(Gone::Person("d-1".into())));
    assert_eq!(register.whose(&secret, NOW), Ok(None));
    assert_eq!(
        register.confirm(&Source::Unknown, "d-1", PASSWORD, NOW),
        not_signed_in(Some("d-1"), Why::Disabled)
    );
    assert_eq!(register.sign_in("d-1", PASSWORD, NOW), not_signed_in(Some("d-1"), Why::Disabled));

    register.change("d-1", &change(None, Some(true)), NOW).expect("enabled");
    assert_eq!(register.whose(&secret, NOW), Ok(None), "an old session does not come back");
    let secret = sign_in(&register, "d-1", NOW).secret.text();
    register.change("d-1", &change(Some(Role::PitManager), None), NOW).expect("promoted");
    assert_eq!(register.whose(&secret, NOW), Ok(None), "a session was for another role");
    assert_eq!(sign_in(&register, "d-1", NOW).staff.role, Role::PitManager);
}

#[test]
fn an_invitation_of_somebody_disabled_is_worth_nothing() {
    let register = register();
    employ(&register, "a-1", Role::Administrator);
    let hired = register.hire("d-1", "Somebody", Role::Dealer, NOW).expect("hired");
    let secret = hired.invitation.expect("an invitation").secret.text();
    register.change("d-1", &change(None, Some(false)), NOW).expect("disabled");
    register.change("d-1", &change(None, Some(true)), NOW).expect("enabled");
    assert_eq!(register.choose_password(&secret, PASSWORD, NOW), refused(Refusal::InvitationNotGood));
}

#[test]
fn the_last_administrator_stays_one() {
    let register = register();
    employ(&register, "a-1", Role::Administrator);
    // Somebody who has never chosen a password could not go on in their place.
    register.hire("a-2", "Somebody", Role::Administrator, NOW).expect("hired");
    for lesser in [change(None, Some(false)), change(Some(Role::Auditor), None)] {
        assert_eq!(register.change("a-1", &lesser, NOW), refused(Refusal::LastAdministrator));
    }
    employ(&register, "a-3", Role::Administrator);
    register.change("a-1", &change(None, Some(false)), NOW).expect("there is another one");
    assert_eq!(register.change("a-3", &change(None, Some(false)), NOW), refused(Refusal::LastAdministrator));
}

#[test]
fn a_new_password_ends_all_other_sessions() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let [own, other] = [sign_in(&register, "d-1", NOW), sign_in(&register, "d-1", NOW)];
    let common = register.change_password(&Source::Unknown, &own.staff, PASSWORD, "Password1234", NOW);
    assert_eq!(common, refused(Refusal::PasswordTooCommon));
    let mut gone = register.gone();
    register.change_password(&Source::Unknown, &own.staff, PASSWORD, OTHER, NOW).expect("changed");
    assert_eq!(gone.try_recv(), Ok(Gone::Session(other.staff.session)));
    assert!(register.whose(&own.secret.text(), NOW).expect("asked").is_some());
    assert_eq!(register.whose(&other.secret.text(), NOW), Ok(None));
}

#[test]
fn names_are_checked_and_unique() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let long = "d".repeat(41);
    for bad in ["", "d 1", "d/1", "d_1", "ü", &long] {
        assert_eq!(register.hire(bad, "Somebody", Role::Dealer, NOW), refused(Refusal::BadPerson), "{bad}");
    }
    for bad in ["", "  ", "two\nlines", "mirror\u{202e}ed", "un\u{200b}seen"] {
        assert_eq!(register.hire("d-2", bad, Role::Dealer, NOW), refused(Refusal::BadName), "{bad}");
    }
    for taken in ["d-1", "D-1"] {
        assert_eq!(register.hire(taken, "Else", Role::Cashier, NOW), refused(Refusal::PersonExists));
    }
    assert_eq!(register.change("d-9", &Change::default(), NOW), refused(Refusal::NoSuchPerson));
    assert_eq!(sign_in(&register, "D-1", NOW).staff.person.as_str(), "d-1", "one spelling in the record");
}

#[test]
fn whoever_answers_for_something_is_known_by_their_password() {
    let register = register();
    employ(&register, "sup-1", Role::PitSupervisor);
    let known = register.confirm(&Source::Unknown, "SUP-1", PASSWORD, NOW).expect("it is them");
    assert_eq!((known.person.as_str(), known.role), ("sup-1", Role::PitSupervisor), "one spelling");
    assert_eq!(
        register.confirm(&Source::Unknown, "sup-1", OTHER, NOW),
        not_signed_in(Some("sup-1"), Why::Wrong)
    );
    assert_eq!(register.confirm(&Source::Unknown, "sup-9", PASSWORD, NOW), not_signed_in(None, Why::Unknown));
}

#[test]
fn a_device_has_a_name_for_ever_and_a_credential_until_it_is_revoked() {
    let register = register();
    let enrolled = register.enrol("t-7", terminal(7), NOW).expect("enrolled");
    let credential = enrolled.credential.text();
    assert_eq!(register.device(&credential), Ok(Some(enrolled.device.clone())));
    assert_eq!(register.enrol("T-7", terminal(8), NOW), refused(Refusal::DeviceExists));
    assert_eq!(register.enrol("t-8", terminal(7), NOW), refused(Refusal::TerminalTaken));
    let console = DeviceKind::Console { table: "T1".into() };
    register.enrol("console-1", console.clone(), NOW).expect("enrolled");
    register.enrol("console-2", console, NOW).expect("a table may have two");

    let mut gone = register.gone();
    register.revoke("t-7", after(1)).expect("revoked");
    assert_eq!(gone.try_recv(), Ok(Gone::Device("t-7".into())));
    assert_eq!(register.device(&credential), Ok(None));
    assert_eq!(register.is_enrolled(&"t-7".into()), Ok(false));
    assert_eq!(register.is_enrolled(&"console-1".into()), Ok(true));
    assert_eq!(register.revoke("t-7", after(2)), refused(Refusal::NoSuchDevice));
    assert_eq!(register.enrol("t-7", terminal(7), NOW), refused(Refusal::DeviceExists), "used up");
    register.enrol("t-8", terminal(7), NOW).expect("the place is free");
    let listed = register.devices().expect("listed");
    let revoked: Vec<_> =
        listed.iter().filter(|it| it.revoked.is_some()).map(|it| it.device.as_str()).collect();
    assert_eq!((listed.len(), revoked), (4, vec!["t-7"]));
}

#[test]
fn no_device_has_a_name_by_which_the_software_counts() {
    let register = register();
    for own in ["server", "Ledger", "house", "table-clock", "session-0123456789abcdef", "HTTP-1", "", "a b"] {
        assert_eq!(register.enrol(own, terminal(1), NOW), refused(Refusal::BadDevice), "{own}");
    }
    let nowhere = DeviceKind::Board { table: punto_record::TableId::as_recorded("T 1") };
    assert_eq!(register.enrol("b-1", nowhere, NOW), refused(Refusal::BadTable));
}

/// A secret of one kind is nothing to a door of another.
#[test]
fn secrets_open_only_their_own_door() {
    let register = register();
    employ(&register, "d-1", Role::Dealer);
    let session = sign_in(&register, "d-1", NOW);
    let text = session.secret.text();
    let credential = register.enrol("t-1", terminal(1), NOW).expect("enrolled").credential.text();
    assert_eq!(register.device(&text), Ok(None));
    assert_eq!(register.whose(&credential, NOW), Ok(None));
    assert_eq!(register.whose(&session.staff.session, NOW), Ok(None), "its public name opens nothing");
    assert_eq!(register.whose(&session.secret.csrf(), NOW), Ok(None));
    assert_eq!(format!("{session:?}").matches(&text).count(), 0, "nor does a log");
}

fn bytes_of(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).expect("a folder");
    files.flat_map(|file| std::fs::read(file.expect("a file").path()).expect("bytes")).collect()
}

fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn no_secret_is_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("register");
    let mut secrets = vec![PASSWORD.to_owned()];
    {
        let register = Register::open(&path, [7; 32], Cost::trifling()).expect("a register");
        let first = register.first_administrator(NOW).expect("asked").expect("invited").secret.text();
        register.choose_password(&first, PASSWORD, NOW).expect("chosen");
        let hired = register.hire("d-1", "Somebody", Role::Dealer, NOW).expect("hired");
        let session = sign_in(&register, FIRST, NOW).secret;
        secrets.extend([
            first,
            hired.invitation.expect("an invitation").secret.text(),
            session.text(),
            session.csrf(),
            register.enrol("t-1", terminal(1), NOW).expect("enrolled").credential.text(),
        ]);
        register.know_browser(&FIRST.into(), &Source::Unknown, NOW).expect("known");
        // As it is while it is open, log and all, and after it was closed.
        look(&bytes_of(folder.path()), &secrets);
    }
    look(&bytes_of(folder.path()), &secrets);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

/// Write access to the file is not enough to forge a session, to prolong one, or to make a browser known.
#[test]
fn a_row_in_the_file_without_its_seal_is_worth_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sessions");
    let register = Register::open(&path, [7; 32], Cost::trifling()).expect("a register");
    employ(&register, "d-1", Role::Dealer);
    employ(&register, "a-1", Role::Administrator);
    let write = |sql: &str| {
        let other = rusqlite::Connection::open(&path).expect("the same file");
        assert!(other.execute(sql, []).expect(sql) > 0, "{sql}");
    };
    let late = after(IDLE + GRAIN);
    let attacks = [
        ("UPDATE session SET person = 'a-1'".to_owned(), NOW),
        (format!("UPDATE session SET used = {}", late.0), late),
        (format!("UPDATE session SET began = began + 1, used = {}", late.0), late),
        ("UPDATE session SET seal = zeroblob(32)".to_owned(), NOW),
        ("UPDATE session SET seal = X''".to_owned(), NOW),
        ("UPDATE session SET id = 'another'".to_owned(), NOW),
    ];
    for (sql, at) in attacks {
        let session = sign_in(&register, "d-1", NOW).secret.text();
        assert!(register.whose(&session, NOW).expect("asked").is_some());
        write(&sql);
        assert_eq!(register.whose(&session, at), Ok(None), "{sql}");
        let other = rusqlite::Connection::open(&path).expect("the same file");
        other.execute("DELETE FROM session", []).expect("begun again");
    }
    // The seal of another session does not fit: it covers the whole row.
    let (own, other) = (sign_in(&register, "d-1", NOW), sign_in(&register, "a-1", NOW));
    write(&format!(
        "UPDATE session SET seal = (SELECT seal FROM session WHERE id = '{}') WHERE id = '{}'",
        other.staff.session, own.staff.session
    ));
    assert_eq!(register.whose(&own.secret.text(), NOW), Ok(None));
    assert_eq!(register.goes_on(&own.staff.session, NOW), Ok(None));
    assert!(register.whose(&other.secret.text(), NOW).expect("asked").is_some(), "the other's is good");

    let browser = register.know_browser(&"d-1".into(), &Source::Unknown, NOW).expect("known").text();
    assert!(register.browser(Some("d-1"), &browser, NOW).expect("asked").is_known());
    write("UPDATE browser SET person = 'a-1'");
    assert!(!register.browser(Some("a-1"), &browser, NOW).expect("asked").is_known());
    write("UPDATE browser SET person = 'd-1'");
    assert!(register.browser(Some("d-1"), &browser, NOW).expect("asked").is_known(), "it is as it was");
    write("UPDATE browser SET used = used + 1");
    assert!(!register.browser(Some("d-1"), &browser, NOW).expect("asked").is_known());
}

/// A session outlives a restart only with the same key, role and password.
#[test]
fn a_session_is_over_with_its_role_its_password_and_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sessions");
    let session = {
        let register = Register::open(&path, [7; 32], Cost::trifling()).expect("a register");
        employ(&register, "d-1", Role::Dealer);
        sign_in(&register, "d-1", NOW)
    };
    // Another password of the same words has another salt, and a role that came by itself is no reason to stay.
    let again = |key: [u8; 32], role: Role| {
        let register = Register::open(&path, key, Cost::trifling()).expect("a register");
        register.hire("d-1", "Somebody", role, NOW).expect("hired");
        register.whose(&session.secret.text(), NOW).expect("asked")
    };
    assert_eq!(again([8; 32], Role::Dealer), None);
    assert_eq!(again([7; 32], Role::PitManager), None);

    let register = Register::open(&path, [7; 32], Cost::trifling()).expect("a register");
    employ(&register, "d-2", Role::Dealer);
    let SignedIn { staff, secret, .. } = sign_in(&register, "d-2", NOW);
    register.change_password(&Source::Unknown, &staff, PASSWORD, OTHER, NOW).expect("changed");
    assert!(register.whose(&secret.text(), NOW).expect("asked").is_some(), "one's own session goes on");
}

fn look(bytes: &[u8], secrets: &[String]) {
    assert!(holds(bytes, b"CREATE TABLE"), "what is looked through is the file");
    assert!(!holds(bytes, b"$argon2id$"), "passwords are the ledger's to keep");
    assert_eq!(secrets.len(), 6);
    for secret in secrets {
        assert!(!holds(bytes, secret.as_bytes()), "a secret stands in the file");
        let raw: Vec<u8> = (0..secret.len() / 2)
            .filter_map(|at| u8::from_str_radix(secret.get(2 * at..2 * at + 2)?, 16).ok())
            .collect();
        assert!(raw.len() < 32 || !holds(bytes, &raw), "a secret stands in the file, as bytes");
    }
}

#[test]
fn another_file_is_no_register() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other");
    rusqlite::Connection::open(&path)
        .and_then(|connection| connection.execute_batch("CREATE TABLE other (x INTEGER) STRICT"))
        .expect("another database");
    assert!(matches!(Register::open(&path, [7; 32], Cost::trifling()), Err(Error::Failed(_))));
}
