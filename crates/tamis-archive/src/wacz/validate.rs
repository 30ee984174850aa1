//! What is wrong with a package.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::package::{DataPackage, PackageDigest, Resource};
use super::pages::PageLine;
use super::problem::WaczProblem;
use super::read::{Wacz, WaczEntry};
use super::{DATAPACKAGE, DATAPACKAGE_DIGEST, PAGES, has_extension, is_index, is_page_list, is_warc};
use crate::http::DecodeLimits;
use crate::{Algorithm, Digest, Error, Hasher, Result, Severity, StatedDigest};

/// What a check of a package found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaczReport {
    /// What is wrong, in the order of the checks.
    pub problems: Vec<WaczProblem>,
    /// How many files were read and have the digest that is stated.
    pub verified: usize,
    /// How many files the package has.
    pub entries: usize,
}

/// Bad pages beyond this number are counted and not listed.
const MAX_LISTED_PAGES: u64 = 20;

const KNOWN_VERSIONS: [&str; 5] = ["1.0.0", "1.1.0", "1.1.1", "1.2.0", "1.0"];

impl WaczReport {
    /// Whether the package is sound: nothing but notes.
    pub fn is_valid(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity() == Severity::Note)
    }
}

/// Checks a package: its directory, its parts, every digest and every page. Fails if it cannot be read at all.
///
/// Memory: the directory and `datapackage.json`. A file that grows beyond the limits is told and not read on; one that
/// is listed many times is read once for each algorithm of its digests.
pub fn validate(path: &Path, limits: DecodeLimits) -> Result<WaczReport> {
    let wacz = Wacz::open(path)?;
    let (report, hashed, verified) = (WaczReport::default(), HashMap::new(), HashSet::new());
    let mut check = Check { wacz, limits, report, hashed, verified };
    check.report.entries = check.wacz.entries().len();
    let is_safe = check.directory();
    check.parts();
    let package = check.data_package();
    check.digest_file(package.as_ref());
    if let Some(package) = &package {
        check.listing(package);
        if is_safe {
            check.resources(package);
        }
    }
    if is_safe {
        check.page_lists();
    }
    check.report.verified = check.verified.len();
    Ok(check.report)
}

struct Check {
    wacz: Wacz<BufReader<File>>,
    limits: DecodeLimits,
    report: WaczReport,
    /// What came of the files that were read, so that none is read again.
    hashed: HashMap<(String, Algorithm), Result<(u64, Digest), String>>,
    /// The files that have the digest that is stated.
    verified: HashSet<String>,
}

impl Check {
    fn tell(&mut self, problem: WaczProblem) {
        self.report.problems.push(problem);
    }

    /// Checks the directory of the zip file. False if its entries share bytes: to read them all could take for ever.
    fn directory(&mut self) -> bool {
        let unsafe_paths = self.wacz.entries().iter().filter(|entry| is_unsafe(&entry.name));
        let problems: Vec<_> =
            unsafe_paths.map(|entry| WaczProblem::UnsafePath { path: entry.name.clone() }).collect();
        self.report.problems.extend(problems);
        if self.wacz.zip.has_duplicate_names() {
            self.tell(WaczProblem::DuplicateNames);
        }
        let overlap = match self.wacz.zip.has_overlapping_entries() {
            Ok(false) => return true,
            Ok(true) => "entries share bytes".to_owned(),
            Err(error) => error.to_string(),
        };
        self.tell(WaczProblem::BrokenDirectory { why: overlap });
        false
    }

    /// Checks that the parts that must be there are there, and stored so that they can be read at random.
    fn parts(&mut self) {
        let names: Vec<&str> = self.wacz.entries().iter().map(|entry| entry.name.as_str()).collect();
        let has = |test: fn(&str) -> bool| names.iter().any(|name| test(name));
        let parts = [
            (has(|name| name == DATAPACKAGE), DATAPACKAGE),
            (has(is_warc), "WARC file in archive/"),
            (has(is_index), "index in indexes/"),
            (has(|name| name == PAGES), PAGES),
        ];
        let missing = parts.iter().filter(|(is_there, _)| !is_there);
        let missing: Vec<_> = missing.map(|(_, what)| WaczProblem::Missing { what }).collect();
        let must_be_stored = |entry: &&WaczEntry| is_warc(&entry.name) || has_extension(&entry.name, &["gz"]);
        let compressed = self.wacz.entries().iter().filter(must_be_stored).filter(|entry| !entry.is_stored);
        let compressed: Vec<_> =
            compressed.map(|entry| WaczProblem::CompressedEntry { path: entry.name.clone() }).collect();
        self.report.problems.extend(missing.into_iter().chain(compressed));
    }

    fn data_package(&mut self) -> Option<DataPackage> {
        self.wacz.entry(DATAPACKAGE)?;
        let parsed = self.wacz.read_json(DATAPACKAGE).map_err(|error| what_failed(&error));
        let package = match parsed.and_then(|json| DataPackage::parse(&json)) {
            Ok(package) => package,
            Err(why) => {
                self.tell(WaczProblem::BadDatapackage { why });
                return None;
            }
        };
        match &package.version {
            None => self.tell(WaczProblem::MissingVersion),
            Some(version) if !KNOWN_VERSIONS.contains(&version.as_str()) => {
                self.tell(WaczProblem::UnknownVersion { version: version.clone() });
            }
            Some(_) => {}
        }
        if package.bad_resources > 0 {
            self.tell(WaczProblem::BadResources { count: package.bad_resources });
        }
        Some(package)
    }

    /// Checks `datapackage-digest.json`, which a package may have.
    fn digest_file(&mut self, package: Option<&DataPackage>) {
        if self.wacz.entry(DATAPACKAGE_DIGEST).is_none() || self.wacz.entry(DATAPACKAGE).is_none() {
            return;
        }
        let json = self.wacz.read_json(DATAPACKAGE_DIGEST).map_err(|error| what_failed(&error));
        let parsed = json.and_then(|json| serde_json::from_slice(&json).map_err(|error| error.to_string()));
        let digest: PackageDigest = match parsed {
            Ok(digest) => digest,
            Err(why) => return self.tell(WaczProblem::BadDigestFile { why }),
        };
        if digest.path != DATAPACKAGE {
            let why = format!("is about {:?}", digest.path);
            return self.tell(WaczProblem::BadDigestFile { why });
        }
        if let Some(entry) = self.wacz.entry(DATAPACKAGE).cloned() {
            self.resource(&entry, Some(&digest.hash), None);
        }
        self.signature(&digest, package);
    }

    /// Checks that a signature is about this package, as far as that goes without certificates.
    fn signature(&mut self, digest: &PackageDigest, package: Option<&DataPackage>) {
        let Some(signed) = &digest.signed_data else { return };
        let text = |name: &str| signed.get(name).and_then(serde_json::Value::as_str);
        if text("hash") != Some(&digest.hash) {
            self.tell(WaczProblem::WrongSignedData { why: "the signed hash differs" });
        }
        if package.is_some_and(|package| package.text("created") != text("created")) {
            self.tell(WaczProblem::WrongSignedData {
                why: "signed at another time than the package was created",
            });
        }
        self.tell(WaczProblem::SignatureUnchecked);
    }

    /// Checks that the files of the package are those that it lists.
    fn listing(&mut self, package: &DataPackage) {
        let listed: HashSet<&str> = package.resources.iter().map(|resource| resource.path.as_str()).collect();
        let entries: HashSet<&str> = self.wacz.entries().iter().map(|entry| entry.name.as_str()).collect();
        let missing = package.resources.iter().filter(|resource| !entries.contains(resource.path.as_str()));
        let missing = missing.map(|resource| WaczProblem::MissingEntry { path: resource.path.clone() });
        let is_own = |name: &str| name == DATAPACKAGE || name == DATAPACKAGE_DIGEST;
        let unlisted = self.wacz.entries().iter().filter(|entry| !listed.contains(entry.name.as_str()));
        let unlisted = unlisted.filter(|entry| !is_own(&entry.name));
        let unlisted = unlisted.map(|entry| WaczProblem::UnlistedEntry { path: entry.name.clone() });
        let problems: Vec<_> = missing.chain(unlisted).collect();
        self.report.problems.extend(problems);
    }

    fn resources(&mut self, package: &DataPackage) {
        for Resource { path, hash, len_bytes } in &package.resources {
            if let Some(entry) = self.wacz.entry(path).cloned() {
                self.resource(&entry, hash.as_deref(), *len_bytes);
            }
        }
    }

    /// Reads a file to its end and compares it with what is stated about it.
    fn resource(&mut self, entry: &WaczEntry, hash: Option<&str>, len_bytes: Option<u64>) {
        let path = entry.name.clone();
        let stated = StatedDigest::parse(hash.unwrap_or_default().as_bytes());
        let expected = match stated.digest() {
            Ok(expected) => expected,
            Err(why) => {
                let why =
                    hash.map_or_else(|| "no hash is stated".to_owned(), |hash| format!("{hash:?}: {why}"));
                return self.tell(WaczProblem::Unverifiable { path, why });
            }
        };
        let limit = read_limit(entry, self.limits);
        let (len, actual) = match self.hash_once(entry, expected.algorithm(), limit) {
            Ok(found) => found,
            Err(why) => return self.tell(WaczProblem::Unreadable { path, why }),
        };
        if len > limit {
            return self.tell(WaczProblem::Bomb { path, limit });
        }
        if let Some(stated) = len_bytes.filter(|&stated| stated != len) {
            self.tell(WaczProblem::WrongSize { path: path.clone(), stated, actual: len });
        }
        if actual == expected {
            self.verified.insert(path);
        } else {
            let (stated, actual) = (hash.unwrap_or_default().to_owned(), stated.spell(&actual));
            self.tell(WaczProblem::WrongHash { path, stated, actual });
        }
    }

    /// [`Check::hash`], once for each file and algorithm, however often the file is listed.
    fn hash_once(
        &mut self,
        entry: &WaczEntry,
        algorithm: Algorithm,
        limit: u64,
    ) -> Result<(u64, Digest), String> {
        let key = (entry.name.clone(), algorithm);
        if let Some(found) = self.hashed.get(&key) {
            return found.clone();
        }
        let found = self.hash(entry, Hasher::new(algorithm), limit);
        self.hashed.insert(key, found.clone());
        found
    }

    /// The length and the digest of a file, as far as the limit and one byte more.
    fn hash(&mut self, entry: &WaczEntry, mut hasher: Hasher, limit: u64) -> Result<(u64, Digest), String> {
        let reader = self.wacz.read(&entry.name).map_err(|error| what_failed(&error))?;
        let mut bounded = BufReader::with_capacity(64 << 10, reader.take(limit.saturating_add(1)));
        let len = io::copy(&mut bounded, &mut hasher).map_err(|error| error.to_string())?;
        Ok((len, hasher.finish()))
    }

    fn page_lists(&mut self) {
        let lists = self.wacz.entries().iter().filter(|entry| is_page_list(&entry.name)).cloned();
        for list in lists.collect::<Vec<_>>() {
            let problems = self.page_list(&list);
            self.report.problems.extend(problems);
        }
    }

    fn page_list(&mut self, list: &WaczEntry) -> Vec<WaczProblem> {
        let path = || list.name.clone();
        let limit = read_limit(list, self.limits);
        let reader = match self.wacz.read(&list.name) {
            Ok(reader) => BufReader::new(reader.take(limit)),
            Err(error) => return vec![WaczProblem::Unreadable { path: path(), why: what_failed(&error) }],
        };
        let (mut problems, mut bad) = (Vec::new(), 0);
        for line in super::PageLines::new(reader) {
            match line {
                Ok((line, PageLine::Bad(why))) => {
                    bad += 1;
                    if bad <= MAX_LISTED_PAGES {
                        problems.push(WaczProblem::BadPage { path: path(), line, why });
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    problems.push(WaczProblem::Unreadable { path: path(), why: error.to_string() });
                    break;
                }
            }
        }
        if bad > MAX_LISTED_PAGES {
            problems.push(WaczProblem::MoreBadPages { path: path(), count: bad - MAX_LISTED_PAGES });
        }
        problems
    }
}

/// A stored file has the length it has; a compressed one may grow within the limits.
fn read_limit(entry: &WaczEntry, limits: DecodeLimits) -> u64 {
    if entry.is_stored { entry.len_bytes } else { limits.max_decoded(entry.stored_bytes) }
}

/// Paths that lead outside of the folder they are unpacked to, on any system.
fn is_unsafe(name: &str) -> bool {
    let is_absolute = name.starts_with(['/', '\\']) || name.get(1..2) == Some(":");
    is_absolute || name.contains('\0') || name.split(['/', '\\']).any(|part| part == "..")
}

/// The message without the path of the package, which the caller knows.
fn what_failed(error: &Error) -> String {
    match error {
        Error::Io { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
