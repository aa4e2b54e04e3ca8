//! Exact fractions: lowest terms, differences and order, against cross-multiplication.

mod scale;

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use punto_odds::Ratio;
use scale::{says, scale};

/// Small ones, where fractions meet, and such as edges are made of.
fn terms() -> impl Strategy<Value = (i128, i128)> {
    let large = 1i128 << 62;
    prop_oneof![
        (-12i128..=12, prop_oneof![-12i128..=-1, 1i128..=12]),
        (-large..=large, prop_oneof![-large..=-1, 1..=large]),
    ]
}

fn check<S: Strategy>(name: &str, strategy: S, test: impl Fn(S::Value)) {
    let cases = scale(2_000, 200_000) as u32;
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, b"punto: the same cases every time");
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    says(name, cases.into());
    result.unwrap_or_else(|failure| panic!("{name}: {failure}"));
}

#[test]
fn lowest_terms() {
    check("lowest terms", terms(), |(a, b)| {
        let ratio = Ratio::new(a, b);
        let (n, d) = (ratio.numerator(), ratio.denominator());
        assert!(d > 0);
        assert_eq!(n * b, a * d, "the same fraction");
        let common = (2..=97).find(|&prime| n % prime == 0 && d % prime == 0);
        assert_eq!(common, None);
        // Reducing again, or from any multiple, changes nothing.
        assert_eq!(Ratio::new(n, d), ratio);
        assert_eq!(Ratio::new(-a, -b), ratio);
        assert_eq!(Ratio::new(a * 9_699_690, b * 9_699_690), ratio);
        assert_eq!(ratio.to_string(), format!("{n}/{d}"));
    });
    assert_eq!(Ratio::new(0, -7), Ratio::ZERO);
}

#[test]
fn differences() {
    check("differences", (terms(), terms()), |((a, b), (c, d))| {
        let (x, y) = (Ratio::new(a, b), Ratio::new(c, d));
        // The large ones are too large to be multiplied out for the test's own sake.
        let small = [a, b, c, d].iter().all(|n| n.abs() < 1 << 30);
        let difference = x.minus(y);
        if small {
            assert_eq!(difference, Ratio::new(a * d - c * b, b * d));
        }
        assert_eq!(difference, Ratio::ZERO.minus(y.minus(x)));
        assert_eq!(x.minus(Ratio::ZERO), x);
        assert_eq!(x.minus(x), Ratio::ZERO);
        assert_eq!(difference == Ratio::ZERO, x == y);
    });
}

#[test]
fn order() {
    check("order", (terms(), terms()), |((a, b), (c, d))| {
        let (x, y) = (Ratio::new(a, b), Ratio::new(c, d));
        let sign = b.signum() * d.signum();
        assert_eq!(x.cmp(&y), (a * d * sign).cmp(&(c * b * sign)));
        assert_eq!(y.cmp(&x), x.cmp(&y).reverse());
        assert_eq!(x.partial_cmp(&y), Some(x.cmp(&y)));
        assert_eq!(x == y, x.cmp(&y).is_eq());
        assert_eq!(HashSet::from([x, y]).len(), if x == y { 1 } else { 2 });
    });
}

#[test]
fn floats_are_near() {
    check("floats are near", terms(), |(a, b)| {
        let (ratio, float) = (Ratio::new(a, b).to_f64(), a as f64 / b as f64);
        assert!((ratio - float).abs() <= 1e-15 * float.abs());
    });
    assert_eq!(Ratio::new(-1, 4).to_f64(), -0.25);
}

#[test]
#[should_panic(expected = "a fraction of nothing")]
fn nothing_below_the_line() {
    let _ = Ratio::new(1, 0);
}
