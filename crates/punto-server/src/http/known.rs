//! What browsers and consoles show so that they are known: then strangers who guess passwords do not lock out whoever works
//! at them.
//!
//! A browser gets a cookie for each person who signs in there. It opens nothing by itself; it only keeps that person's
//! attempts in this browser apart from everybody else's.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};
use punto_record::{Digest, Person};
use sha2::{Digest as _, Sha256};

use super::answer::Problem;
use super::guard::{Caller, cookie_named, cookies};
use super::limit::Counted;
use crate::app::{App, Door};
use crate::register::{Device, DeviceKind, KNOWN_FOR, Source};

/// The header in which a console shows its credential when somebody signs in at it.
pub const DEVICE: &str = "x-punto-device";

/// How the cookies begin by which a browser is known.
const PREFIX: &str = "punto-known-";

/// Cookies of other people that are looked at, at most.
const MOST: usize = 32;

/// The name of a person's cookie. Who looks into a browser does not see at once who has worked there.
fn name(person: &str) -> String {
    let digest: [u8; 32] = Sha256::new()
        .chain_update("punto known ")
        .chain_update(person.to_ascii_lowercase())
        .finalize()
        .into();
    format!("{PREFIX}{}", &Digest(digest).to_string()[..16])
}

impl App {
    /// From where somebody tries to be this person.
    pub(super) async fn source(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        person: &str,
    ) -> Result<Source, Problem> {
        if let Some(console) = self.console(headers, caller).await? {
            return Ok(Source::Device(console.id));
        }
        if let Some(shown) = cookie_named(headers, &name(person)) {
            let person = person.to_owned();
            let source = self.ask(move |register, now| register.browser(Some(&person), &shown, now)).await?;
            if source.is_known() {
                return Ok(source);
            }
        }
        Ok(caller.staff().map_or(Source::Unknown, |staff| Source::ScreenOf(staff.person.clone())))
    }

    /// As whose guesses a request counts: those of a known place, or of the address that it comes from.
    pub(super) async fn counted(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        from: Option<IpAddr>,
    ) -> Result<Counted, Problem> {
        if let Some(staff) = caller.staff() {
            return Ok(Counted::Known(format!("person {}", staff.person)));
        }
        if let Some(console) = self.console(headers, caller).await? {
            return Ok(Counted::Known(format!("device {}", console.id)));
        }
        let shown: Vec<String> = cookies(headers)
            .filter(|(name, _)| name.starts_with(PREFIX))
            .map(|(_, value)| value.to_owned())
            .take(MOST)
            .collect();
        for shown in shown {
            let source = self.ask(move |register, now| register.browser(None, &shown, now)).await?;
            if let Some(name) = source.name() {
                return Ok(Counted::Known(name));
            }
        }
        Ok(Counted::From(from))
    }

    /// The console that a request comes from. Other devices stand where patrons are, and are nothing to staff.
    async fn console(&self, headers: &HeaderMap, caller: &Caller) -> Result<Option<Device>, Problem> {
        let device = match (caller, headers.get(DEVICE).and_then(|shown| shown.to_str().ok())) {
            (Caller::Device(device), _) => Some(device.clone()),
            (Caller::Nobody | Caller::Staff(..), Some(shown)) => {
                let shown = shown.to_owned();
                self.ask(move |register, _| register.device(&shown)).await?
            }
            (Caller::Nobody | Caller::Staff(..), None) => None,
        };
        Ok(device.filter(|device| matches!(device.kind, DeviceKind::Console { .. })))
    }

    /// Makes the browser known in which somebody has just shown that it is them: a cookie for it to keep.
    pub(super) async fn know_browser(
        &self,
        headers: &mut HeaderMap,
        person: &Person,
        before: Source,
    ) -> Result<(), Problem> {
        let known = person.clone();
        let secret = self.ask(move |register, now| register.know_browser(&known, &before, now)).await?;
        headers.append(header::SET_COOKIE, set_cookie(&self.door, &name(person.as_str()), &secret.text())?);
        Ok(())
    }
}

fn set_cookie(door: &Door, name: &str, value: &str) -> Result<HeaderValue, Problem> {
    let (secure, seconds) = (if door.secure { "; Secure" } else { "" }, KNOWN_FOR / 1000);
    let cookie = format!("{name}={value}; Path=/api; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&cookie).map_err(Problem::internal)
}
