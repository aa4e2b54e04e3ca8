//! One-time codes by the clock (RFC 6238): HMAC-SHA-1, six digits, half a minute each, as every app makes them.

use data_encoding::BASE32_NOPAD;
use punto_ledger::FactorSeed;
use ring::hmac;

/// How long a code stands, in milliseconds.
const STEP: u64 = 30_000;

/// Codes a step before and after the present one are taken: clocks differ, and people type slowly.
const AROUND: u64 = 1;

/// The number of codes with six digits.
const CODES: u32 = 1_000_000;

/// The step of a time.
pub(crate) const fn step(now: u64) -> u64 {
    now / STEP
}

/// The code of a step.
fn code(seed: &[u8], step: u64) -> u32 {
    // SHA-1 is what the apps know; nothing here rests on its collisions (RFC 6238, 1.2; RFC 4226, appendix B.1).
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, seed);
    let mac = hmac::sign(&key, &step.to_be_bytes());
    let mac = mac.as_ref();
    // RFC 4226, 5.3: four bytes from where the last half byte says, without the sign.
    let at = usize::from(mac[mac.len() - 1] & 0xf);
    let four = mac[at..at + 4].try_into().expect("twenty bytes");
    (u32::from_be_bytes(four) & 0x7fff_ffff) % CODES
}

/// The code of a step as it is typed.
pub(crate) fn typed(seed: &FactorSeed, step: u64) -> String {
    format!("{:06}", code(seed.bytes(), step))
}

/// The steps at this time whose code somebody typed: the present one first. All of them are worked out, whatever the
/// first says.
pub(super) fn steps(seed: &FactorSeed, shown: &str, now: u64) -> Vec<u64> {
    let digits: String = shown.chars().filter(|c| !c.is_whitespace()).collect();
    let shown = (digits.len() == 6).then(|| digits.parse::<u32>().ok()).flatten();
    let present = step(now);
    let around = (1..=AROUND).flat_map(|by| [present.checked_sub(by), present.checked_add(by)]);
    let steps = std::iter::once(Some(present)).chain(around).flatten();
    steps.filter(|step| Some(code(seed.bytes(), *step)) == shown).collect()
}

/// A seed as it is typed into an app by hand.
pub(super) fn secret(seed: &FactorSeed) -> String {
    BASE32_NOPAD.encode(seed.bytes())
}

/// The seed that was typed.
pub(crate) fn seed(secret: &str) -> Option<FactorSeed> {
    let bytes = BASE32_NOPAD.decode(secret.as_bytes()).ok()?;
    bytes.try_into().ok().map(FactorSeed::from_bytes)
}

/// What an app reads from a QR code. The names are of letters, digits and hyphens only.
pub(super) fn uri(seed: &FactorSeed, house: &str, person: &str) -> String {
    let secret = secret(seed);
    format!(
        "otpauth://totp/{house}:{person}?secret={secret}&issuer={house}&algorithm=SHA1&digits=6&period=30"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, for SHA-1; its codes have eight digits, of which an app shows the last six.
    #[test]
    fn codes_are_those_of_the_rfc() {
        let vectors = [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ];
        let seed = FactorSeed::from_bytes(*b"12345678901234567890");
        for (seconds, expected) in vectors {
            assert_eq!(typed(&seed, step(seconds * 1_000)), expected[2..], "{seconds}");
        }
        assert_eq!(secret(&seed), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    }

    /// RFC 4226, appendix D.
    #[test]
    fn codes_of_the_first_steps_are_those_of_the_other_rfc() {
        let all = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
            "520489",
        ];
        let seed = FactorSeed::from_bytes(*b"12345678901234567890");
        assert!((0..).zip(all).all(|(step, code)| typed(&seed, step) == code));
    }

    #[test]
    fn a_code_is_good_for_its_step_and_one_around_it() {
        let seed = FactorSeed::from_bytes([7; 20]);
        let now = 1_767_225_600_000;
        let present = step(now);
        for by in -3_i64..=3 {
            let at = present.saturating_add_signed(by);
            let expected: &[u64] = if by.abs() <= 1 { &[at] } else { &[] };
            assert_eq!(steps(&seed, &typed(&seed, at), now), expected, "{by}");
        }
        let spaced = format!(" {} {} ", &typed(&seed, present)[..3], &typed(&seed, present)[3..]);
        assert_eq!(steps(&seed, &spaced, now), [present]);
        for wrong in ["", "12345", "1234567", "abcdef", "+12345", "-12345", "１２３４５６"] {
            assert_eq!(steps(&seed, wrong, now), [0; 0], "{wrong}");
        }
        // At the beginning of time there is no step before.
        assert_eq!(steps(&seed, &typed(&seed, 1), 0), [1]);
    }
}
