//! The mathematics of what is offered: exact odds of every bet.

use axum::Json;
use axum::extract::State;
use punto_odds::{Listing, Pricer};
use punto_record::TableId;
use punto_rules::{Composition, LimitsAsked, Rulebook, Terms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::Problem;
use super::body::{Asked, Named};
use super::route::{Route, Who};
use crate::app::App;
use crate::role::Role;
use crate::wire::Screen;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let screens = &[Screen::Board, Screen::Terminal];
    let everybody = Who::DeviceOrStaff(screens, &Role::ALL);
    vec![
        Route::get(
            "/api/odds",
            "Exact odds of an approved game, as `punto odds` prints them",
            everybody,
            odds,
        )
        .asks::<Game>()
        .gives::<Value>(),
        Route::get(
            "/api/tables/{table}/odds",
            "Exact odds of every bet at a table, from a full shoe",
            everybody,
            at_table,
        )
        .gives::<Value>(),
    ]
}

/// Which game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Its id.
    pub game: String,
    /// The layout; the first, if none is named.
    #[serde(default)]
    pub layout: Option<String>,
    /// Decks in the shoe: 8, or as many as the game may have.
    #[serde(default)]
    pub decks: Option<u8>,
}

async fn odds(Asked(asked): Asked<Game>) -> Result<Json<Value>, Problem> {
    let work = move || {
        let rulebook = Rulebook::approved(&asked.game).ok_or(Problem::NotFound)?;
        let decks = asked.decks.unwrap_or(8.clamp(rulebook.decks.min, rulebook.decks.max));
        let layout = asked.layout.as_deref().unwrap_or(&rulebook.layouts[0].id);
        let terms = rulebook.terms(layout, decks, &LimitsAsked::default());
        let terms = terms.map_err(|error| Problem::Malformed(error.to_string()))?;
        list(&rulebook, &terms)
    };
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?.map(Json)
}

async fn at_table(State(app): State<App>, Named(table): Named<TableId>) -> Result<Json<Value>, Problem> {
    let id = table;
    let law = app.floor.look(&id, |table| table.law().map(|law| (law.rulebook.clone(), law.terms.clone())));
    let (rulebook, terms) = law.await.flatten().ok_or(Problem::NotFound)?;
    tokio::task::spawn_blocking(move || list(&rulebook, &terms)).await.map_err(Problem::internal)?.map(Json)
}

fn list(rulebook: &Rulebook, terms: &Terms) -> Result<Value, Problem> {
    let prices = Pricer::new(terms).price(&Composition::decks(terms.decks())).map_err(Problem::internal)?;
    let listing = Listing::new(rulebook, terms, Some(terms.decks()), Vec::new(), &prices);
    serde_json::to_value(listing).map_err(Problem::internal)
}
