//! Passwords: what is too easily guessed, and Argon2id.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};

use super::{Error, Refusal, guess};

/// The fewest characters of a password.
pub const SHORTEST: usize = 12;

/// The most.
pub const MOST: usize = 256;

/// The least that somebody must have to guess, in tenths of bits: some hundred million passwords. At five wrong ones in a
/// quarter of an hour that is for ever; for whoever has stolen the file it is years of hashing.
const LEAST: u32 = 280;

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

/// Whether somebody may choose this password. `names`: what anybody knows who works here, such as the names of the person and
/// of tables.
pub(super) fn suits(person: &str, names: &[String], password: &str) -> Result<(), Refusal> {
    if password.chars().count() > MOST {
        return Err(Refusal::PasswordTooLong);
    }
    let small = password.to_lowercase();
    if small.replace(&person.to_lowercase(), "").chars().count() < SHORTEST {
        return Err(Refusal::PasswordTooShort);
    }
    if guess::effort(password, &[]) < LEAST {
        return Err(Refusal::PasswordTooCommon);
    }
    let names: Vec<String> = names.iter().chain([&person.to_owned()]).flat_map(|name| parts(name)).collect();
    if guess::effort(password, &names) < LEAST { Err(Refusal::PasswordIsAName) } else { Ok(()) }
}

/// A name as people write it: whole, and each of its words.
fn parts(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut parts = vec![words.concat(), name.clone()];
    parts.extend(words.iter().map(|word| (*word).to_owned()));
    // Shorter ones are as quickly guessed letter by letter.
    parts.retain(|part| part.chars().count() >= 3);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suits(person: &str, password: &str) -> Result<(), Refusal> {
        super::suits(person, &["Tan Mei Ling".to_owned(), "etg-royal-7".to_owned()], password)
    }

    #[test]
    fn what_is_easily_guessed_is_refused() {
        let cases = [
            ("d-1", "eleven char", Err(Refusal::PasswordTooShort)),
            ("d-1", "twelve chars", Ok(())),
            ("d-1", "D-1 twelve cha", Err(Refusal::PasswordTooShort)),
            ("supervisor-1", "Supervisor-1", Err(Refusal::PasswordTooShort)),
            ("d-1", "百家樂的規則書有二十四頁呢", Ok(())),
            // Names of the person and of the house, with what people put behind them.
            ("d-1", "TanMeiLing2026!", Err(Refusal::PasswordIsAName)),
            ("d-1", "Mei-Ling.1985!!", Err(Refusal::PasswordIsAName)),
            ("d-1", "etg-royal-7-etg!", Err(Refusal::PasswordIsAName)),
            ("d-1", "31-12-1985-Tan!", Err(Refusal::PasswordIsAName)),
        ];
        for (person, password, expected) in cases {
            assert_eq!(suits(person, password), expected, "{person} {password}");
        }
        assert_eq!(suits("d-1", &"abcdefg".repeat(40)), Err(Refusal::PasswordTooLong));
    }

    /// Words, runs, sequences, repetitions and dates, alone and with each other, plainly and in disguise.
    #[test]
    fn patterns_are_refused_however_they_are_put_together() {
        let firsts = [
            "password", "Passw0rd", "P@$$w0rd", "Baccarat", "B4cc4r4t", "qwerty", "Summer", "iloveyou",
            "1q2w3e4r", "casino",
        ];
        let middles = ["", "-", "_", "!", "."];
        let lasts = [
            "1234567",
            "2026!!!!",
            "20261118",
            "18.11.2026",
            "qwertyuiop",
            "abcdefg",
            "7777777",
            "password",
            "8888!",
            "0987654321",
        ];
        let mut tried = 0;
        for first in firsts {
            for middle in middles {
                for last in lasts {
                    for password in [format!("{first}{middle}{last}"), format!("{last}{middle}{first}")] {
                        if password.chars().count() >= SHORTEST {
                            assert_eq!(
                                suits("d-1", &password),
                                Err(Refusal::PasswordTooCommon),
                                "{password}"
                            );
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert!(tried > 900, "{tried}");
        let others = [
            "123456789012",
            "1234567890123456",
            "123123123123",
            "passwordpassword",
            "letmeinletmein",
            "administrator",
            "Administrator1",
            "abababababababab",
            "aaaaaaaaaaaa",
            "qwertyuiopasdf",
            "1qaz2wsx3edc4rfv",
            "zxcvbnm,./zxcvbnm",
            "woaini1314520",
            "88888888888888",
            "trustno1trustno1",
            "abc123abc123",
        ];
        for password in others {
            assert_eq!(suits("d-1", password), Err(Refusal::PasswordTooCommon), "{password}");
        }
    }

    /// What nobody would try first is not refused: a rule that hits good passwords teaches people bad ones.
    #[test]
    fn sentences_and_chance_are_taken() {
        let good = [
            "seven brown horses",
            "nine yellow birds",
            "good enough for me",
            "a sentence that is long enough",
            "correct horse battery staple",
            "8f3a91c07be2d465",
            "kx7#Lq2v!Zr9",
            "wir essen um halb acht",
            "老虎對一百比一和局退回本金",
        ];
        for password in good {
            assert_eq!(suits("d-1", password), Ok(()), "{password}");
        }
    }

    #[test]
    fn the_hash_is_argon2id_as_owasp_advises() {
        let hash = Cost::default().hash("twelve chars").expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(verify("twelve chars", &hash) && !verify("twelve charz", &hash));
    }
}
