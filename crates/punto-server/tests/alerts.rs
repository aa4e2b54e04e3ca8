//! Alert rules may only name figures that the server exports. Whether each rule fires is tried by `make alerts`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::caller::House;
use punto_server::role::Role;

/// What Prometheus itself says about a server.
const OF_PROMETHEUS: [&str; 1] = ["up"];

/// Every name in the expressions of the rules that could be a figure.
fn named(rules: &str) -> BTreeSet<String> {
    let expressions = rules.lines().filter_map(|line| line.trim().strip_prefix("expr: "));
    let words = expressions.flat_map(|it| it.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|it| it.starts_with("punto_") || OF_PROMETHEUS.contains(it)).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_figure_of_a_rule_is_exported() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/prometheus/punto.rules.yml");
    let rules = std::fs::read_to_string(path).expect("the rules");
    let alerts = rules.lines().filter(|line| line.trim().starts_with("- alert: ")).count();
    assert_eq!(rules.lines().filter(|line| line.trim().starts_with("expr: ")).count(), alerts);
    let named = named(&rules);
    assert!(alerts > 10 && named.len() > 10, "{alerts} alerts, {named:?}");

    let house = House::open().await;
    house.employ("a-1", Role::Administrator).await;
    let text = house.text("/api/metrics", &house.sign_in("a-1")).await;
    let exported: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .flat_map(|(name, kind)| match kind {
            "histogram" => {
                vec![name, &text[text.find(&format!("{name}_bucket")).expect("buckets")..][..name.len() + 7]]
            }
            _ => vec![name],
        })
        .collect();
    let missing: Vec<&String> = named
        .iter()
        .filter(|it| !OF_PROMETHEUS.contains(&it.as_str()) && !exported.contains(it.as_str()))
        .filter(|it| cfg!(target_os = "linux") || !it.starts_with("punto_descriptors"))
        .collect();
    assert!(missing.is_empty(), "{missing:?} are not exported");
}
