//! The names in a text: who and where.

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A place.
    Place,
    /// A person.
    Person,
    /// An organisation.
    Organization,
    /// Of something; nobody said of what.
    Name,
}

/// Finds the names in a text. A tagger that knows names better than [`Capitalized`] is put in here.
pub trait Entities: Send + Sync {
    /// Gives each name of a text as often as it stands there.
    fn each(&self, text: &str, found: &mut dyn FnMut(&str, NameKind));
}

/// Takes words with capital letters for names: runs of them within a sentence. Languages that write all nouns so have too many, of which
/// learning keeps those that recur.
#[derive(Debug, Clone, Copy, Default)]
pub struct Capitalized;

/// Words of a name, at most.
pub(super) const MOST_WORDS: usize = 4;
/// Words with capital letters that are no names: of the calendar, which the dates of a model have, and of web pages.
const NO_NAMES: [&str; 34] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "news",
    "photo",
    "image",
];

impl NameKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Place, Self::Person, Self::Organization, Self::Name];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Person => "person",
            Self::Organization => "organization",
            Self::Name => "name",
        }
    }
}

impl Entities for Capitalized {
    fn each(&self, text: &str, found: &mut dyn FnMut(&str, NameKind)) {
        let mut run: Option<(usize, usize, usize)> = None;
        let mut begins_sentence = true;
        let mut at = 0;
        for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’' && c != '-')
        {
            let start = at;
            at += word.len();
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let behind = &word[bare.len()..];
            if bare.is_empty() {
                begins_sentence |= behind.contains(['.', '!', '?', ':', '\n', '"', '“']);
                if behind != " " {
                    end(text, &mut run, found);
                }
                continue;
            }
            if is_name(bare) && !begins_sentence {
                let (from, words) = run.map_or((start, 0), |(from, _, words)| (from, words));
                run = Some((from, start + bare.len(), words + 1));
            } else {
                end(text, &mut run, found);
            }
            if behind != " " {
                end(text, &mut run, found);
            }
            begins_sentence = behind.contains(['.', '!', '?', ':', '\n', '"', '“']);
        }
        end(text, &mut run, found);
    }
}

/// Tells of a run of words, if it is not too long to be a name.
fn end(text: &str, run: &mut Option<(usize, usize, usize)>, found: &mut dyn FnMut(&str, NameKind)) {
    if let Some((from, to, words)) = run.take()
        && words <= MOST_WORDS
    {
        found(&text[from..to], NameKind::Name);
    }
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    is_capital && (3..=40).contains(&word.len()) && !NO_NAMES.contains(&&*word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let mut names = Vec::new();
        Capitalized.each(text, &mut |name, _| names.push(name.to_owned()));
        names
    }

    #[test]
    fn runs_of_capitals_within_sentences_are_names() {
        for (text, expected) in [
            ("The storm hit Corpus Christi, Texas, on Friday.", vec!["Corpus Christi", "Texas"]),
            ("Rain fell. People in Houston fled to San Antonio.", vec!["Houston", "San Antonio"]),
            ("it was One Two Three Four Five Six words", vec![]),
            ("all in Łódź and Санкт-Петербург", vec!["Łódź", "Санкт-Петербург"]),
            ("", vec![]),
            ("...!?", vec![]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }
}
