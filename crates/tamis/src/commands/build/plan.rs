//! The plan of a build, read from TOML.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::step::{Kind, Step};
use crate::hint::WithHint;
use crate::nearest::nearest;

/// What to build, and how.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) collection: PathBuf,
    pub(super) event: Option<String>,
    pub(super) steps: Vec<Step>,
    /// What is run after each step: a program and its arguments.
    pub(super) when_done: Vec<String>,
    /// The folder that paths are relative to.
    pub(super) folder: PathBuf,
}

/// Where in a file something stands.
struct Place<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Place<'_> {
    fn of(&self, offset: usize) -> String {
        let line = self.text[..offset.min(self.text.len())].matches('\n').count() + 1;
        format!("{}:{line}", self.path.display())
    }
}

/// A table of the plan.
type Table<'t> = DeTable<'t>;

impl Plan {
    /// Reads a plan. Refuses what it does not know, and says where it stands.
    pub(super) fn parse(path: &Path, text: &str) -> anyhow::Result<Self> {
        let parsed = DeTable::parse(text)
            .map_err(|error| anyhow!("{}: {}", path.display(), error.to_string().trim_end()))?;
        let read = |folder: PathBuf| {
            let reader = Reader { place: Place { path, text }, folder };
            reader.plan(parsed.get_ref())
        };
        let mut plan = read(path.parent().map(Path::to_owned).unwrap_or_default())?;
        for (step, unplaced) in plan.steps.iter_mut().zip(read(PathBuf::new())?.steps) {
            step.key = unplaced.command();
        }
        Ok(plan)
    }

    /// The step that makes the collection.
    pub(super) fn first_step(&self) -> Step {
        let mut words = vec!["new".into(), self.collection.clone().into_os_string()];
        if let Some(event) = &self.event {
            words.extend(["--event".into(), event.into()]);
        }
        Step {
            name: "new".to_owned(),
            verb: "new",
            words,
            output: None,
            files: Vec::new(),
            place: "the plan".to_owned(),
            key: String::new(),
        }
    }
}

struct Reader<'a> {
    place: Place<'a>,
    folder: PathBuf,
}

impl Reader<'_> {
    fn plan(&self, table: &Table<'_>) -> anyhow::Result<Plan> {
        self.refuse_unknown(table)?;
        let text = |key: &str| table.get(key).map(|value| self.text(key, value)).transpose();
        let name = text("collection")?
            .ok_or_else(|| anyhow!("{}: `collection` is missing", self.place.path.display()))
            .hint("set its folder: collection = \"eclipse\"")?;
        let collection = self.folder.join(name);
        let mut steps = Vec::new();
        for kind in Kind::ALL {
            for (number, table) in self.tables(kind.key(), table)?.into_iter().enumerate() {
                steps.push(self.step(kind, number, &table, &collection)?);
            }
        }
        let when_done = match table.get("done").map(Spanned::get_ref) {
            None => Vec::new(),
            Some(DeValue::Table(done)) => {
                done.get("command").map(|value| self.texts("command", value)).transpose()?.unwrap_or_default()
            }
            Some(_) => return Err(anyhow!("{}: `done` is not a table", self.place.path.display())),
        };
        Ok(Plan { collection, event: text("event")?, steps, when_done, folder: self.own_folder() })
    }

    /// The folder of the plan, also where its path has none.
    fn own_folder(&self) -> PathBuf {
        if self.folder.as_os_str().is_empty() { PathBuf::from(".") } else { self.folder.clone() }
    }

    fn refuse_unknown(&self, table: &Table<'_>) -> anyhow::Result<()> {
        let known: Vec<&str> =
            Kind::ALL.iter().map(|kind| kind.key()).chain(["collection", "event", "done"]).collect();
        let mut keys = table.keys();
        let Some(key) = keys.find(|key| !known.contains(&key.get_ref().as_ref())) else { return Ok(()) };
        let hint = nearest(key.get_ref(), known.iter().copied())
            .map_or("`tamis build --help` shows a plan".to_owned(), |near| format!("did you mean `{near}`?"));
        let place = self.place.of(key.span().start);
        Err(anyhow!("{place}: `{}` is not a step", key.get_ref())).hint(hint)
    }

    /// The tables of a key: `[key]`, or any number of `[[key]]`.
    fn tables<'t>(&self, key: &str, table: &'t Table<'t>) -> anyhow::Result<Vec<Spanned<&'t Table<'t>>>> {
        let Some(value) = table.get(key) else { return Ok(Vec::new()) };
        let as_table = |value: &'t Spanned<DeValue<'t>>| match value.get_ref() {
            DeValue::Table(table) => Ok(Spanned::new(value.span(), table)),
            _ => Err(anyhow!("{}: `{key}` is not a table", self.place.of(value.span().start))),
        };
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(as_table).collect(),
            _ => Ok(vec![as_table(value)?]),
        }
    }

    fn step(
        &self,
        kind: Kind,
        number: usize,
        table: &Spanned<&Table<'_>>,
        collection: &Path,
    ) -> anyhow::Result<Step> {
        let mut inputs = Vec::new();
        let mut options: Vec<OsString> = Vec::new();
        let (mut sql, mut output, mut files) = (None, None, Vec::new());
        for (key, value) in *table.get_ref() {
            let key: &str = key.get_ref();
            match key {
                "inputs" if kind.has_inputs() => inputs = self.texts(key, value)?,
                "sql" if kind == Kind::Output => sql = Some(self.text(key, value)?),
                "output" if kind.writes_file() => output = Some(self.folder.join(self.text(key, value)?)),
                _ => self.option(kind, key, value, &mut options)?,
            }
            if kind.is_path(key) {
                files.push(self.folder.join(self.text(key, value)?));
            }
        }
        let place = self.place.of(table.span().start);
        if kind == Kind::Output && (sql.is_none() || output.is_none()) {
            return Err(anyhow!("{place}: an output needs `sql` and `output`"));
        }
        let mut words: Vec<OsString> = vec![kind.verb().into(), collection.into()];
        files.extend(
            inputs
                .iter()
                .filter(|input| !is_address(input))
                .map(|input| self.folder.join(input.strip_prefix('@').unwrap_or(input))),
        );
        words.extend(inputs.into_iter().map(|input| self.input(kind, &input)));
        words.extend(sql.map(OsString::from));
        words.extend(options);
        if let Some(output) = &output {
            words.extend(["--output".into(), output.into(), "--force".into()]);
        }
        let name = if number == 0 { kind.key().to_owned() } else { format!("{} {}", kind.key(), number + 1) };
        Ok(Step { name, verb: kind.verb(), words, output, files, place, key: String::new() })
    }

    /// An input: an address, or a path beside the plan. A crawl takes files of seeds by an `@` before them.
    fn input(&self, kind: Kind, input: &str) -> OsString {
        if is_address(input) {
            return input.into();
        }
        let list = input.strip_prefix('@').or((kind == Kind::Crawl).then_some(input));
        match list {
            Some(list) => {
                let mut word = OsString::from("@");
                word.push(self.folder.join(list));
                word
            }
            None => self.folder.join(input).into_os_string(),
        }
    }

    /// A key of a step as an option of its command.
    fn option(
        &self,
        kind: Kind,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        words: &mut Vec<OsString>,
    ) -> anyhow::Result<()> {
        let option = || OsString::from(format!("--{}", kind.option(key)));
        match value.get_ref() {
            DeValue::Boolean(true) => words.push(option()),
            DeValue::Boolean(false) => {}
            DeValue::Array(list) if kind.joins(key) => {
                let texts =
                    list.iter().map(|value| self.text(key, value)).collect::<anyhow::Result<Vec<_>>>()?;
                words.extend([option(), texts.join(",").into()]);
            }
            DeValue::Array(list) => {
                for value in list {
                    words.extend(with_value(option(), self.value(kind, key, value)?));
                }
            }
            _ => words.extend(with_value(option(), self.value(kind, key, value)?)),
        }
        Ok(())
    }

    fn value(&self, kind: Kind, key: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<OsString> {
        let text = self.text(key, value)?;
        Ok(if kind.is_path(key) { self.folder.join(text).into_os_string() } else { text.into() })
    }

    fn text(&self, key: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            DeValue::Datetime(moment) => Ok(moment.to_string()),
            _ => Err(anyhow!("{}: `{key}` is not a string or number", self.place.of(value.span().start))),
        }
    }

    fn texts(&self, key: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Vec<String>> {
        match value.get_ref() {
            DeValue::Array(list) => list.iter().map(|value| self.text(key, value)).collect(),
            _ => Ok(vec![self.text(key, value)?]),
        }
    }
}

/// An option and its value. One that begins with a minus sign would be taken for an option itself.
fn with_value(mut option: OsString, value: OsString) -> Vec<OsString> {
    if !value.as_encoded_bytes().starts_with(b"-") {
        return vec![option, value];
    }
    option.push("=");
    option.push(value);
    vec![option]
}

fn is_address(input: &str) -> bool {
    input.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Result<Vec<String>, String> {
        let plan = Plan::parse(Path::new("p/plan.toml"), text).map_err(|error| error.to_string())?;
        Ok(plan.steps.iter().map(Step::command).collect())
    }

    #[test]
    fn keys_are_options_and_steps_have_their_order() {
        let text = "collection = 'c'\n[report]\n[crawl]\nmax-pages = 5\ninputs = ['s.txt', 'http://a.example/']\nrequisites = true\n\
                    [import]\ninputs = 'a.warc'\nreference = false\n[clean]\ncolumns = ['title', 'text']\n\
                    [[output]]\nsql = 'select 1'\noutput = 'o.csv'\n[[output]]\nsql = 'select 2'\noutput = 'p.csv'\n";
        assert_eq!(
            commands(text).expect("sound"),
            [
                "tamis import p/c p/a.warc",
                "tamis crawl p/c @p/s.txt http://a.example/ --total-pages 5 --requisites",
                "tamis clean p/c --columns title,text",
                "tamis query p/c 'select 1' --output p/o.csv --force",
                "tamis query p/c 'select 2' --output p/p.csv --force",
                "tamis report p/c",
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, expected) in [
            ("", "p/plan.toml: `collection` is missing"),
            ("collection = 'c'\n\n[crwl]\n", "p/plan.toml:3: `crwl` is not a step"),
            ("collection = 'c'\nclean = 3\n", "p/plan.toml:2: `clean` is not a table"),
            ("collection = 'c'\n[clean]\nx = {}\n", "p/plan.toml:3: `x` is not a string or number"),
            (
                "collection = 'c'\n[[output]]\nsql = 'x'\n",
                "p/plan.toml:2: an output needs `sql` and `output`",
            ),
            ("collection = [\n", "p/plan.toml: "),
        ] {
            let told = commands(text).expect_err("it is wrong");
            assert!(told.starts_with(expected), "{told}");
        }
    }
}
