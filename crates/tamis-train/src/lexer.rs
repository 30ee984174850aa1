//! The tokeniser's automaton, from its rules.
//!
//! `rules.txt` has two kinds of lines. `NAME = text` gives a name to a piece of a pattern, which `{NAME}` stands for further
//! down. `Rule: pattern` says which text makes a token, and `Rule/2: pattern`
//! that the last two characters of it are only looked at, `Rule/.: pattern` that all from its last point on are; `Rule` is one of [`Rule`]. Patterns are regular expressions
//! over classes of characters: an ASCII character is its own class, `{LET}` and the like are those of `classes.txt`. Of all
//! tokens that may start at a place the longest is taken, and of rules with the same length the one that stands first.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use regex_automata::dfa::dense::{self, DFA};
use regex_automata::dfa::{Automaton as _, StartKind};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind};

use tamis_words::tokens::ptb::{END_OF_TEXT, MAGIC, Rule, UP_TO_POINT};

/// What the automaton is made from, and where it is written.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder of `rules.txt` and `classes.txt`
    #[arg(long, default_value = "crates/tamis-words/src/tokens/ptb")]
    rules: PathBuf,
    /// The automaton
    #[arg(short, long, default_value = "crates/tamis-words/models/tokens.bin")]
    output: PathBuf,
}

/// Builds the automaton.
pub(crate) fn run(options: &Options) -> Result<()> {
    let read = |name: &str| {
        let path = options.rules.join(name);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let bytes = compile(&read("rules.txt")?, &read("classes.txt")?)?;
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    println!("{}: {} bytes", options.output.display(), bytes.len());
    Ok(())
}

/// The class of characters that no line of `classes.txt` names.
const OTHER: &str = "OTH";
/// The first class that is no ASCII character.
const FIRST_CLASS: usize = 0x80;

/// The stored form of the automaton.
fn compile(rules: &str, classes: &str) -> Result<Vec<u8>> {
    let (classes, ranges) = read_classes(classes)?;
    let rules = read_rules(rules, classes)?;
    let machine = Machine::build(&rules)?.minimal();
    Ok(machine.written(&ranges, &rules.kinds))
}

/// The names of the classes with their patterns, and which class each range of characters is of.
type Classes = (HashMap<String, String>, Vec<(u32, u8)>);

fn read_classes(text: &str) -> Result<Classes> {
    let mut names = HashMap::from([
        (OTHER.to_owned(), pattern_of(FIRST_CLASS)),
        ("END".to_owned(), pattern_of(usize::from(END_OF_TEXT))),
    ]);
    let mut class_of: Vec<u8> =
        (0..=char::MAX as u32).map(|at| if at < 128 { at as u8 } else { FIRST_CLASS as u8 }).collect();
    for (place, line) in text.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let class = FIRST_CLASS + 1 + place;
        let (name, ranges) = line.split_once(' ').with_context(|| format!("no ranges: {line}"))?;
        names.insert(name.to_owned(), pattern_of(class));
        for range in ranges.split(' ') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (usize::from_str_radix(first, 16)?, usize::from_str_radix(last, 16)?);
            class_of
                .get_mut(first..=last)
                .with_context(|| format!("{name}: {range}"))?
                .fill(u8::try_from(class)?);
        }
    }
    let mut ranges: Vec<(u32, u8)> = (0..).zip(class_of).collect();
    ranges.dedup_by_key(|range| range.1);
    Ok((names, ranges))
}

fn pattern_of(class: usize) -> String {
    format!("\\x{class:02X}")
}

/// The rules.
#[derive(Default)]
struct Rules {
    /// The patterns, with all names replaced.
    patterns: Vec<String>,
    /// The place in `kinds` of what each pattern makes.
    kind_of: Vec<u8>,
    /// Rules, each with how many characters it only looks at.
    kinds: Vec<(Rule, u8)>,
}

fn read_rules(text: &str, mut names: HashMap<String, String>) -> Result<Rules> {
    let mut rules = Rules::default();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, piece)) = line.split_once(" = ") {
            let piece = replaced(piece, &names)?;
            ensure!(names.insert(name.to_owned(), piece).is_none(), "{name} is named twice");
        } else if let Some((rule, pattern)) = line.split_once(": ") {
            let (rule, ahead) = rule.split_once('/').unwrap_or((rule, "0"));
            let rule = Rule::from_name(rule).with_context(|| format!("no such rule: {rule}"))?;
            let kind = (rule, if ahead == "." { UP_TO_POINT } else { ahead.parse()? });
            let place = rules.kinds.iter().position(|known| *known == kind).unwrap_or(rules.kinds.len());
            if place == rules.kinds.len() {
                rules.kinds.push(kind);
            }
            rules.patterns.push(replaced(pattern, &names)?);
            rules.kind_of.push(u8::try_from(place)?);
        } else {
            bail!("neither a name nor a rule: {line}");
        }
    }
    Ok(rules)
}

/// A pattern with what its names stand for.
fn replaced(pattern: &str, names: &HashMap<String, String>) -> Result<String> {
    let mut whole = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('{') {
        let (before, behind) = rest.split_at(at);
        whole.push_str(before);
        let is_name = behind[1..].starts_with(|first: char| first.is_ascii_uppercase());
        let escaped = before.ends_with('\\');
        if is_name && !escaped {
            let (name, behind) = behind[1..].split_once('}').with_context(|| format!("no end: {pattern}"))?;
            whole.push_str(names.get(name).with_context(|| format!("unknown: {{{name}}}"))?);
            rest = behind;
        } else {
            whole.push('{');
            rest = &behind[1..];
        }
    }
    Ok(whole + rest)
}

/// An automaton with a row of 256 for each state. State 0 is dead, state 1 the first.
struct Machine {
    next: Vec<[u16; 256]>,
    /// 0, or the place of its kind and one.
    rules: Vec<u8>,
}

impl Machine {
    fn build(rules: &Rules) -> Result<Machine> {
        let dfa: DFA<Vec<u32>> = dense::Builder::new()
            .configure(dense::Config::new().match_kind(MatchKind::All).start_kind(StartKind::Anchored))
            .syntax(syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true))
            .thompson(thompson::Config::new().utf8(false))
            .build_many(&rules.patterns)?;
        let first = dfa.start_state(&start::Config::new().anchored(Anchored::Yes))?;
        let mut known: HashMap<StateID, u16> = HashMap::from([(first, 1)]);
        let mut queue = vec![first];
        let mut machine = Machine { next: vec![[0; 256]; 2], rules: vec![0, 0] };
        let mut done = 0;
        while let Some(&state) = queue.get(done) {
            done += 1;
            let end = dfa.next_eoi_state(state);
            if dfa.is_match_state(end) {
                let matched = (0..dfa.match_len(end)).map(|at| dfa.match_pattern(end, at).as_usize()).min();
                machine.rules[done] = matched.map_or(0, |pattern| rules.kind_of[pattern] + 1);
            }
            for class in 0..=255_u8 {
                let next = dfa.next_state(state, class);
                if dfa.is_dead_state(next) || dfa.is_quit_state(next) {
                    continue;
                }
                let count = u16::try_from(machine.next.len())?;
                let number = *known.entry(next).or_insert(count);
                if number == count {
                    queue.push(next);
                    machine.next.push([0; 256]);
                    machine.rules.push(0);
                }
                machine.next[done][usize::from(class)] = number;
            }
        }
        ensure!(machine.rules[1] == 0, "a rule matches nothing");
        Ok(machine)
    }

    /// The smallest automaton that answers the same: states are told apart by what they answer, then by where they lead,
    /// until nothing changes.
    fn minimal(self) -> Machine {
        let mut group: Vec<u16> = self.rules.iter().map(|&rule| u16::from(rule)).collect();
        let mut count = 0;
        loop {
            let mut known: HashMap<(u16, Vec<u16>), u16> = HashMap::new();
            let groups: Vec<u16> = (0..self.next.len())
                .map(|state| {
                    let leads = self.next[state].iter().map(|&next| group[usize::from(next)]).collect();
                    let new = known.len() as u16;
                    *known.entry((group[state], leads)).or_insert(new)
                })
                .collect();
            group = groups;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        let mut machine = Machine { next: vec![[0; 256]; count], rules: vec![0; count] };
        for (state, &to) in group.iter().enumerate() {
            machine.rules[usize::from(to)] = self.rules[state];
            machine.next[usize::from(to)] = self.next[state].map(|next| group[usize::from(next)]);
        }
        machine
    }

    fn written(&self, ranges: &[(u32, u8)], kinds: &[(Rule, u8)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        number(&mut bytes, ranges.len());
        let mut last = 0;
        for &(first, class) in ranges {
            number(&mut bytes, (first - last) as usize);
            bytes.push(class);
            last = first;
        }
        let mut known: HashMap<Vec<u16>, u8> = HashMap::new();
        let mut samples = Vec::new();
        let column_of: Vec<u8> = (0..256)
            .map(|class| {
                let column = self.next.iter().map(|row| row[class]).collect();
                let new = known.len() as u8;
                *known.entry(column).or_insert_with(|| {
                    samples.push(class);
                    new
                })
            })
            .collect();
        bytes.push(samples.len() as u8);
        bytes.extend(column_of);
        bytes.push(kinds.len() as u8);
        bytes.extend(kinds.iter().flat_map(|&(rule, ahead)| [rule as u8, ahead]));
        number(&mut bytes, self.next.len());
        for (row, &rule) in self.next.iter().zip(&self.rules) {
            bytes.push(rule);
            let row: Vec<u16> = samples.iter().map(|&class| row[class]).collect();
            for run in row.chunk_by(|one, other| one == other) {
                bytes.push(run.len() as u8);
                number(&mut bytes, usize::from(run[0]));
            }
        }
        bytes
    }
}

/// Writes a number in groups of seven bits, the lowest first.
fn number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_automaton_is_that_of_the_rules() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tamis-words");
        let read = |path: &str| fs::read(format!("{folder}/{path}")).expect("a file of the crate");
        let text = |path: &str| String::from_utf8(read(path)).expect("UTF-8");
        let made = compile(&text("src/tokens/ptb/rules.txt"), &text("src/tokens/ptb/classes.txt"))
            .expect("sound rules");
        assert!(made == read("models/tokens.bin"), "run `cargo run --release -p tamis-train -- lexer`");
    }

    #[test]
    fn names_stand_for_their_pieces() {
        let names = HashMap::from([("A".to_owned(), "x".to_owned())]);
        assert_eq!(replaced("{A}{2}\\{A}", &names).ok().as_deref(), Some("x{2}\\{A}"));
        assert!(replaced("{B}", &names).is_err());
    }
}
