//! `datapackage.json`: what a package holds, and the digests of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What `datapackage.json` says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DataPackage {
    /// The files of the package.
    pub resources: Vec<Resource>,
    /// Entries of the list of files that name no file.
    pub bad_resources: usize,
    /// `wacz_version`, if stated.
    pub version: Option<String>,
    /// All other properties as they stand: `title`, `created`, `mainPageUrl` …
    pub properties: Map<String, Value>,
}

/// One file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The path in the package.
    pub path: String,
    /// The digest as stated, with its algorithm: `sha256:…`.
    pub hash: Option<String>,
    /// The length in bytes, before the zip file compresses it.
    pub len_bytes: Option<u64>,
}

/// `datapackage-digest.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackageDigest {
    pub(super) path: String,
    pub(super) hash: String,
    #[serde(rename = "signedData", skip_serializing_if = "Option::is_none", default)]
    pub(super) signed_data: Option<Value>,
}

/// `datapackage.json` as we write it, in the order in which people read it.
#[derive(Debug, Serialize)]
pub(super) struct WrittenPackage<'a> {
    pub(super) profile: &'static str,
    pub(super) wacz_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'a str>,
    pub(super) created: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) software: Option<&'a str>,
    #[serde(rename = "mainPageUrl", skip_serializing_if = "Option::is_none")]
    pub(super) main_page_url: Option<&'a str>,
    #[serde(rename = "mainPageDate", skip_serializing_if = "Option::is_none")]
    pub(super) main_page_date: Option<String>,
    pub(super) resources: Vec<WrittenResource>,
}

/// One file in [`WrittenPackage`].
#[derive(Debug, Serialize)]
pub(super) struct WrittenResource {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) hash: String,
    pub(super) bytes: u64,
}

impl DataPackage {
    /// Reads `datapackage.json`. Says why, if it is none.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let Value::Object(mut properties) = value else { return Err("not an object".into()) };
        let Some(Value::Array(list)) = properties.remove("resources") else {
            return Err("no list of resources".into());
        };
        let resources: Vec<_> = list.iter().filter_map(Resource::from_json).collect();
        let version = properties.remove("wacz_version").and_then(|version| version.as_str().map(Into::into));
        Ok(Self { bad_resources: list.len() - resources.len(), resources, version, properties })
    }

    /// A property that is a text: `title`, `created`, `mainPageUrl` …
    pub fn text(&self, property: &str) -> Option<&str> {
        self.properties.get(property).and_then(Value::as_str)
    }

    /// The file of this path.
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.path == path)
    }
}

impl Resource {
    /// `hash` and `bytes` as WACZ 1.1 has them, or `stats` and `hashing` as 1.0 did.
    fn from_json(value: &Value) -> Option<Self> {
        let path = value.get("path")?.as_str()?.to_owned();
        let stats = value.get("stats");
        let old_hash = || {
            let hash = stats?.get("hash")?.as_str()?;
            let algorithm = value.get("hashing").and_then(Value::as_str);
            Some(algorithm.map_or_else(|| hash.to_owned(), |algorithm| format!("{algorithm}:{hash}")))
        };
        let hash = value.get("hash").and_then(Value::as_str).map(Into::into).or_else(old_hash);
        let len_bytes = value.get("bytes").or_else(|| stats?.get("bytes")).and_then(Value::as_u64);
        Some(Self { path, hash, len_bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_of_both_versions_are_read() {
        let json = br#"{"resources": [
            {"path": "archive/a.warc", "hash": "sha256:00", "bytes": 7},
            {"path": "archive/b.warc", "stats": {"hash": "01", "bytes": 8}, "hashing": "md5"},
            {"path": "archive/c.warc"},
            {"name": "no path"}, 5], "wacz_version": "1.0.0", "title": "A title"}"#;
        let package = DataPackage::parse(json).expect("a package");
        let resource = |path: &str, hash: Option<&str>, len_bytes| Resource {
            path: path.into(),
            hash: hash.map(Into::into),
            len_bytes,
        };
        assert_eq!(
            package.resources,
            [
                resource("archive/a.warc", Some("sha256:00"), Some(7)),
                resource("archive/b.warc", Some("md5:01"), Some(8)),
                resource("archive/c.warc", None, None),
            ]
        );
        assert_eq!((package.bad_resources, package.version.as_deref()), (2, Some("1.0.0")));
        assert_eq!((package.text("title"), package.text("created")), (Some("A title"), None));
    }

    #[test]
    fn what_is_no_package_says_why() {
        for json in ["", "[]", "{}", r#"{"resources": {}}"#, "{\"resources\": [}"] {
            assert!(DataPackage::parse(json.as_bytes()).is_err(), "{json}");
        }
    }
}
