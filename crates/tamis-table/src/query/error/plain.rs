//! The engine's messages in plain words: types as people call them, without what is for its developers.

/// What the engine puts before its messages.
const PREFIXES: [&str; 6] = [
    "Error during planning: ",
    "Execution error: ",
    "Internal error: ",
    "This feature is not implemented: ",
    "External error: ",
    "Arrow error: ",
];

/// A message with types in plain words, without prefixes and the request to report a bug.
pub(super) fn message(text: &str) -> String {
    let text = text.split("\nThis issue was likely caused by a bug").next().unwrap_or(text);
    let mut text = text.trim();
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix)) {
        text = rest;
    }
    types(text)
}

/// The text with Arrow's types in plain words: `Utf8` is text, `List(…)` a list.
pub(super) fn types(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let (before, word) = rest.split_at(start);
        plain.push_str(before);
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        let (name, after) = word.split_at(end);
        if let Some(known) = type_name(name) {
            plain.push_str(known);
            rest = &after[bracketed(after)..];
        } else {
            plain.push_str(name);
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

/// The length of the brackets that a text begins with, and of what is in them.
fn bracketed(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { 0 } else { at + c.len_utf8() };
        }
    }
    text.len()
}

fn type_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "Utf8" | "LargeUtf8" | "Utf8View" | "String" => "text",
        "Int8" | "Int16" | "Int32" | "Int64" | "UInt8" | "UInt16" | "UInt32" | "UInt64" | "Integer" => {
            "integer"
        }
        "Float16" | "Float32" | "Float64" | "Decimal" | "Decimal128" | "Decimal256" | "Numeric" => "number",
        "Boolean" => "boolean",
        "Timestamp" => "timestamp",
        "Date32" | "Date64" | "Date" => "date",
        "Time32" | "Time64" => "time of day",
        "Interval" => "interval",
        "Duration" => "duration",
        "Binary" | "LargeBinary" | "BinaryView" => "bytes",
        "List" | "LargeList" | "FixedSizeList" | "ListView" => "list",
        "Struct" => "struct",
        "Map" => "map",
        "Null" => "null",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_words() {
        for (given, expected) in [
            ("sum(Utf8)", "sum(text)"),
            ("Timestamp(ms, \"UTC\") + Int64", "timestamp + integer"),
            ("f(List(non-null Struct(\"url\": Utf8), field: 'element'), Utf8)", "f(list, text)"),
            ("Utf8(", "text"),
            ("ü Utf8View", "ü text"),
            ("", ""),
        ] {
            assert_eq!(types(given), expected);
        }
        let internal =
            "Internal error: Error during planning: x.\nThis issue was likely caused by a bug in DataFusion";
        assert_eq!(message(internal), "x.");
    }
}
