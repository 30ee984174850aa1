//! The manifest of a web application: which pictures it loads (<https://www.w3.org/TR/appmanifest/>).

use serde_json::Value;

/// Pictures of a manifest that are taken.
const MOST: usize = 1_000;

/// The references of icons, screenshots, and icons of shortcuts. What is no manifest has none.
pub(super) fn references(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(manifest) = serde_json::from_str::<Value>(text.trim_start_matches('\u{FEFF}')) else {
        return found;
    };
    for shown in std::iter::once(&manifest).chain(list(&manifest, "shortcuts")) {
        for image in list(shown, "icons").chain(list(shown, "screenshots")) {
            if let Some(reference) = image.get("src").and_then(Value::as_str).filter(|_| found.len() < MOST) {
                found.push(reference.to_owned());
            }
        }
    }
    found
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_a_manifest() {
        let manifest = r#"{"name": "x", "start_url": "/", "icons": [{"src": "a.png", "sizes": "1x1"}, {"sizes": "2x2"}, 3],
            "screenshots": [{"src": "/b.webp"}], "shortcuts": [{"url": "/c", "icons": [{"src": "c.png"}]}]}"#;
        assert_eq!(references(manifest), ["a.png", "/b.webp", "c.png"]);
        for damaged in ["", "{", "[]", "{\"icons\": 7}", "3"] {
            assert!(references(damaged).is_empty(), "{damaged}");
        }
    }
}
