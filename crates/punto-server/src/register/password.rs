//! Passwords: what is too easily guessed, and Argon2id.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};

use super::{Error, Refusal};

/// The fewest characters of a password.
pub const SHORTEST: usize = 12;

/// The most.
pub const MOST: usize = 256;

/// The worst that are long enough, in small letters.
const WORST: [&str; 16] = [
    "123456789012",
    "1234567890123",
    "12345678901234",
    "123456789012345",
    "1234567890123456",
    "123123123123",
    "password1234",
    "password12345",
    "passwordpassword",
    "qwertyuiop12",
    "qwertyuiop123",
    "qwertyuiopasdf",
    "letmeinletmein",
    "administrator",
    "administrator1",
    "baccarat1234",
];

/// How much work one hash is.
#[derive(Clone, Debug)]
pub struct Cost(Params);

impl Default for Cost {
    /// 19 MiB, twice over: the least that OWASP advises for Argon2id. More would let sign-ins take memory and time from
    /// the tables that the same process runs.
    fn default() -> Cost {
        Cost(Params::new(19 * 1024, 2, 1, None).expect("good parameters"))
    }
}

impl Cost {
    /// Hardly any. For tests and for floors without money.
    pub fn trifling() -> Cost {
        Cost(Params::new(Params::MIN_M_COST, 1, 1, None).expect("good parameters"))
    }

    /// A hash with a salt of its own, as a PHC string.
    pub(super) fn hash(&self, password: &str) -> Result<String, Error> {
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.0.clone());
        let hash: PasswordHash = hasher.hash_password(password.as_bytes()).map_err(Error::failed)?;
        Ok(hash.to_string())
    }
}

/// Whether it is the password of that hash. The hash says itself how much work it is.
pub(super) fn verify(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// Whether somebody may choose this password.
pub(super) fn suits(person: &str, password: &str) -> Result<(), Refusal> {
    if password.chars().count() > MOST {
        return Err(Refusal::PasswordTooLong);
    }
    let small = password.to_lowercase();
    if small.replace(&person.to_lowercase(), "").chars().count() < SHORTEST {
        return Err(Refusal::PasswordTooShort);
    }
    let different: std::collections::BTreeSet<char> = small.chars().collect();
    if different.len() < 5 || WORST.contains(&small.as_str()) {
        return Err(Refusal::PasswordTooCommon);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_easily_guessed_is_refused() {
        let cases = [
            ("d-1", "eleven char", Err(Refusal::PasswordTooShort)),
            ("d-1", "twelve chars", Ok(())),
            ("d-1", "D-1 twelve cha", Err(Refusal::PasswordTooShort)),
            ("supervisor-1", "Supervisor-1", Err(Refusal::PasswordTooShort)),
            ("d-1", "Administrator", Err(Refusal::PasswordTooCommon)),
            ("d-1", "abababababababab", Err(Refusal::PasswordTooCommon)),
            ("d-1", "百家樂的規則書有二十四頁呢", Ok(())),
        ];
        for (person, password, expected) in cases {
            assert_eq!(suits(person, password), expected, "{person} {password}");
        }
        assert_eq!(suits("d-1", &"abcdefg".repeat(40)), Err(Refusal::PasswordTooLong));
    }

    #[test]
    fn the_hash_is_argon2id_as_owasp_advises() {
        let hash = Cost::default().hash("twelve chars").expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(verify("twelve chars", &hash) && !verify("twelve charz", &hash));
    }
}
