//! Codes as the app on a telephone makes them, for programs that sign in as somebody with a second factor.

use super::Error;
use crate::register::totp;

/// The code at this time of the system, in milliseconds since 1970, by the secret as it was told at enrolment.
///
/// # Errors
/// If that is no such secret.
pub fn code(secret: &str, now: u64) -> Result<String, Error> {
    let seed =
        totp::seed(secret).ok_or_else(|| Error::Unreadable("no secret of a second factor".to_owned()))?;
    Ok(totp::typed(&seed, totp::step(now)))
}
