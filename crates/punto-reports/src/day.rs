//! Gaming days: from one morning to the next, by the clock on the wall of the floor.
//!
//! A day begins at an instant, so that no hour that the clock shows twice falls back into the day before, and an hour
//! that it leaves out begins nothing.

use std::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use punto_record::{Settings, Timestamp};
use serde::{Serialize, Serializer};

/// A gaming day, named by the date on which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamingDay(Date);

impl GamingDay {
    /// Reads `2026-01-31`.
    ///
    /// # Errors
    /// Text that is no date.
    pub fn parse(text: &str) -> Result<GamingDay, DayError> {
        let day: Result<Date, _> = text.parse();
        day.map(GamingDay).map_err(|_| DayError::Date(text.chars().take(40).collect()))
    }
}

impl fmt::Display for GamingDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl Serialize for GamingDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why no gaming day can be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DayError {
    /// A zone that is not in the time-zone database.
    #[error("`{0}` is no time zone; write it like `Asia/Singapore`")]
    Zone(String),
    /// A time that is not of the form `06:00`.
    #[error("`{0}` is no time of day; write it like `06:00`")]
    Time(String),
    /// Text that is no date.
    #[error("`{0}` is no date; write it like `2026-01-31`")]
    Date(String),
}

/// When gaming days begin, and where.
#[derive(Clone, Debug)]
pub struct Calendar {
    begins: Time,
    zone: TimeZone,
}

impl Calendar {
    /// Days that begin at a time of the wall clock in a zone.
    ///
    /// # Errors
    /// A zone that nobody knows, or a time that is none.
    pub fn new(begins: &str, zone: &str) -> Result<Calendar, DayError> {
        let found = TimeZoneDatabase::bundled().get(zone);
        let zone = found.map_err(|_| DayError::Zone(zone.chars().take(40).collect()))?;
        Ok(Calendar { begins: time(begins)?, zone })
    }

    /// The calendar of a table.
    ///
    /// # Errors
    /// As [`Calendar::new`].
    pub fn of(settings: &Settings) -> Result<Calendar, DayError> {
        Calendar::new(&settings.gaming_day, &settings.time_zone)
    }

    /// The days of UTC, for what concerns no table.
    pub fn utc() -> Calendar {
        Calendar { begins: Time::midnight(), zone: TimeZone::UTC }
    }

    /// The gaming day of an instant.
    pub fn day_of(&self, at: Timestamp) -> GamingDay {
        let instant = instant(at);
        let date = instant.to_zoned(self.zone.clone()).date();
        let has_begun = self.begin(date).is_none_or(|begin| begin <= instant);
        if has_begun { GamingDay(date) } else { GamingDay(date.yesterday().unwrap_or(date)) }
    }

    /// The wall clock at an instant: `2026-01-31 06:00:00`.
    pub fn clock(&self, at: Timestamp) -> String {
        let it = instant(at).to_zoned(self.zone.clone());
        let (date, hour, minute, second) = (GamingDay(it.date()), it.hour(), it.minute(), it.second());
        format!("{date} {hour:02}:{minute:02}:{second:02}")
    }

    /// The instant at which a date's gaming day begins: the first time that the clock shows the hour or, where it jumps
    /// over it, as long after as the jump.
    fn begin(&self, date: Date) -> Option<jiff::Timestamp> {
        self.zone.to_ambiguous_zoned(date.to_datetime(self.begins)).compatible().ok().map(|it| it.timestamp())
    }
}

fn time(text: &str) -> Result<Time, DayError> {
    let wrong = || DayError::Time(text.chars().take(40).collect());
    let (hour, minute) = text.split_once(':').ok_or_else(wrong)?;
    let number = |digits: &str| if digits.len() == 2 { digits.parse::<i8>().ok() } else { None };
    let (hour, minute) = (number(hour).ok_or_else(wrong)?, number(minute).ok_or_else(wrong)?);
    Time::new(hour, minute, 0, 0).map_err(|_| wrong())
}

/// An instant; beyond the year 9999, the last there is.
fn instant(at: Timestamp) -> jiff::Timestamp {
    let milliseconds = i64::try_from(at.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX)
}
