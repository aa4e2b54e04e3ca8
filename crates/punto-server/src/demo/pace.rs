//! How quickly people do things.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How quickly the demonstration goes: in real time, so many times as quick, or without any waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// So many times as quick as people are; 1 is real time.
    Times(u32),
    /// Nobody waits for anything.
    FlatOut,
}

/// No pace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no pace: 1 is real time, 10 is ten times as quick, or flat-out")]
pub struct PaceError(String);

impl Pace {
    /// The quickest that is still counted in times.
    const MOST: u32 = 1_000;

    /// How long something takes.
    pub fn of(self, time: Duration) -> Duration {
        match self {
            Pace::Times(factor) => time / factor.max(1),
            Pace::FlatOut => Duration::ZERO,
        }
    }

    /// So many seconds by the server's clock, which counts in whole ones.
    pub(super) fn seconds(self, seconds: u16) -> u16 {
        match self {
            Pace::Times(factor) => (u32::from(seconds) / factor.max(1)).clamp(1, 3600) as u16,
            Pace::FlatOut => 1,
        }
    }
}

impl From<u32> for Pace {
    /// So many times as quick; 0 for flat out.
    fn from(factor: u32) -> Pace {
        if factor == 0 { Pace::FlatOut } else { Pace::Times(factor) }
    }
}

impl FromStr for Pace {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Pace, PaceError> {
        if text == "flat-out" {
            return Ok(Pace::FlatOut);
        }
        let factor = text.parse().ok().filter(|factor| (1..=Pace::MOST).contains(factor));
        factor.map(Pace::Times).ok_or_else(|| PaceError(text.to_owned()))
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Times(factor) => factor.fmt(f),
            Pace::FlatOut => f.pad("flat-out"),
        }
    }
}

impl From<Pace> for crate::floor::Pace {
    fn from(pace: Pace) -> crate::floor::Pace {
        match pace {
            Pace::Times(factor) => crate::floor::Pace::REAL.times(factor),
            Pace::FlatOut => crate::floor::Pace::FLAT_OUT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_read_as_it_is_written() {
        for text in ["1", "25", "1000", "flat-out"] {
            assert_eq!(text.parse::<Pace>().expect("a pace").to_string(), text);
        }
        for text in ["0", "1001", "-1", "1.5", "fast", ""] {
            assert_eq!(text.parse::<Pace>(), Err(PaceError(text.to_owned())));
        }
    }

    #[test]
    fn waiting_gets_shorter_and_then_none() {
        let minute = Duration::from_secs(60);
        assert_eq!(Pace::Times(1).of(minute), minute);
        assert_eq!(Pace::Times(10).of(minute), Duration::from_secs(6));
        assert_eq!(Pace::FlatOut.of(minute), Duration::ZERO);
        assert_eq!([1, 4, 100].map(|factor| Pace::Times(factor).seconds(15)), [15, 3, 1]);
        assert_eq!(Pace::FlatOut.seconds(15), 1);
    }
}
