//! Licence expressions of SPDX, as far as crates write them.

use std::collections::BTreeSet;

/// A licence expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    /// An identifier, with its exception if it has one (`Apache-2.0 WITH LLVM-exception`).
    License(String),
    All(Vec<Self>),
    Any(Vec<Self>),
}

use Expression::{All, Any, License};

impl Expression {
    /// Reads an expression. `/` is the old way to write `OR`.
    pub(super) fn parse(text: &str) -> Self {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
        let expression = any(&mut words);
        assert!(words.is_empty(), "`{text}` is no licence expression");
        expression
    }

    /// The licences to keep to: all of `AND`, and of `OR` the first choice that asks for nothing beyond MIT and Apache-2.0, else
    /// the first that is allowed. None if no choice is allowed.
    pub(super) fn terms(&self, is_allowed: &dyn Fn(&str) -> bool) -> Option<BTreeSet<String>> {
        match self {
            License(id) => is_allowed(id).then(|| BTreeSet::from([id.clone()])),
            All(parts) => {
                let terms: Option<Vec<_>> = parts.iter().map(|part| part.terms(is_allowed)).collect();
                Some(terms?.into_iter().flatten().collect())
            }
            Any(parts) => {
                let plain = |id: &str| ["MIT", "Apache-2.0"].contains(&id) && is_allowed(id);
                let first =
                    |is_allowed: &dyn Fn(&str) -> bool| parts.iter().find_map(|part| part.terms(is_allowed));
                first(&plain).or_else(|| first(is_allowed))
            }
        }
    }
}

fn any(words: &mut Vec<&str>) -> Expression {
    let mut parts = vec![all(words)];
    while words.pop_if(|word| *word == "OR").is_some() {
        parts.push(all(words));
    }
    if parts.len() == 1 { parts.remove(0) } else { Any(parts) }
}

fn all(words: &mut Vec<&str>) -> Expression {
    let mut parts = vec![one(words)];
    while words.pop_if(|word| *word == "AND").is_some() {
        parts.push(one(words));
    }
    if parts.len() == 1 { parts.remove(0) } else { All(parts) }
}

fn one(words: &mut Vec<&str>) -> Expression {
    match words.pop() {
        Some("(") => {
            let inner = any(words);
            assert_eq!(words.pop(), Some(")"), "a bracket is not closed");
            inner
        }
        Some(id) => {
            if words.pop_if(|word| *word == "WITH").is_none() {
                return License(id.to_owned());
            }
            let exception = words.pop().expect("an exception follows WITH");
            License(format!("{id} WITH {exception}"))
        }
        None => panic!("the expression ends early"),
    }
}

#[test]
fn expressions_give_the_terms_to_keep_to() {
    let allowed = |id: &str| id != "GPL-2.0-only" && id != "LGPL-3.0-or-later";
    for (text, expected) in [
        ("MIT OR Apache-2.0", Some("MIT")),
        ("Unlicense/MIT", Some("MIT")),
        ("Apache-2.0 / MIT", Some("Apache-2.0")),
        ("Apache-2.0 OR GPL-2.0-only", Some("Apache-2.0")),
        ("GPL-2.0-only OR ISC", Some("ISC")),
        ("LGPL-3.0-or-later", None),
        ("MIT AND LGPL-3.0-or-later", None),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", Some("Apache-2.0")),
        ("Apache-2.0 WITH LLVM-exception", Some("Apache-2.0 WITH LLVM-exception")),
        ("(Apache-2.0 OR MIT) AND BSD-3-Clause", Some("Apache-2.0, BSD-3-Clause")),
        ("MIT OR Apache-2.0 AND ISC", Some("MIT")),
    ] {
        let terms = Expression::parse(text).terms(&allowed);
        let terms = terms.map(|terms| terms.into_iter().collect::<Vec<_>>().join(", "));
        assert_eq!(terms.as_deref(), expected, "{text}");
    }
}
