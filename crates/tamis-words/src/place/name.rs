//! Names as they are looked up.

/// A name without what writers leave out: capitals, accents of Latin letters, points, hyphens, a leading "the".
///
/// ```
/// assert_eq!(tamis_words::place::normal(" The St.-Étienne’s "), "st etiennes");
/// ```
pub fn normal(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for letter in name.chars().flat_map(char::to_lowercase) {
        match letter {
            '.'
            | '\''
            | '`'
            | '’'
            | '‘'
            | 'ʻ'
            | 'ʼ'
            | '\u{300}'..='\u{36F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{AD}' => {}
            _ if is_gap(letter) => {
                if !key.is_empty() && !key.ends_with(' ') {
                    key.push(' ');
                }
            }
            _ => match plain(letter) {
                Some(plain) => key.push_str(plain),
                None => key.push(letter),
            },
        }
    }
    key.truncate(key.trim_end().len());
    match key.strip_prefix("the ") {
        Some(rest) => rest.to_owned(),
        None => key,
    }
}

fn is_gap(letter: char) -> bool {
    match letter {
        '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{303F}' => true,
        _ if letter.is_ascii() => !letter.is_ascii_alphanumeric() && letter != CODE_MARK,
        _ => letter.is_whitespace(),
    }
}

/// What codes of regions and countries begin with, so that they are not found as names.
const CODE_MARK: char = super::CODE;

/// A small Latin letter without its accent.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' | 'ḍ' | 'ḑ' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' | 'ḥ' | 'ḩ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => "i",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṣ' => "s",
        'ß' => "ss",
        'ţ'..='ŧ' | 'ț' | 'ṭ' => "t",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ý' | 'ÿ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' | 'ẓ' => "z",
        'þ' => "th",
        _ => return None,
    })
}
