//! Text that earlier software damaged: what happened to it, and the text as it was.
//!
//! | kind | what happened | what is done |
//! |---|---|---|
//! | [A](Kind::A) | UTF-8 was read as Latin-1 and lower-cased: `ã¤` for `ä` | mended |
//! | [B](Kind::B) | UTF-8 was read as Latin-1, once or several times: `Ã¤`, `ÃƒÂ¤` for `ä`; windows-1252 was, and its dashes and quotation marks are control characters | mended |
//! | [C](Kind::C), [D](Kind::D) | characters were lost to `?`, with capitals (C) or without them (D) | the places are named |
//! | [E](Kind::E) | nothing | |
//!
//! Sound text is never touched. Damage is mended only where the text itself proves it, by sequences that no sound text
//! has; lines that were lower-cased after they were misread must also have no capitals and (nearly) nothing beyond ASCII
//! that is not part of a sequence. A word of capitals before a sign (`DIVÃ©`) proves nothing. A date is a hint that lowers the proof a little, never one by itself.
//!
//! Lower-casing made some bytes the same. What they were is chosen by the letters of the language that shows in the rest
//! of the text.

mod controls;
mod letters;
mod line;
mod lost;
mod map;
mod markup;
mod misread;
mod phase;
mod plan;
mod strength;
mod survey;

use std::borrow::Cow;

use controls::Controls;
use misread::Reading;

use crate::date::Date;

pub use line::read_line;
pub use lost::Lost;
pub use map::PositionMap;
pub(crate) use markup::{Markup, References, mend_markup, with_characters};
pub use phase::Kind;

/// How often text is misread in practice; what is still damaged after that stays so.
const MOST_ROUNDS: usize = 4;

/// What a text has of each kind of damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The damage that there is most of.
    pub kind: Kind,
    /// Characters that were misread and lower-cased (A).
    pub lower_cased: usize,
    /// Characters that were misread (B), one that was misread twice counted twice.
    pub misread: usize,
    /// Those of them that are control characters, U+0080 to U+009F, where windows-1252 has others.
    pub controls: usize,
    /// How often the text was misread: 2 for `ÃƒÂ¤`.
    pub rounds: usize,
    /// What was lost (C, D), at its places in the text as it was given.
    pub lost: Lost,
}

impl Diagnosis {
    /// Whether nothing is wrong with the text.
    pub fn is_sound(&self) -> bool {
        self.kind == Kind::E && self.lost.replaced.is_empty()
    }
}

/// A text with its damage mended as far as that can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired<'a> {
    /// The text; borrowed where nothing was mended.
    pub text: Cow<'a, str>,
    /// What was wrong with it.
    pub diagnosis: Diagnosis,
    /// Where the characters of the damaged text are now.
    pub map: PositionMap,
    steps: Vec<Step>,
}

impl Repaired<'_> {
    /// Whether something could be mended.
    pub fn is_mended(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// One thing that was done to mend a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A misreading was undone.
    Misread(Reading),
    /// Control characters became those of windows-1252.
    Controls,
}

/// Says what is wrong with a text.
///
/// ```
/// use tamis_page::repair::{Kind, diagnose};
///
/// assert_eq!(diagnose("São Paulo não é a capital.").kind, Kind::E);
/// assert_eq!(diagnose("Herr M?ller fuhr nach K?ln.").lost.question_marks, [6, 23]);
/// ```
pub fn diagnose(text: &str) -> Diagnosis {
    repair(text, None).diagnosis
}

/// Mends a text; `hint` is the day it was collected on.
///
/// Linear in time. The memory is a few words for a character beyond ASCII.
///
/// ```
/// use tamis_page::date::Date;
/// use tamis_page::repair::{Kind, repair};
///
/// let page = repair("les rã©sultats de l'ã©tã©", Date::new(2009, 6, 1));
/// assert_eq!(page.text, "les résultats de l'été");
/// assert_eq!(page.diagnosis.kind, Kind::A);
/// assert_eq!(page.map.new_offset(18), 17);
/// ```
pub fn repair(text: &str, hint: Option<Date>) -> Repaired<'_> {
    let expected = hint.map(Kind::of_day);
    let lost = lost::find(text, matches!(expected, Some(Kind::C | Kind::D)));
    let mut work = Work { text: Cow::Borrowed(text), map: PositionMap::default(), steps: Vec::new() };
    let (mut lower_cased, mut misread) = (work.round(Reading::Lowered, expected == Some(Kind::A)), 0);
    let plain = || plan::mend(text, Reading::Plain, false);
    if lower_cased > 0 && expected != Some(Kind::A) && plain().is_some_and(|mended| mended.text == work.text)
    {
        // `donâ€™t` has no capital that lower-casing would have changed: nothing says that it was.
        misread = std::mem::take(&mut lower_cased);
        work.steps = vec![Step::Misread(Reading::Plain)];
    }
    while work.steps.len() < MOST_ROUNDS {
        match work.round(Reading::Plain, expected == Some(Kind::B)) {
            0 => break,
            mended => misread += mended,
        }
    }
    let rounds = work.steps.len();
    let controls = work.controls();
    misread += controls;
    let kind = kind(text, lower_cased, misread, lost.question_marks.len());
    let diagnosis = Diagnosis { kind, lower_cased, misread, controls, rounds, lost };
    Repaired { text: work.text, diagnosis, map: work.map, steps: work.steps }
}

/// A text between two rounds.
struct Work<'a> {
    text: Cow<'a, str>,
    map: PositionMap,
    steps: Vec<Step>,
}

impl Work<'_> {
    /// Undoes one misreading, and says of how many characters.
    fn round(&mut self, reading: Reading, expected: bool) -> usize {
        let Some(mended) = plan::mend(&self.text, reading, expected) else { return 0 };
        self.map = if self.map.is_identity() { mended.map } else { self.map.then(&mended.map) };
        self.text = Cow::Owned(mended.text);
        self.steps.push(Step::Misread(reading));
        mended.count
    }

    /// Mends what control characters are left, and says how many there were. No character moves.
    fn controls(&mut self) -> usize {
        let controls = Controls::of(&self.text);
        if controls.are_signs() {
            self.text = Cow::Owned(controls.mended(&self.text));
            self.steps.push(Step::Controls);
        }
        controls.count()
    }
}

fn kind(text: &str, lower_cased: usize, misread: usize, lost: usize) -> Kind {
    let most = lower_cased.max(misread).max(lost);
    if most == 0 {
        Kind::E
    } else if most == lower_cased {
        Kind::A
    } else if most == misread {
        Kind::B
    } else if text.chars().any(char::is_uppercase) {
        Kind::D
    } else {
        Kind::C
    }
}

#[cfg(test)]
mod tests;
