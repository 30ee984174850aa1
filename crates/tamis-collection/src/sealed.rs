//! JSON files that show when a byte of them changed: the last member, `crc`, is the CRC-32 of all bytes before it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use tamis_files::whole;

use super::{Error, Result};

const MEMBER: &[u8] = b",\"crc\":\"";
const END: &[u8] = b"\"}\n";
const DIGITS: usize = 8;

/// Which versions of a file are read.
#[derive(Debug, Clone, Copy)]
pub struct Versions {
    /// The first that has a checksum. Earlier ones, from 1 on, are read without.
    pub sealed: u64,
    /// The newest.
    pub newest: u64,
}

/// Adds the checksum to the text of a JSON object that has members.
pub fn seal(text: &str) -> String {
    let open = text.trim_end().strip_suffix('}').unwrap_or(text).trim_end();
    format!("{open},\"crc\":\"{}\"}}\n", digits_of(open.as_bytes()))
}

/// Reads a file; none if it is not there. A file without a sound checksum is refused.
pub fn read<T: DeserializeOwned>(path: &Path, versions: Versions) -> Result<Option<T>> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(Error::read(path))?,
    };
    let stated = stated(&bytes);
    let wrong = || Error::damaged(path, "wrong checksum");
    if stated.is_some_and(|(covered, digits)| digits_of(covered).as_bytes() != digits) {
        return Err(wrong());
    }
    let mut value: Value = serde_json::from_slice(&bytes).map_err(|why| Error::damaged(path, why))?;
    match value.get("version").and_then(Value::as_u64) {
        None => return Err(Error::damaged(path, "`version` is missing or not a number")),
        Some(found) if found > versions.newest => {
            return Err(Error::Newer { path: path.into(), found, known: versions.newest });
        }
        Some(found) if stated.is_none() && (found == 0 || found >= versions.sealed) => return Err(wrong()),
        Some(_) => {}
    }
    if let Some(members) = value.as_object_mut() {
        members.remove("crc");
    }
    serde_json::from_value(value).map(Some).map_err(|why| Error::damaged(path, why))
}

/// Writes a file whole or not at all, with its checksum.
pub fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|why| Error::damaged(path, why))?;
    Ok(whole::replace_with(path, seal(&text).as_bytes())?)
}

fn digits_of(covered: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(covered))
}

/// The bytes that a checksum covers, and the digits of the checksum.
fn stated(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits_end = bytes.strip_suffix(END)?;
    let (rest, digits) = digits_end.split_at_checked(digits_end.len().checked_sub(DIGITS)?)?;
    let covered = rest.strip_suffix(MEMBER)?;
    Some((covered, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSIONS: Versions = Versions { sealed: 2, newest: 2 };

    #[test]
    fn every_changed_bit_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        let value = serde_json::json!({"version": 2, "list": [1.5, "é", {"crc": "x"}]});
        write(&path, &value).expect("writable");
        assert_eq!(read::<Value>(&path, VERSIONS).expect("sound"), Some(value));
        let sound = fs::read(&path).expect("there");
        for at in 0..sound.len() {
            for bit in 0..8 {
                let mut bytes = sound.clone();
                bytes[at] ^= 1 << bit;
                fs::write(&path, &bytes).expect("writable");
                assert!(read::<Value>(&path, VERSIONS).is_err(), "byte {at}, bit {bit}");
            }
            fs::write(&path, &sound[..at]).expect("writable");
            assert!(read::<Value>(&path, VERSIONS).is_err(), "{at} bytes");
        }
    }

    #[test]
    fn files_of_before_are_read_and_newer_ones_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        assert!(read::<Value>(&path, VERSIONS).expect("no file").is_none());
        for (text, expected) in [
            (r#"{"version":1,"a":2}"#, None),
            (r#"{"version":0,"a":2}"#, Some("wrong checksum")),
            (r#"{"version":2,"a":2}"#, Some("wrong checksum")),
            (r#"{"version":3}"#, Some("made by a newer tamis")),
            (r#"{"a":2}"#, Some("`version` is missing or not a number")),
        ] {
            fs::write(&path, text).expect("writable");
            let found = read::<Value>(&path, VERSIONS).map(drop).map_err(|error| error.to_string());
            match expected {
                None => assert_eq!(found, Ok(()), "{text}"),
                Some(part) => assert!(found.is_err_and(|error| error.contains(part)), "{text}"),
            }
        }
    }
}
