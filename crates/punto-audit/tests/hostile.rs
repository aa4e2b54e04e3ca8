//! Whatever bytes a store holds, the auditor ends with findings and never fails.

use crate::ledger::{ledger_in, scenarios};
use crate::scale::{check, scale};
use proptest::prelude::*;
use punto_audit::{Auditor, Inputs};
use punto_record::Seq;
use serde_json::Value;

/// Values that have broken programs before.
const EDGES: &[u64] = &[0, 1, 2, 51, 255, 65_535, u32::MAX as u64, (1 << 53) - 1, u64::MAX];

fn damage(value: &mut Value, at: &mut usize, with: u64) {
    match value {
        Value::Number(it) => {
            if *at == 0 {
                *it = with.into();
            }
            *at = at.wrapping_sub(1);
        }
        Value::Array(items) => {
            if *at == 0 {
                let again = items.clone();
                (0..with % 7).for_each(|_| items.extend(again.clone()));
            }
            *at = at.wrapping_sub(1);
            items.iter_mut().for_each(|it| damage(it, at, with));
        }
        Value::Object(map) => map.values_mut().for_each(|it| damage(it, at, with)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[test]
fn damaged_records_never_make_it_fail() {
    let all = scenarios();
    let cases =
        (0..all.len(), any::<prop::sample::Index>(), 0_usize..60, 0..EDGES.len(), 0..4_u8, any::<u64>());
    check("damaged records", scale(400, 50_000), cases, |(scenario, at, place, edge, how, noise)| {
        let ledger = ledger_in(&all[scenario].house, &all[scenario].entries);
        let at = at.index(ledger.leaves.len());
        let mut auditor = Auditor::new(Inputs::default());
        for (i, (volume, sealed)) in ledger.leaves.iter().enumerate() {
            let mut sealed = sealed.clone();
            if i == at {
                match how {
                    0 => {
                        let byte = noise as usize % sealed.bytes.len();
                        sealed.bytes[byte] = (noise >> 32) as u8;
                    }
                    1 => sealed.bytes.truncate(noise as usize % sealed.bytes.len()),
                    2 => sealed.seq = Seq(EDGES[edge]),
                    _ => {
                        let mut value: Value = serde_json::from_slice(&sealed.bytes).expect("JSON");
                        damage(&mut value, &mut { place }, EDGES[edge]);
                        let entry = serde_json::from_value::<punto_record::Entry>(value);
                        sealed.bytes =
                            entry.map_or(sealed.bytes, |it| serde_json::to_vec(&it).expect("JSON"));
                    }
                }
            }
            auditor.entry(volume, &sealed);
        }
        let audit = auditor.finish();
        // A damaged entry is a few findings, not one for each entry that follows.
        assert!(audit.findings.len() <= 12 * ledger.leaves.len() + 60);
    });
}
