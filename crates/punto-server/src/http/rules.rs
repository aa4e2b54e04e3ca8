//! Approved rules: which texts there are, what the house has recorded about them, and its own adoption of the
//! interpretations (interpretation 33). The register records approvals; it gives none.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{
    Approvals, Deed, DeedKind, Digest, HouseEntry, LedgerKind, Moment, Person, Seq, Timestamp, Volume, digest,
};
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::{Route, Who};
use super::staff::ADMINISTRATORS;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;
use crate::role::Role;

/// The interpretations as this software carries them out.
const INTERPRETATIONS: &str = include_str!("../../../../docs/interpretations.md");

/// The routes of this file. What takes two waits for the second person's signature, then it is recorded.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/rules", "Rule books and their approvals", Who::Staff(&Role::ALL), list)
            .gives::<Rules>(),
        Route::post(
            "/api/rules/approvals",
            "Have an approval wait for its second person",
            ADMINISTRATORS,
            approve,
        )
        .takes::<RecordApproval>()
        .gives::<Pending>(),
        Route::post(
            "/api/rules/withdrawals",
            "Have a withdrawal wait for its second person",
            ADMINISTRATORS,
            withdraw,
        )
        .takes::<RecordWithdrawal>()
        .gives::<Pending>(),
        Route::post(
            "/api/rules/interpretations",
            "Have the adoption of the interpretations wait for its second person",
            ADMINISTRATORS,
            adopt,
        )
        .takes::<AdoptInterpretations>()
        .gives::<Pending>(),
        Route::post("/api/rules/record", "Record what a second person signed", ADMINISTRATORS, record)
            .takes::<Signed>()
            .gives::<Recorded>(),
    ]
}

/// Rule books and what the house has recorded about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// What the ledger is for. Only a house asks for approvals.
    pub kind: LedgerKind,
    /// Every text that is shipped or that something was recorded about.
    pub rules: Vec<RulesListed>,
    /// The interpretations as shipped.
    pub interpretations: Interpretations,
}

/// A rule book, known by the digest of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesListed {
    /// The game.
    pub game: String,
    /// The version of the document, where it has one.
    pub version: String,
    /// The digest of the text.
    pub digest: Digest,
    /// Whether it comes with this software.
    pub shipped: bool,
    /// How it stands now.
    pub state: RulesState,
    /// What was recorded last about it.
    pub approval: Option<Recording>,
}

/// How a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RulesState {
    /// No approval is on record.
    Pending,
    /// Approved, and not in force yet.
    Approved,
    /// In force.
    InForce,
    /// Withdrawn.
    Withdrawn,
}

/// An approval as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recording {
    /// The entry of the house that records it.
    pub entry: Seq,
    /// Who approved.
    pub authority: String,
    /// Under which reference.
    pub reference: String,
    /// For whom.
    pub operator: String,
    /// Which document.
    pub document: String,
    /// From when.
    pub in_force: Moment,
    /// Whether cards of software are expressly allowed.
    pub software_cards: bool,
    /// Who recorded it, and who signed with them.
    pub by: Option<Person>,
    /// The second of them.
    pub second: Person,
    /// Until when, if it was withdrawn.
    pub withdrawn: Option<Timestamp>,
}

/// The interpretations, and whether the house has adopted them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Interpretations {
    /// The digest of their text as shipped.
    pub digest: Digest,
    /// The entry of the house by which it adopted this text, if it has.
    pub adopted: Option<Seq>,
    /// When.
    pub at: Option<Timestamp>,
}

/// Records an approval.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordApproval {
    /// The game.
    pub game: Arc<str>,
    /// The version of the document; empty where it has none.
    pub version: Arc<str>,
    /// The digest of the rule book's text.
    pub digest: Digest,
    /// Who approved.
    pub authority: Arc<str>,
    /// Under which reference.
    pub reference: Arc<str>,
    /// For whom.
    pub operator: Arc<str>,
    /// Which document.
    pub document: Arc<str>,
    /// From when, with the offset from UTC.
    pub in_force: Moment,
    /// Whether the approval expressly allows cards of software.
    #[serde(default)]
    pub software_cards: bool,
    /// What was compared with the document, and how.
    pub compared: Arc<str>,
    /// Who signs as well.
    pub second: String,
}

/// Records that an approval was withdrawn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordWithdrawal {
    /// The digest of the rule book's text.
    pub digest: Digest,
    /// From when; now, if nothing is said. A Round in play is finished.
    #[serde(default)]
    pub at: Option<Moment>,
    /// Why.
    pub reason: Arc<str>,
    /// Who signs as well.
    pub second: String,
}

/// Adopts the interpretations as shipped.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdoptInterpretations {
    /// The digest of the text that was read, so that nobody adopts another.
    pub digest: Digest,
    /// Who signs as well.
    pub second: String,
}

/// It was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The entry of the house.
    pub entry: Seq,
}

/// The rule books that come with this software: game, version, digest.
fn shipped() -> impl Iterator<Item = (String, String, Digest)> {
    APPROVED.iter().filter_map(|(_, text)| {
        let book = Rulebook::parse(text).ok()?;
        let version = book.version.map_or_else(String::new, |version| version.to_string());
        Some((book.game, version, digest(text.as_bytes())))
    })
}

async fn list(State(app): State<App>) -> Result<Json<Rules>, Problem> {
    let deeds = app.floor.read(|reader| {
        let mut deeds = Vec::new();
        reader.entries_of(&Volume::House, Seq(0), &mut |stored| {
            // What cannot be read is the audit's business.
            if let Ok(entry) = serde_json::from_slice::<HouseEntry>(stored.bytes) {
                deeds.push(entry);
            }
            ControlFlow::Continue(())
        })?;
        Ok(deeds)
    });
    let (deeds, now, approvals) = (deeds.await?, app.clock.now(), app.floor.approvals());
    Ok(Json(Rules::of(app.floor.kind(), &deeds, &approvals, now)))
}

impl Rules {
    /// The rule books that are shipped and those that something was recorded about, as they stand at that moment.
    pub fn of(kind: LedgerKind, deeds: &[HouseEntry], approvals: &Approvals, now: Timestamp) -> Rules {
        let mut rules: Vec<RulesListed> = shipped().map(pending).collect();
        let read = digest(INTERPRETATIONS.as_bytes());
        let mut interpretations = Interpretations { digest: read, adopted: None, at: None };
        for entry in deeds {
            if let Deed::ReadingsAdopted { digest, .. } = &entry.deed
                && *digest == read
            {
                (interpretations.adopted, interpretations.at) = (Some(entry.seq), Some(entry.at));
            }
            let Some((game, version, digest, recording)) = recording(entry) else { continue };
            let known = approvals.iter().find(|it| it.deed.seq == entry.seq);
            let withdrawn = known.and_then(|it| it.withdrawn);
            let state = match known {
                Some(it) if it.is_in_force(now) => RulesState::InForce,
                Some(it) if it.withdrawn.is_some_and(|withdrawn| withdrawn < now) => RulesState::Withdrawn,
                Some(_) => RulesState::Approved,
                // Just being withdrawn.
                None => RulesState::Withdrawn,
            };
            let approval = Some(Recording { withdrawn, ..recording });
            match rules.iter_mut().find(|it| it.digest == digest) {
                Some(it) => (it.state, it.approval) = (state, approval),
                None => rules.push(RulesListed { game, version, digest, shipped: false, state, approval }),
            }
        }
        Rules { kind, rules, interpretations }
    }
}

impl RulesState {
    /// The word for it.
    pub const fn id(self) -> &'static str {
        match self {
            RulesState::Pending => "pending",
            RulesState::Approved => "approved",
            RulesState::InForce => "in-force",
            RulesState::Withdrawn => "withdrawn",
        }
    }
}

/// A shipped text about which nothing was recorded.
fn pending((game, version, digest): (String, String, Digest)) -> RulesListed {
    RulesListed { game, version, digest, shipped: true, state: RulesState::Pending, approval: None }
}

/// What an entry of the house records about a text.
fn recording(entry: &HouseEntry) -> Option<(String, String, Digest, Recording)> {
    let Deed::RulesApproved {
        game,
        version,
        digest,
        authority,
        reference,
        operator,
        document,
        in_force,
        software_cards,
        second,
        compared: _,
    } = &entry.deed
    else {
        return None;
    };
    let recording = Recording {
        entry: entry.seq,
        authority: authority.to_string(),
        reference: reference.to_string(),
        operator: operator.to_string(),
        document: document.to_string(),
        in_force: *in_force,
        software_cards: *software_cards,
        by: entry.by.person().cloned(),
        second: second.clone(),
        withdrawn: None,
    };
    Some((game.to_string(), version.to_string(), *digest, recording))
}

async fn approve(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<RecordApproval>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let RecordApproval { game, version, digest, authority, reference, operator, document, .. } = asked;
    let RecordApproval { in_force, software_cards, compared, second, .. } = asked;
    for (what, words) in [
        ("game", &game),
        ("authority", &authority),
        ("reference", &reference),
        ("operator", &operator),
        ("document", &document),
        ("compared", &compared),
    ] {
        said(what, words)?;
    }
    // A shipped text is what it is; whoever names it otherwise means another one.
    if let Some((own_game, own_version, _)) = shipped().find(|(.., it)| *it == digest)
        && (own_game.as_str(), own_version.as_str()) != (&*game, &*version)
    {
        let words = format!("this digest is that of {own_game} {own_version}");
        return Err(Problem::Conflict("another-text", words.trim_end().to_owned()));
    }
    let second = app.agrees(second).await?;
    let deed = Deed::RulesApproved {
        game,
        version,
        digest,
        authority,
        reference,
        operator,
        document,
        in_force,
        software_cards,
        second,
        compared,
    };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn withdraw(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<RecordWithdrawal>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let RecordWithdrawal { digest, at, reason, second } = asked;
    said("reason", &reason)?;
    if !app.floor.approvals().iter().any(|it| it.digest == digest && it.withdrawn.is_none()) {
        let words = "no approval of this text is on record, or it was withdrawn".to_owned();
        return Err(Problem::Conflict("not-approved", words));
    }
    let second = app.agrees(second).await?;
    let at = at.unwrap_or_else(|| Moment::utc(app.clock.now()));
    let deed = Deed::RulesWithdrawn { digest, at, second, reason };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn adopt(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<AdoptInterpretations>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let AdoptInterpretations { digest: read, second } = asked;
    if read != digest(INTERPRETATIONS.as_bytes()) {
        let words = "these are not the interpretations that this software carries out".to_owned();
        return Err(Problem::Conflict("another-text", words));
    }
    let second = app.agrees(second).await?;
    let deed = Deed::ReadingsAdopted { digest: read, second };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

fn said(what: &str, words: &str) -> Result<(), Problem> {
    match words.trim() {
        "" => Err(Problem::Malformed(format!("`{what}` says nothing"))),
        _ => Ok(()),
    }
}

/// Writes down what was signed, and reads the register again whether or not that could be done.
async fn record(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Recorded>), Problem> {
    let is_it = |held: &PendingDeed| {
        let kind = held.deed.kind();
        matches!(kind, DeedKind::RulesApproved | DeedKind::RulesWithdrawn | DeedKind::ReadingsAdopted)
    };
    let deed = app.signed(&pending, &staff, is_it)?;
    if let Deed::RulesWithdrawn { digest, at, .. } = &deed
        && at.at() <= app.clock.now()
    {
        app.floor.withhold(*digest);
    }
    let written = app.deeds.write(staff.role.actor(staff.person), deed).await;
    app.floor.read_approvals().await?;
    Ok((StatusCode::CREATED, Json(Recorded { entry: written? })))
}
