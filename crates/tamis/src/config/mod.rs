//! Settings: a flag wins over the environment, that over the config file, that over the default.

mod file;
mod settings;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow};

pub use settings::{ALL, COLOR, Entry, JOBS, PROGRESS, Setting, WARC_ROLLOVER};

use crate::hint::WithHint;
use crate::when::When;

/// The value of each setting, and where it came from.
#[derive(Debug, Clone)]
pub struct Config {
    values: Vec<Value>,
}

/// The value of one setting.
#[derive(Debug, Clone)]
pub struct Value {
    /// The setting.
    pub entry: &'static Entry,
    /// The value as it was written. It has been checked.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// No one set it.
    Default,
    /// A line of the config file.
    File {
        /// The config file.
        path: PathBuf,
        /// The line, from 1 on.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// An option of the command line.
    Flag(String),
}

/// What the command line says about settings.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--color`
    pub color: Option<When>,
    /// `--progress`
    pub progress: Option<When>,
}

/// Looks up an environment variable; an empty one is none.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Config {
    /// Gathers all settings. The config file at the usual place may be missing, one that is named may not.
    pub fn load(flags: &Flags, environment: Environment<'_>) -> anyhow::Result<Self> {
        let (path, named) = match named_path(flags, environment) {
            Some(path) => (Some(path), true),
            None => (usual_path(environment), false),
        };
        let Some(path) = path.filter(|path| named || path.exists()) else {
            return Self::without_file(flags, environment);
        };
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read the config file {}", path.display()))
            .hint(
                "`--config` and TAMIS_CONFIG set the config file; `tamis config path` prints the default",
            )?;
        Self::gather(&file::parse(&path, &text)?, flags, environment)
    }

    /// Gathers all settings but those of a config file.
    pub fn without_file(flags: &Flags, environment: Environment<'_>) -> anyhow::Result<Self> {
        Self::gather(&[], flags, environment)
    }

    /// The value of a setting.
    #[expect(clippy::missing_panics_doc, reason = "each value was checked when it was read")]
    pub fn value<T: FromStr<Err = String>>(&self, setting: &Setting<T>) -> T {
        let value = self.values.iter().find(|value| value.entry.key == setting.entry.key);
        let text = value.map_or(setting.entry.default, |value| &value.text);
        text.parse().expect("each value was checked when it was read")
    }

    /// The value of a command's own flag if it was given, that of the setting if not.
    pub fn pick<T: FromStr<Err = String>>(&self, flag: Option<T>, setting: &Setting<T>) -> T {
        flag.unwrap_or_else(|| self.value(setting))
    }

    /// All values, in the order of [`ALL`].
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    fn gather(from_file: &[Value], flags: &Flags, environment: Environment<'_>) -> anyhow::Result<Self> {
        let from_flag = |entry: &Entry| match entry.key {
            "color" => flags.color.map(|when| ("--color", when)),
            "progress" => flags.progress.map(|when| ("--progress", when)),
            _ => None,
        };
        let value = |entry: &'static Entry| {
            if let Some((flag, when)) = from_flag(entry) {
                let origin = Origin::Flag(flag.to_owned());
                return Ok(Value { entry, text: when.to_string(), origin });
            }
            if let Some(value) = from_environment(entry, environment)? {
                return Ok(value);
            }
            let in_file = from_file.iter().find(|value| value.entry.key == entry.key);
            let default = || Value { entry, text: entry.default.to_owned(), origin: Origin::Default };
            Ok(in_file.cloned().unwrap_or_else(default))
        };
        Ok(Self { values: ALL.into_iter().map(value).collect::<anyhow::Result<_>>()? })
    }
}

/// The config file that is read, whether it exists or not. None where there is no home.
pub fn path(flags: &Flags, environment: Environment<'_>) -> Option<PathBuf> {
    named_path(flags, environment).or_else(|| usual_path(environment))
}

/// What the environment says about colours: `TAMIS_COLOR`, else `NO_COLOR`, else `CLICOLOR_FORCE`
/// (<https://no-color.org>, <https://bixense.com/clicolors>), with the variable that says it.
pub fn color_of_environment(environment: Environment<'_>) -> Option<(&'static str, String)> {
    let says = |name, when: When| (name, when.to_string());
    if let Some(text) = environment("TAMIS_COLOR") {
        return Some(("TAMIS_COLOR", text));
    }
    if environment("NO_COLOR").is_some() {
        return Some(says("NO_COLOR", When::Never));
    }
    environment("CLICOLOR_FORCE").filter(|text| text != "0").map(|_| says("CLICOLOR_FORCE", When::Always))
}

fn named_path(flags: &Flags, environment: Environment<'_>) -> Option<PathBuf> {
    flags.config.clone().or_else(|| environment("TAMIS_CONFIG").map(PathBuf::from))
}

/// The place of the XDG base directory specification, which ignores relative folders.
fn usual_path(environment: Environment<'_>) -> Option<PathBuf> {
    let folder = |name| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(base.join("tamis").join("config.toml"))
}

fn from_environment(entry: &'static Entry, environment: Environment<'_>) -> anyhow::Result<Option<Value>> {
    let found = if entry.key == COLOR.entry.key {
        color_of_environment(environment).map(|(name, text)| (name.to_owned(), text))
    } else {
        let name = entry.variable();
        environment(&name).map(|text| (name, text))
    };
    let Some((name, text)) = found else { return Ok(None) };
    (entry.check)(&text)
        .map_err(|why| anyhow!("the environment variable {name}: {why}"))
        .hint(format!("{name} sets `{}`: {}", entry.key, entry.about))?;
    Ok(Some(Value { entry, text, origin: Origin::Environment(name) }))
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}", Place(path, *line)),
            Self::Environment(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// A line of a file, as editors and compilers write it.
struct Place<'a>(&'a Path, usize);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0.display(), self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human_size::HumanSize;

    fn environment(set: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        let set: Vec<(String, String)> = set.iter().map(|&(name, text)| (name.into(), text.into())).collect();
        move |name| set.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
    }

    #[test]
    fn a_flag_beats_the_environment_that_the_file_that_the_default() {
        let file =
            file::parse(Path::new("c.toml"), "color = \"always\"\nwarc.rollover = 5000\n").expect("sound");
        let never = Some(When::Never);
        for (flag, set, in_file, color, origin) in [
            (None, vec![], false, When::Auto, "default"),
            (None, vec![], true, When::Always, "c.toml:1"),
            (None, vec![("NO_COLOR", "1")], true, When::Never, "NO_COLOR"),
            (None, vec![("NO_COLOR", "1"), ("TAMIS_COLOR", "auto")], true, When::Auto, "TAMIS_COLOR"),
            (None, vec![("CLICOLOR_FORCE", "1")], false, When::Always, "CLICOLOR_FORCE"),
            (None, vec![("CLICOLOR_FORCE", "0")], false, When::Auto, "default"),
            (None, vec![("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false, When::Never, "NO_COLOR"),
            (never, vec![("TAMIS_COLOR", "always")], true, When::Never, "--color"),
        ] {
            let file = if in_file { &*file } else { &[] };
            let flags = Flags { color: flag, ..Flags::default() };
            let config = Config::gather(file, &flags, &environment(&set)).expect("sound");
            assert_eq!(config.value(&COLOR), color, "{set:?}");
            assert_eq!(config.values()[0].origin.to_string(), origin, "{set:?}");
        }
        let config = Config::gather(&file, &Flags::default(), &environment(&[])).expect("sound");
        assert_eq!(config.value(&WARC_ROLLOVER), HumanSize(5000));
        assert_eq!(config.pick(Some(HumanSize(7)), &WARC_ROLLOVER), HumanSize(7));
    }

    #[test]
    fn a_wrong_variable_is_named_with_what_it_sets() {
        let set = environment(&[("TAMIS_WARC_ROLLOVER", "huge")]);
        let error = Config::without_file(&Flags::default(), &set).expect_err("no size");
        assert!(error.to_string().contains("TAMIS_WARC_ROLLOVER: `huge` is not a size"), "{error}");
        assert!(crate::hint::hints(&error)[0].contains("`warc.rollover`"));
    }

    #[test]
    fn the_file_is_sought_where_it_is_named_or_in_the_config_folder() {
        for (flag, set, expected) in [
            (None, vec![("HOME", "/home/a")], Some("/home/a/.config/tamis/config.toml")),
            (None, vec![("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/x")], Some("/x/tamis/config.toml")),
            (None, vec![("HOME", "/h"), ("XDG_CONFIG_HOME", "rel")], Some("/h/.config/tamis/config.toml")),
            (None, vec![("HOME", "/home/a"), ("TAMIS_CONFIG", "t.toml")], Some("t.toml")),
            (Some("f.toml"), vec![("TAMIS_CONFIG", "t.toml")], Some("f.toml")),
            (None, vec![], None),
        ] {
            let flags = Flags { config: flag.map(PathBuf::from), ..Flags::default() };
            assert_eq!(path(&flags, &environment(&set)), expected.map(PathBuf::from), "{set:?}");
        }
    }
}
