//! The legend of a CDX file: its first line, with a letter for each column.

/// The columns of a CDX file by their letters, and the byte between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legend {
    separator: u8,
    letters: Vec<u8>,
}

/// Letters beyond those of [`Legend`] that stand for the three columns pywb adds to a revisit.
const ORIGINAL: [(u8, &str); 3] = [(1, "orig.length"), (2, "orig.offset"), (3, "orig.filename")];

impl Legend {
    /// Eleven columns: ` CDX N b a m s k r M S V g`.
    pub fn cdx11() -> Self {
        Self { separator: b' ', letters: b"NbamskrMSVg".to_vec() }
    }

    /// Nine columns: ` CDX N b a m s k r V g`.
    pub fn cdx9() -> Self {
        Self { separator: b' ', letters: b"NbamskrVg".to_vec() }
    }

    /// Reads the first line of a CDX file: the separator, `CDX`, and letters. None where it is no such line.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let (separator, rest) = match line {
            [b'C', b'D', b'X', separator, rest @ ..] => (*separator, rest),
            [separator, b'C', b'D', b'X', second, rest @ ..] if separator == second => (*separator, rest),
            _ => return None,
        };
        let columns: Vec<&[u8]> = rest.split(|&byte| byte == separator).filter(|c| !c.is_empty()).collect();
        let is_legend = !separator.is_ascii_alphanumeric()
            && !columns.is_empty()
            && columns.iter().all(|c| c.len() == 1 && c[0].is_ascii_graphic());
        is_legend.then(|| Self { separator, letters: columns.concat() })
    }

    /// The legend of a file without one, from the number of columns, as pywb takes it: 7, 9, 10 or 11, and three more
    /// with the place of the original of a revisit.
    pub fn from_width(columns: usize) -> Option<Self> {
        let letters = match columns {
            7 => b"NbamskS".to_vec(),
            9 => b"NbamskrVg".to_vec(),
            10 => b"NbamskrMVg".to_vec(),
            11 => b"NbamskrMSVg".to_vec(),
            12..=14 => {
                let mut legend = Self::from_width(columns - 3)?;
                legend.letters.extend(ORIGINAL.map(|(letter, _)| letter));
                return Some(legend);
            }
            _ => return None,
        };
        Some(Self { separator: b' ', letters })
    }

    /// The first line of a file with these columns, without a line end.
    pub fn header(&self) -> String {
        let separator = char::from(self.separator);
        let mut header = format!("{separator}CDX");
        for &letter in &self.letters {
            header.extend([separator, char::from(letter)]);
        }
        header
    }

    /// The byte between columns, mostly a blank.
    pub fn separator(&self) -> u8 {
        self.separator
    }

    /// The letters of the columns.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Whether lines begin with the key and the moment, so that a sorted file can be searched by them.
    pub fn is_searchable(&self) -> bool {
        self.separator == b' ' && matches!(self.letters[..], [b'N' | b'A', b'b', ..])
    }

    /// The name under which a column without a field of its own is kept.
    pub(super) fn name(letter: u8) -> String {
        let original = ORIGINAL.iter().find(|(known, _)| *known == letter);
        original.map_or_else(|| char::from(letter).to_string(), |(_, name)| (*name).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_are_read_and_written() {
        for line in [" CDX N b a m s k r M S V g", " CDX A b e a m s c k r V v D d g M n", "\tCDX\tN\tb\ta"] {
            let legend = Legend::parse(line.as_bytes()).expect(line);
            assert_eq!(legend.header(), line);
        }
        assert_eq!(Legend::parse(b"CDX N b a m s k r V g"), Some(Legend::cdx9()));
        for line in ["", " CDX", "org,example)/ 2014", "CDXX N b", " CDX url date"] {
            assert_eq!(Legend::parse(line.as_bytes()), None, "{line}");
        }
    }
}
