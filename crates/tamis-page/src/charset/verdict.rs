//! Which encoding a page is in: its declarations, weighed against its bytes.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, WINDOWS_874};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::census::{Census, is_written_above_ascii, utf16_without_bom};
use super::detect::{detect, has_iso_2022_jp_escape};
use super::{Declared, Hints, Rule, label, prescan, read_legacy};

/// How much of a page is decoded on trial where its declaration is in doubt.
const TRIAL: usize = 1 << 15;

/// What a page is to be read in.
pub(super) struct Verdict {
    pub(super) encoding: &'static Encoding,
    pub(super) rule: Rule,
    pub(super) declared: Option<Declared>,
    /// Where the text starts: behind a byte order mark.
    pub(super) body: usize,
}

pub(super) fn judge(bytes: &[u8], hints: Hints<'_>) -> Verdict {
    let bom = Encoding::for_bom(bytes);
    let body = bom.map_or(0, |(_, length)| length);
    let case = Case { bytes: &bytes[body..], declarations: declarations(bytes, bom, hints), tld: hints.tld };
    let (encoding, rule) = case.verdict();
    Verdict { encoding, rule, declared: case.declarations.into_iter().next(), body }
}

/// All that the page says, the strongest first.
fn declarations(bytes: &[u8], bom: Option<(&'static Encoding, usize)>, hints: Hints<'_>) -> Vec<Declared> {
    let bom =
        bom.map(|(encoding, _)| Declared { label: encoding.name().to_owned(), encoding, rule: Rule::Bom });
    let header = hints.http_charset.and_then(|label| {
        let encoding = label::encoding_for(label)?;
        Some(Declared { label: label.trim().to_owned(), encoding, rule: Rule::Header })
    });
    [bom, header, prescan::meta(bytes), prescan::xml(bytes)].into_iter().flatten().collect()
}

struct Case<'a> {
    bytes: &'a [u8],
    declarations: Vec<Declared>,
    tld: Option<&'a str>,
}

type Choice = (&'static Encoding, Rule);

impl Case<'_> {
    fn verdict(&self) -> Choice {
        let declared = self.declarations.first();
        if let Some(declared) =
            declared.filter(|declared| declared.rule == Rule::Bom && declared.encoding != UTF_8)
        {
            return (declared.encoding, Rule::Bom);
        }
        if let Some(wide) = utf16_without_bom(self.bytes) {
            return self.found(wide);
        }
        match simdutf8::basic::from_utf8(self.bytes) {
            Ok(text) if text.is_ascii() => self.ascii(),
            Ok(_) => self.valid_utf8(),
            Err(_) => self.not_utf8(),
        }
    }

    /// The choice of an encoding that shows in the bytes, by the declaration of it if there is one.
    fn found(&self, encoding: &'static Encoding) -> Choice {
        let declared = self.declarations.iter().find(|declared| is_kin(declared.encoding, encoding));
        declared.map_or((encoding, Rule::Detected), |declared| (declared.encoding, declared.rule))
    }

    fn ascii(&self) -> Choice {
        if has_iso_2022_jp_escape(self.bytes) {
            return self.found(ISO_2022_JP);
        }
        match self.declarations.first() {
            Some(declared) if is_utf16(declared.encoding) => (UTF_8, Rule::Utf8Valid),
            Some(declared) => (declared.encoding, declared.rule),
            None => (UTF_8, Rule::Default),
        }
    }

    fn valid_utf8(&self) -> Choice {
        let Some(declared) = self.declarations.first() else { return (UTF_8, Rule::Utf8Valid) };
        let doubt_needed = evidence_against(declared.encoding);
        if declared.encoding == UTF_8 || Census::of(self.bytes).weight < doubt_needed {
            (declared.encoding, declared.rule)
        } else {
            (UTF_8, Rule::Utf8Valid)
        }
    }

    fn not_utf8(&self) -> Choice {
        let Census { sequences, broken, .. } = Census::of(self.bytes);
        match self.declarations.first() {
            // A few broken bytes, or the cut end of a page.
            Some(declared) if declared.encoding == UTF_8 && sequences >= broken => (UTF_8, declared.rule),
            _ if sequences >= 20 * broken.max(1) => (UTF_8, Rule::Utf8Valid),
            None if sequences > 3 * broken => (UTF_8, Rule::Utf8Valid),
            _ => self.legacy(),
        }
    }

    /// The first declaration that is not UTF-8, unless the bytes are against it.
    fn legacy(&self) -> Choice {
        let Some(declared) = self.declarations.iter().find(|declared| declared.encoding != UTF_8) else {
            return (detect(self.bytes, self.tld), Rule::Detected);
        };
        let followed = (declared.encoding, declared.rule);
        // Detection takes milliseconds: it is asked only where there is a reason to doubt.
        let Some(doubt) = self.doubt(declared.encoding) else { return followed };
        let detected = detect(self.bytes, self.tld);
        let agreed = self.found(detected);
        let gives_way = match doubt {
            Doubt::Nonsense => true,
            Doubt::Disputed => agreed.1 != Rule::Detected,
            Doubt::OtherScript => agreed.1 != Rule::Detected || !is_latin(detected),
            Doubt::Unreadable { faults } => self.faults(detected) * 4 < faults,
        };
        if gives_way && !is_kin(declared.encoding, detected) { agreed } else { followed }
    }

    fn doubt(&self, declared: &'static Encoding) -> Option<Doubt> {
        if is_utf16(declared) {
            return Some(Doubt::Nonsense);
        }
        if declared == WINDOWS_1252 && is_written_above_ascii(self.sample()) {
            return Some(Doubt::OtherScript);
        }
        let high = self.sample().iter().filter(|&&byte| byte >= 0x80).count();
        let faults = self.faults(declared);
        if faults >= 4 && faults * 20 > high {
            return Some(Doubt::Unreadable { faults });
        }
        let disputed = self.declarations.iter().any(|other| ![declared, UTF_8].contains(&other.encoding));
        disputed.then_some(Doubt::Disputed)
    }

    fn sample(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(TRIAL)]
    }

    fn faults(&self, encoding: &'static Encoding) -> usize {
        read_legacy(encoding, self.sample()).1
    }
}

/// Why a declaration may be wrong.
enum Doubt {
    /// It names UTF-16, and the bytes are not.
    Nonsense,
    /// It names a Latin encoding, and the words are written above ASCII.
    OtherScript,
    /// Bytes in the sample that it has no characters for.
    Unreadable { faults: usize },
    /// A weaker declaration names something else.
    Disputed,
}

/// How much must speak for UTF-8 before a declaration of `encoding` is overruled. Two bytes of Chinese are a valid
/// sequence of UTF-8 once in six times, so that a title of two characters would prove nothing.
fn evidence_against(encoding: &'static Encoding) -> usize {
    let in_pairs = [GBK, GB18030, BIG5, EUC_JP, EUC_KR, SHIFT_JIS, WINDOWS_874];
    if in_pairs.contains(&encoding) { 6 } else { 2 }
}

/// Whether what is detected as `detected` may as well be the narrower encoding `declared`.
fn is_kin(declared: &'static Encoding, detected: &'static Encoding) -> bool {
    let family = |encoding: &'static Encoding| match encoding.name() {
        "KOI8-R" => "KOI8-U",
        "gb18030" => "GBK",
        "ISO-8859-8-I" => "ISO-8859-8",
        name => name,
    };
    family(declared) == family(detected)
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// Encodings of Latin letters: single letters of them prove little, so they never overrule a declaration.
fn is_latin(encoding: &'static Encoding) -> bool {
    [
        "windows-1250",
        "windows-1252",
        "windows-1254",
        "windows-1257",
        "windows-1258",
        "ISO-8859-2",
        "ISO-8859-4",
    ]
    .contains(&encoding.name())
}
