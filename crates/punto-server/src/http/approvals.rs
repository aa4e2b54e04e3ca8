//! Approvals: what is to be answered for waits here under a name; whoever answers for it is shown what it says and signs
//! exactly that with their password, at the screen that asks or at any other.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use punto_record::{Command, CommandKind, Deed, Digest, Person, RoundNo, TableId, unfit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::guard::Caller;
use super::route::{Route, Who};
use super::tables::SETS_UP;
use crate::app::App;
use crate::pending::{Asked, Pending, PendingDeed, PendingMatter, PendingOrder, Signer, Unfit};
use crate::register::{PasswordAndCode, Register, Secret, Source, Staff};
use crate::role::Role;
use crate::wire::Screen;

/// Everybody who gives orders or deeds.
const WORKS: [Role; 7] = [
    Role::Dealer,
    Role::PitSupervisor,
    Role::PitManager,
    Role::ShiftManager,
    Role::DutyManager,
    Role::Cashier,
    Role::Administrator,
];

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let anybody = Who::DeviceOrStaff(&[Screen::Console], &Role::ALL);
    vec![
        Route::post(
            "/api/tables/{table}/pending",
            "Have an order wait for signatures",
            Who::Staff(&WORKS),
            propose,
        )
        .takes::<Propose>()
        .gives::<Pending>(),
        Route::get("/api/pending", "What waits for one's own signature", Who::Staff(&WORKS), list)
            .gives::<Vec<Pending>>()
            .unattended(),
        Route::get(
            "/api/pending/{pending}",
            "One that one asked for or is to sign",
            Who::Staff(&WORKS),
            show,
        )
        .gives::<Pending>()
        .unattended(),
        Route::delete("/api/pending/{pending}", "Take back what one asked for", Who::Staff(&WORKS), withdraw),
        Route::post("/api/approvals", "Sign what waits, with one's password", anybody, approve)
            .takes::<Approve>()
            .gives::<Pending>()
            .guessable(),
    ]
}

/// Has an order wait for signatures.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Propose {
    /// Who gives it and answers for it: whoever is signed in, or somebody else.
    pub by: String,
    /// The Round that it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
    /// The order. A second person that it names signs as well; the post in which they agree is filled in.
    pub command: Command,
}

/// Answers for one order.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approve {
    /// What is signed.
    pub pending: String,
    /// Who signs: whoever is signed in, or somebody else who has come to the screen.
    pub person: String,
    /// Their password.
    pub password: String,
    /// The code of their second factor, or a recovery code. Whoever signs in a session of their own, or has no second factor,
    /// needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl From<Unfit> for Problem {
    fn from(unfit: Unfit) -> Problem {
        match unfit {
            Unfit::Gone => gone(),
            Unfit::NotTheirs => Problem::NotAllowed,
        }
    }
}

fn gone() -> Problem {
    let words = "that order no longer waits: it is too old, was taken back, or what it is about has changed";
    Problem::Conflict("pending-gone", words.to_owned())
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Named(table): Named<TableId>,
    Body(asked): Body<Propose>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let Propose { by, round, mut command } = asked;
    let kind = command.kind();
    // What is signed is what will be recorded, and no number of a ticket is.
    if command.presented().is_some() {
        command = app
            .floor
            .ledger()
            .with(move |vault| vault.find_presented(&mut command).map(|()| command))
            .await?;
    }
    let giver = app.signer(by).await?;
    let mut signers = vec![giver.clone()];
    if let Some(second) = command.second() {
        let second = app.signer(second.to_string()).await?;
        if second.person == giver.person {
            return Err(Problem::Conflict("one-person", "the second person is another one".to_owned()));
        }
        // Settings are agreed to by those who set them, some of whom have no post on the floor.
        let sets = matches!(kind, CommandKind::OpenTable | CommandKind::ChangeSettings);
        match second.role.post() {
            Some(post) if command.second_post().is_none_or(|asked| asked <= post) => {
                command.agreed_to_in(&second.person, post);
            }
            None if sets && second.role == Role::Administrator => {}
            Some(_) | None => return Err(Problem::NotAllowed),
        }
        signers.push(second);
    }
    // Where all that an order is about stands in it, it is not tied to a Round.
    let round = round.filter(|_| !kind.facts().is_beside_play || kind.facts().names_its_round);
    let (basis, matter) = app.about(&table, &command).await?;
    let reason = command.reason().map(|reason| reason.to_string());
    let by = giver.role.actor(giver.person.clone());
    let order = PendingOrder { table, round, by, kind, command, reason, matter };
    let pending = app.hold(staff, signers, Some(order), None, basis)?;
    Ok((StatusCode::CREATED, Json(pending)))
}

async fn list(State(app): State<App>, staff: Staff) -> Json<Vec<Pending>> {
    Json(app.pendings.for_signer(&staff.person, app.clock.now()))
}

async fn show(
    State(app): State<App>,
    staff: Staff,
    Named(pending): Named<String>,
) -> Result<Json<Pending>, Problem> {
    let shown = app.pendings.show(&pending, Some(&staff.session), &staff.person, app.clock.now());
    let (told, basis) = shown?;
    app.is_as_it_was(&told, basis).await?;
    Ok(Json(told))
}

async fn withdraw(
    State(app): State<App>,
    staff: Staff,
    Named(pending): Named<String>,
) -> Result<StatusCode, Problem> {
    let now = app.clock.now();
    let (told, _) = app.pendings.show(&pending, Some(&staff.session), &staff.person, now)?;
    if told.asked_by != staff.person {
        return Err(Problem::NotAllowed);
    }
    app.pendings.drop_it(&pending, now);
    Ok(StatusCode::NO_CONTENT)
}

async fn approve(
    State(app): State<App>,
    caller: Caller,
    shown: HeaderMap,
    Body(asked): Body<Approve>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let Approve { pending, person, password, code } = asked;
    let session = caller.staff().map(|staff| staff.session.clone());
    let source = app.source(&shown, &caller, &person).await?;
    // Their session was opened with the second factor, and a code is good once: who signs three times in a minute there, gives
    // the password three times.
    let in_own_session = caller.staff().is_some_and(|it| it.person.as_str().eq_ignore_ascii_case(&person));
    let deeds = app.deeds.clone();
    let confirm = move |register: &Register, source: &Source, now| {
        let given = PasswordAndCode { password: &password, code: code.as_deref(), in_own_session };
        register.confirm_with(source, &person, &given, now, |used| used.write(&deeds))
    };
    let known = app.ask_with_password(source, confirm).await?;
    if known.must_enrol {
        return Err(Problem::FactorNeeded);
    }
    let (told, basis) = app.pendings.show(&pending, session.as_deref(), &known.person, app.clock.now())?;
    let theirs = |it: &Signer| it.person == known.person && it.role == known.role;
    if !told.signers.iter().any(theirs) {
        return Err(Problem::NotAllowed);
    }
    app.is_as_it_was(&told, basis).await?;
    let by = app.floor.ledger().staff().employed(&known.person).filter(|it| it.enabled);
    let by = by.filter(|it| *it.role == *known.role.id()).ok_or(Problem::NotAllowed)?.deed;
    let order = told.order.as_ref();
    let deed = Deed::ApprovalGiven {
        digest: Some(told.digest),
        table: order.map(|order| order.table.clone()),
        round: order.and_then(|order| order.round),
        factor: known.factor,
    };
    app.deeds.write(known.role.actor(known.person.clone()), deed).await?;
    let signed = app.pendings.sign(&pending, &known.person, known.role, by, app.clock.now())?;
    Ok((StatusCode::CREATED, Json(signed)))
}

impl App {
    /// Somebody who could sign. Whether there is such a person is told to nobody.
    pub(super) async fn signer(&self, person: String) -> Result<Signer, Problem> {
        let found = self.ask(move |register, now| Ok(register.member(&person, now).ok())).await?;
        let member = found.filter(|member| member.enabled && member.password).ok_or(Problem::NotSignedIn)?;
        Ok(Signer { person: member.person, name: member.name, role: member.role, signed: false })
    }

    /// What an order is about, as its table stands.
    async fn about(
        &self,
        table: &TableId,
        command: &Command,
    ) -> Result<(Digest, Option<PendingMatter>), Problem> {
        let asked = command.clone();
        let look = move |table: &punto_table::Table| {
            let state = table.state();
            let held = state.round().map_or(&[][..], |round| round.matters());
            let ruled = if let Command::Rule { matter, .. } = &asked { Some(*matter) } else { None };
            let found = held.iter().chain(&state.matters).find(|it| Some(it.no) == ruled);
            let told = found.map(|it| PendingMatter { matter: it.no, kind: it.kind, round: it.round });
            (table.basis(&asked), told)
        };
        match self.floor.look(table, look).await {
            Some(about) => Ok(about),
            // A table that is to be set up is not there yet.
            None if matches!(command, Command::OpenTable { .. }) => {
                Ok((punto_table::Table::default().basis(command), None))
            }
            None => Err(Problem::NotFound),
        }
    }

    /// A second person of standing: one of those who may set up tables.
    pub(super) async fn agrees(&self, second: String) -> Result<Person, Problem> {
        let signer = self.signer(second).await?;
        if SETS_UP.contains(&signer.role) { Ok(signer.person) } else { Err(Problem::NotAllowed) }
    }

    /// What a deed is about, as the record stands: for a change of staff, what the person is.
    fn about_deed(&self, deed: &Deed) -> Digest {
        let Deed::StaffChanged { person, .. } = deed else { return Digest([0; 32]) };
        let employed = self.floor.ledger().staff().employed(person);
        employed.map_or(Digest([0; 32]), |it| it.deed.link)
    }

    /// Whether a deed is still about what it was about.
    pub(super) fn is_still_about(&self, deed: &Deed, basis: Digest) -> Result<(), Problem> {
        if self.about_deed(deed) == basis { Ok(()) } else { Err(gone()) }
    }

    /// Whether what was asked for still means the same. If not, it waits no longer.
    async fn is_as_it_was(&self, told: &Pending, basis: Digest) -> Result<(), Problem> {
        let now = match (&told.order, &told.deed) {
            (Some(order), _) => self.about(&order.table, &order.command).await?.0,
            (None, Some(held)) => self.about_deed(&held.deed),
            (None, None) => return Ok(()),
        };
        if now == basis {
            return Ok(());
        }
        self.pendings.drop_it(&told.pending, self.clock.now());
        Err(gone())
    }

    fn hold(
        &self,
        staff: Staff,
        signers: Vec<Signer>,
        order: Option<PendingOrder>,
        deed: Option<PendingDeed>,
        basis: Digest,
    ) -> Result<Pending, Problem> {
        // Whoever signs is shown what they sign: nothing in it may look like something else.
        let fit = unfit(&(order.as_ref().map(|it| &it.command), deed.as_ref().map(|it| &it.deed)));
        fit.map_err(|unfit| Problem::Malformed(unfit.to_string()))?;
        let pending: Arc<str> = Secret::new()?.text()[..32].into();
        let (session, asked_by) = (staff.session, staff.person);
        let asked = Asked { pending, session, asked_by, order, deed, basis, signers };
        Ok(self.pendings.hold(asked, self.clock.now()))
    }

    /// Has a deed wait for the signature of its second person; whoever does it is signed in already.
    pub(super) async fn hold_deed(&self, staff: Staff, deed: Deed) -> Result<Pending, Problem> {
        let second: Person = deed.second().cloned().ok_or(Problem::NotAllowed)?;
        if second == staff.person {
            return Err(Problem::Conflict("one-person", "the second person is another one".to_owned()));
        }
        let signers = vec![self.signer(second.to_string()).await?];
        let by = staff.role.actor(staff.person.clone());
        let basis = self.about_deed(&deed);
        self.hold(staff, signers, None, Some(PendingDeed { by, deed }), basis)
    }

    /// A deed that its second person signed, used up.
    pub(super) fn signed(
        &self,
        pending: &str,
        staff: &Staff,
        is_it: impl FnOnce(&PendingDeed) -> bool,
    ) -> Result<Deed, Problem> {
        self.signed_about(pending, staff, is_it).map(|(deed, _)| deed)
    }

    /// The same, with what it was about when it was asked for: whoever changes that looks once more.
    pub(super) fn signed_about(
        &self,
        pending: &str,
        staff: &Staff,
        is_it: impl FnOnce(&PendingDeed) -> bool,
    ) -> Result<(Deed, Digest), Problem> {
        let book = self.floor.ledger().staff();
        match self.pendings.use_deed(pending, &staff.session, is_it, book, self.clock.now()) {
            Ok((PendingDeed { deed, .. }, basis)) => {
                self.is_still_about(&deed, basis)?;
                Ok((deed, basis))
            }
            Err(denial) => {
                let words = "nobody signed that, or the signature is no longer good".to_owned();
                Err(Problem::Conflict(denial.id(), words))
            }
        }
    }
}
