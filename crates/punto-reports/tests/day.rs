//! Gaming days: around midnight, around the hour at which they begin, and where the clock on the wall jumps.

use punto_record::Timestamp;
use punto_reports::{Calendar, DayError, GamingDay};

fn at(text: &str) -> Timestamp {
    let instant: jiff::Timestamp = text.parse().expect("an instant");
    Timestamp(instant.as_millisecond().try_into().expect("after 1970"))
}

fn check(calendar: &Calendar, days: &[(&str, &str)]) {
    for (instant, day) in days {
        assert_eq!(calendar.day_of(at(instant)).to_string(), *day, "{instant}");
    }
}

#[test]
fn a_day_lasts_from_six_to_six() {
    // Singapore is eight hours ahead of UTC, always.
    let singapore = Calendar::new("06:00", "Asia/Singapore").expect("a calendar");
    check(
        &singapore,
        &[
            ("2025-12-31T15:59:59Z", "2025-12-31"), // 23:59:59
            ("2025-12-31T16:00:00Z", "2025-12-31"), // midnight, and a new year: the gaming day goes on
            ("2025-12-31T21:59:59.999Z", "2025-12-31"),
            ("2025-12-31T22:00:00Z", "2026-01-01"), // 06:00
            ("2026-01-01T21:59:59Z", "2026-01-01"),
        ],
    );
    assert_eq!(singapore.clock(at("2025-12-31T22:00:00Z")), "2026-01-01 06:00:00");
}

#[test]
fn at_midnight_a_day_is_a_date() {
    let utc = Calendar::new("00:00", "UTC").expect("a calendar");
    check(&utc, &[("2026-02-28T23:59:59Z", "2026-02-28"), ("2026-03-01T00:00:00Z", "2026-03-01")]);
}

#[test]
fn an_hour_that_comes_twice_does_not_go_back_a_day() {
    // New York, 1 November 2026: at 02:00 the clock goes back to 01:00 (06:00 UTC).
    let early = Calendar::new("01:30", "America/New_York").expect("a calendar");
    check(
        &early,
        &[
            ("2026-11-01T05:29:59Z", "2026-10-31"), // 01:29:59, summer time
            ("2026-11-01T05:30:00Z", "2026-11-01"), // 01:30 for the first time
            ("2026-11-01T06:15:00Z", "2026-11-01"), // 01:15 again, winter time
            ("2026-11-01T06:30:00Z", "2026-11-01"), // 01:30 again
            ("2026-11-02T06:29:59Z", "2026-11-01"), // the day had 25 hours
            ("2026-11-02T06:30:00Z", "2026-11-02"),
        ],
    );
}

#[test]
fn an_hour_that_never_comes_begins_the_day_as_much_later() {
    // New York, 8 March 2026: at 02:00 the clock goes on to 03:00 (07:00 UTC). 02:30 never comes; half an hour after
    // two is 03:30 on the wall.
    let early = Calendar::new("02:30", "America/New_York").expect("a calendar");
    check(
        &early,
        &[
            ("2026-03-08T06:59:59Z", "2026-03-07"),
            ("2026-03-08T07:29:59Z", "2026-03-07"),
            ("2026-03-08T07:30:00Z", "2026-03-08"),
            ("2026-03-09T06:29:59Z", "2026-03-08"),
            ("2026-03-09T06:30:00Z", "2026-03-09"), // 02:30 summer time, 23 hours later
        ],
    );
    // At six the jump is over: the day has 23 hours and begins at six on the wall.
    let six = Calendar::new("06:00", "America/New_York").expect("a calendar");
    check(
        &six,
        &[
            ("2026-03-07T11:00:00Z", "2026-03-07"),
            ("2026-03-08T09:59:59Z", "2026-03-07"),
            ("2026-03-08T10:00:00Z", "2026-03-08"),
        ],
    );
}

#[test]
fn what_is_no_calendar_is_an_error() {
    let error = |begins, zone| Calendar::new(begins, zone).expect_err("no calendar");
    assert_eq!(error("06:00", "Asia/Atlantis"), DayError::Zone("Asia/Atlantis".to_owned()));
    for wrong in ["", "6", "6:00", "24:00", "06:60", "06:00:00", "aa:bb", "-1:00"] {
        assert_eq!(error(wrong, "UTC"), DayError::Time(wrong.to_owned()));
    }
    assert!(GamingDay::parse("2026-02-30").is_err());
    assert_eq!(GamingDay::parse("2026-02-28").expect("a date").to_string(), "2026-02-28");
}

#[test]
fn the_largest_time_has_a_day() {
    let calendar = Calendar::new("06:00", "Asia/Singapore").expect("a calendar");
    calendar.day_of(Timestamp(u64::MAX));
    calendar.day_of(Timestamp(0));
}
