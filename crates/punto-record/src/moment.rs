//! A date and time with its offset from UTC, as a document states it: `2024-12-06T08:00:00+08:00`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A date and time with its offset from UTC. It is written as it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    at: Timestamp,
    /// Minutes east of Greenwich.
    offset: i16,
}

/// It is not a date and time with an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date and time is written with its offset from UTC, as in 2024-12-06T08:00:00+08:00")]
pub struct MomentError;

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;
/// No place is further from Greenwich.
const FURTHEST: i16 = 14 * 60;

impl Moment {
    /// The moment itself.
    ///
    /// ```
    /// use punto_record::Moment;
    /// let moment: Moment = "2024-12-06T08:00:00+08:00".parse().unwrap();
    /// assert_eq!(moment.to_string(), "2024-12-06T08:00:00+08:00");
    /// assert_eq!(moment.at(), "2024-12-06T00:00:00Z".parse::<Moment>().unwrap().at());
    /// assert!("2024-12-06T08:00:00".parse::<Moment>().is_err());
    /// ```
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// The same moment in Greenwich.
    pub const fn utc(at: Timestamp) -> Moment {
        Moment { at: Timestamp(at.0 / 1000 * 1000), offset: 0 }
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a day counted from 1970-01-01.
const fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
}

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Moment, MomentError> {
        parse(text).ok_or(MomentError)
    }
}

fn parse(text: &str) -> Option<Moment> {
    let number = |part: &str, least: i64, most: i64| -> Option<i64> {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|it| digits && (least..=most).contains(it))
    };
    if !text.is_ascii() || text.len() < 20 {
        return None;
    }
    let (local, zone) = text.split_at(19);
    let at = |from: usize, to: usize| local.get(from..to);
    let marks = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")];
    if !marks.iter().all(|(place, mark)| at(*place, place + 1) == Some(mark)) {
        return None;
    }
    let (year, month) = (number(at(0, 4)?, 1970, 9999)?, number(at(5, 7)?, 1, 12)?);
    let day = number(at(8, 10)?, 1, 31)?;
    if date(days(year, month, day)) != (year, month, day) {
        return None;
    }
    let (hour, minute) = (number(at(11, 13)?, 0, 23)?, number(at(14, 16)?, 0, 59)?);
    let second = number(at(17, 19)?, 0, 59)?;
    let offset = match zone.split_at_checked(1)? {
        ("Z", "") => 0,
        (sign @ ("+" | "-"), rest) => {
            let (hours, minutes) = rest.split_once(':')?;
            if (hours.len(), minutes.len()) != (2, 2) {
                return None;
            }
            let minutes = number(hours, 0, 14)? * 60 + number(minutes, 0, 59)?;
            if sign == "-" { -minutes } else { minutes }
        }
        _ => return None,
    };
    let offset = i16::try_from(offset).ok().filter(|it| it.abs() <= FURTHEST)?;
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    let seconds = u64::try_from(seconds - i64::from(offset) * 60).ok()?;
    Some(Moment { at: Timestamp(seconds * 1000), offset })
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shift = u64::from(self.offset.unsigned_abs()) * MINUTE;
        let local = if self.offset < 0 { self.at.0.saturating_sub(shift) } else { self.at.0 + shift };
        let (year, month, day) = date((local / DAY) as i64);
        let second = local % DAY / 1000;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let (sign, minutes) = (if self.offset < 0 { '-' } else { '+' }, self.offset.unsigned_abs());
        match minutes {
            0 => f.write_str("Z"),
            _ => write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60),
        }
    }
}

impl TryFrom<String> for Moment {
    type Error = MomentError;

    fn try_from(text: String) -> Result<Moment, MomentError> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.to_string()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A date and time with its offset from UTC, as in 2024-12-06T08:00:00+08:00.",
            "type": "string",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_centuries_is_read_as_it_is_written() {
        for day in 0..146_097 {
            let at = Timestamp(day * DAY + 8 * 60 * MINUTE);
            let text = Moment::utc(at).to_string();
            assert_eq!(text.parse::<Moment>().map(|it| it.at()), Ok(at), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "2024-12-06",
            "2024-12-06T08:00:00",
            "2024-12-06 08:00:00Z",
            "2023-02-29T08:00:00Z",
            "2024-13-06T08:00:00Z",
            "2024-12-06T24:00:00Z",
            "2024-12-06T08:00:00+8:00",
            "2024-12-06T08:00:00+14:01",
            "2024-12-06T08:00:00.5Z",
            "1969-12-31T23:00:00Z",
            "1970-01-01T00:00:00+08:00",
            "２024-12-06T08:00:00Z",
        ] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
        let west: Moment = "2024-12-06T08:00:00-03:30".parse().expect("a moment");
        assert_eq!(west.to_string(), "2024-12-06T08:00:00-03:30");
        assert_eq!(west.at(), "2024-12-06T11:30:00Z".parse::<Moment>().expect("a moment").at());
    }
}
