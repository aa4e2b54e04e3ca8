//! Tickets at the cage: looked up, paid in cash, made void.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_ledger::Vault;
use punto_record::{Currency, Deed, OrderId, TicketAnswer, TicketNo, TicketNumber, Timestamp, Volume};
use punto_rules::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::{Route, Who};
use crate::app::App;
use crate::deeds::SERVER;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;
use crate::role::Role;

const CAGE: Who = Who::Staff(&[Role::Cashier]);

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let looks = Who::Staff(&[Role::Cashier, Role::Auditor]);
    vec![
        Route::get(
            "/api/tickets/{ticket}",
            "What can be said about a ticket, by its number or serial",
            looks,
            look,
        )
        .gives::<Ticket>(),
        Route::post(
            "/api/tickets/{ticket}/pay",
            "Pay a ticket in cash, by its number; once, ever",
            CAGE,
            pay,
        )
        .gives::<Ticket>(),
        Route::post(
            "/api/tickets/{ticket}/void/pending",
            "Have the voiding of a ticket wait for a second person",
            CAGE,
            propose,
        )
        .takes::<Second>()
        .gives::<Pending>(),
        Route::post(
            "/api/tickets/{ticket}/void",
            "Make a ticket void that a second person signed for",
            CAGE,
            void,
        )
        .takes::<Signed>()
        .gives::<Ticket>(),
    ]
}

/// What can be said about a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ticket {
    /// Its serial; the number of a ticket of release 0.1.0, which has none.
    pub ticket: TicketNo,
    /// How it stands.
    pub state: TicketWord,
    /// What it is worth, while it is good.
    pub amount: Option<Money>,
    /// In which currency, where the record says so.
    pub currency: Option<Currency>,
}

/// How a ticket stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum TicketWord {
    Good,
    NotFound,
    InUse,
    Paid,
    Expired,
    Void,
    Tampered,
}

/// Names the second person of something that takes two, and why it is done.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SecondAsked")]
pub struct Second {
    /// Who agrees: an Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why.
    pub reason: Arc<str>,
}

/// Has something done that waited for a signature.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SignedDeed")]
pub struct Signed {
    /// What was signed.
    pub pending: String,
}

impl App {
    /// The ticket of a number; unknown, if there is none.
    async fn ticket_of(&self, number: &str) -> Result<TicketNo, Problem> {
        let misread = || Problem::Malformed("a digit of the ticket was misread".to_owned());
        let number = TicketNumber::from_typed(number).ok_or_else(misread)?;
        Ok(self.floor.ledger().with(move |vault| vault.present(number.printed())).await?)
    }

    /// The ticket of a number or a serial. A serial is printed for everybody to see: it is enough to look a ticket up, and
    /// for what takes two people.
    async fn ticket_named(&self, text: &str) -> Result<TicketNo, Problem> {
        match text.parse::<TicketNo>() {
            Ok(serial) if text.contains('/') => Ok(serial),
            _ => self.ticket_of(text).await,
        }
    }
}

fn told(ticket: TicketNo, answer: TicketAnswer) -> Ticket {
    let worth = match &answer {
        TicketAnswer::Reserved { amount, currency } => (Some(*amount), currency.clone()),
        TicketAnswer::NotFound
        | TicketAnswer::InUse
        | TicketAnswer::Paid
        | TicketAnswer::Expired
        | TicketAnswer::Void
        | TicketAnswer::Tampered => (None, None),
    };
    let state = match answer {
        TicketAnswer::Reserved { .. } => TicketWord::Good,
        TicketAnswer::NotFound => TicketWord::NotFound,
        TicketAnswer::InUse => TicketWord::InUse,
        TicketAnswer::Paid => TicketWord::Paid,
        TicketAnswer::Expired => TicketWord::Expired,
        TicketAnswer::Void => TicketWord::Void,
        TicketAnswer::Tampered => TicketWord::Tampered,
    };
    let (amount, currency) = worth;
    Ticket { ticket, state, amount, currency }
}

/// What may be said about a ticket, without keeping it from anybody.
fn ask(
    vault: &mut Vault,
    ticket: &TicketNo,
    at: Timestamp,
) -> Result<(TicketAnswer, OrderId), punto_ledger::Error> {
    // One writer, one volume: its next number was never used before.
    let n = vault.head(&Volume::House).seq.0 + 1;
    let id = OrderId { device: SERVER.into(), n };
    let answer = vault.reserve(ticket, &id, at)?;
    vault.release(ticket, &id);
    Ok((answer, id))
}

async fn look(State(app): State<App>, Named(ticket): Named<String>) -> Result<Json<Ticket>, Problem> {
    let (ticket, at) = (app.ticket_named(&ticket).await?, app.clock.now());
    let asked = ticket.clone();
    let (answer, _) = app.floor.ledger().with(move |vault| ask(vault, &asked, at)).await?;
    Ok(Json(told(ticket, answer)))
}

async fn pay(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let ticket = app.ticket_of(&ticket).await?;
    // Nobody can say how much to pay where the record does not name the currency.
    let deed = |ticket, amount, currency: Option<Currency>| {
        currency.map(|currency| Deed::TicketPaid { ticket, amount, currency: Some(currency) })
    };
    write(&app, staff, ticket, TicketWord::Paid, deed).await
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Second { second, reason }): Body<Second>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let (ticket, at) = (app.ticket_named(&ticket).await?, app.clock.now());
    let asked = ticket.clone();
    let (answer, _) = app.floor.ledger().with(move |vault| ask(vault, &asked, at)).await?;
    // Whoever signs, signs for the amount and the currency as well.
    let TicketAnswer::Reserved { amount, currency } = answer else {
        return Err(Problem::Conflict("ticket-not-good", "the ticket is not good".to_owned()));
    };
    let second = app.agrees(second).await?;
    let deed = Deed::TicketVoided { ticket, amount, currency, second, reason };
    let pending = app.hold_deed(staff, deed).await?;
    Ok((StatusCode::CREATED, Json(pending)))
}

async fn void(
    State(app): State<App>,
    staff: Staff,
    Named(ticket): Named<String>,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let ticket = app.ticket_named(&ticket).await?;
    let named = ticket.clone();
    let is_it =
        move |held: &PendingDeed| matches!(&held.deed, Deed::TicketVoided { ticket, .. } if *ticket == named);
    let signed = app.signed(&pending, &staff, is_it)?;
    let deed = |_, _, _| Some(signed);
    write(&app, staff, ticket, TicketWord::Void, deed).await
}

/// Writes down what was done with a good ticket; one that is not good is told apart.
async fn write(
    app: &App,
    staff: Staff,
    ticket: TicketNo,
    becomes: TicketWord,
    deed: impl FnOnce(TicketNo, Money, Option<Currency>) -> Option<Deed> + Send + 'static,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let (at, by, asked) = (app.clock.now(), staff.role.actor(staff.person), ticket.clone());
    let done = app.floor.ledger().with(move |vault| {
        let (answer, id) = ask(vault, &asked, at)?;
        let mut is_done = false;
        if let TicketAnswer::Reserved { amount, currency } = &answer
            && let Some(deed) = deed(asked, *amount, currency.clone())
        {
            vault.deed(id, by, at, deed)?;
            is_done = true;
        }
        Ok((answer, is_done))
    });
    let (answer, is_done) = done.await?;
    let told = told(ticket, answer);
    match told.state {
        TicketWord::Good if !is_done => Err(Problem::Conflict(
            "ticket-currency-unknown",
            "the record does not say the currency of the ticket; two people make it void and pay it on paper"
                .to_owned(),
        )),
        TicketWord::Good => Ok((StatusCode::OK, Json(Ticket { state: becomes, ..told }))),
        TicketWord::NotFound
        | TicketWord::InUse
        | TicketWord::Paid
        | TicketWord::Expired
        | TicketWord::Void
        | TicketWord::Tampered => Ok((StatusCode::CONFLICT, Json(told))),
    }
}
