//! The protocol of the socket as one JSON Schema document.

use serde_json::{Value, json};

use super::{DEFS, Types};
use crate::http::route::Route;

/// Everything that goes over a socket: `Said` by screens, `Told` by the server, and all that they are made of.
pub fn protocol(routes: &[Route]) -> Value {
    let types = Types::new(routes);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Punto, the socket",
        "description": "What a screen says to the server (`Said`) and what the server tells it (`Told`).",
        "anyOf": [{ "$ref": format!("{DEFS}Said") }, { "$ref": format!("{DEFS}Told") }],
        "$defs": types.within(&["Said", "Told"]),
    })
}
