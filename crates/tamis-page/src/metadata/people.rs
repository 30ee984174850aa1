//! Names out of bylines.

/// The people of a byline.
pub(super) fn people(line: &str) -> Vec<String> {
    let line = without_tags(line);
    let line = line.split_whitespace().filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ");
    let line = without_lead(&line);
    let line = until_aside(line);
    let mut names = Vec::new();
    for part in split_people(line) {
        names.extend(cleaned(part, names.is_empty()));
    }
    names
}

fn without_tags(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut inside = false;
    for c in line.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

/// E-mail, handles and links.
fn is_address(word: &str) -> bool {
    word.contains('@') || word.contains("://") || word.starts_with("www.")
}

#[rustfmt::skip]
const LEADS: &[&str] = &[
    "view all posts by", "more posts by", "all posts by", "zeige alle beiträge von", "alle beiträge von",
    "weitere beiträge von", "ver todas las entradas de", "voir tous les articles par",
    "voir tous les articles de", "erstellt von", "eingestellt von", "gepostet von", "interview von",
    "interview", "text und interview", "gastbeitrag von", "ein gastbeitrag von", "guest post by",
    "contributed by", "via", "edited by", "door:", "redaktion:", "protokoll", "essay von", "kommentar von",
    "analyse von", "eine kolumne von", "written by", "posted by", "published by", "reported by", "story by",
    "words by", "text by", "article by", "reviewed by", "submitted by", "created by", "added by",
    "geschrieben von", "verfasst von", "veröffentlicht von", "ein beitrag von", "ein artikel von", "von",
    "autor", "autorin", "autoren", "autor*in", "verfasser", "text", "foto", "authors", "author", "byline",
    "by", "par", "auteur", "publié par", "écrit par", "por", "escrito por", "publicado por", "autora",
    "autores", "di", "a cura di", "scritto da", "pubblicato da", "autore", "door", "geschreven door", "av",
    "af", "skrevet af", "skriven av", "przez", "napisał", "napisała", "автор", "автор:", "yazan", "yazar",
    "oleh", "kirjoittanut", "szerző", "autoři", "napsal", "napsala", "作者", "文", "記者", "记者", "撰文", "著者", "执笔",
    "글",
];

/// Cuts "By", "Von" and the like.
pub(super) fn without_lead(line: &str) -> &str {
    let mut line = line.trim();
    for _ in 0..3 {
        let lower = line.to_lowercase();
        // Lower case may have other lengths in bytes: then the lead is not one of ours.
        let lead = LEADS
            .iter()
            .filter(|lead| lower.starts_with(*lead) && line.is_char_boundary(lead.len()))
            .max_by_key(|lead| lead.len());
        let Some(lead) = lead else { break };
        let rest = &line[lead.len()..];
        // A label for screen readers, which nothing but its style parts from the name.
        let is_label = matches!(*lead, "author" | "autor")
            && rest.starts_with(char::is_uppercase)
            && line.starts_with('A');
        if !rest.is_empty() && !is_label && !rest.starts_with([' ', ':', '：', '/', '\u{a0}']) {
            break;
        }
        line = rest.trim_start_matches([' ', ':', '：', '/', '\u{a0}', '-', '–']);
    }
    line
}

/// Cuts what follows the names: dates, places, jobs behind a bar.
fn until_aside(line: &str) -> &str {
    const MARKS: &[&str] = &[
        " | ",
        " · ",
        " • ",
        "•",
        " – ",
        " — ",
        " - ",
        "(",
        "[",
        " // ",
        " on ",
        " in ",
        " for ",
        " at ",
        " am ",
        " le ",
        " il ",
        " → ",
        " vom ",
        ": ",
        " im gespräch",
        " last updated",
        " updated",
        " veröffentlicht",
        " published",
        " publié",
        " stand ",
        " posted",
        " um ",
        " say",
        "„",
    ];
    let digit = line.char_indices().scan(' ', |before, (at, c)| Some((at, c, std::mem::replace(before, c))));
    let digit = digit
        .filter(|(_, c, before)| c.is_ascii_digit() && !before.is_alphanumeric())
        .map(|(at, ..)| at)
        .next();
    let lower = line.to_lowercase();
    let mark = MARKS.iter().filter_map(|mark| lower.find(mark)).min();
    let end = [digit, mark].into_iter().flatten().min().unwrap_or(line.len());
    line[..line.floor_char_boundary(end)].trim()
}

fn split_people(line: &str) -> Vec<&str> {
    let mut parts = vec![line];
    for between in [
        ";", ",", " and ", " und ", " & ", " et ", " y ", " e ", " og ", " och ", " en ", " i ", " / ", "/",
        "、", "，", "|", " with ", " mit ", " And ", " AND ", " και ", " и ", " ve ",
    ] {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    parts
}

#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "admin", "administrator", "staff", "editor", "editors", "name", "sign in", "log in", "login", "publisher",
    "account", "no author", "said", "comments", "staff writer", "staff reporter", "guest", "guest author",
    "guest contributor", "author", "autor", "unknown", "anonymous", "anonym", "none", "null", "webmaster",
    "editorial team", "editorial staff", "editorial", "contributor", "contributors", "reporter", "writer",
    "root", "user", "superuser", "super user", "posted", "online", "n/a", "posts", "view all posts",
    "about the author", "share", "follow", "profile", "all", "more", "read more", "home", "undefined",
    "false", "true", "web", "jr", "sr",
];

#[rustfmt::skip]
const JOBS: &[&str] = &[
    "editor", "correspondent", "reporter", "staff", "writer", "contributor", "columnist", "redakteur",
    "redakteurin", "journalist", "journalistin", "correspondant", "producer", "director", "manager",
    "professor", "ceo", "cto", "cfo", "founder", "author", "autor", "president", "analyst", "specialist",
    "m.d.", "md", "ph.d.", "phd", "mba", "rd", "msc", "researcher", "consultant", "engineer", "photographer",
];

/// A name, if the text is one. A job is dropped where a name stands before it.
fn cleaned(part: &str, is_first: bool) -> Option<String> {
    let part = part.trim().trim_matches(|c: char| !c.is_alphanumeric() && c != '.' && c != ')').trim();
    let part = without_lead(part);
    let part = without_month(part);
    let chars = part.chars().count();
    let words = part.split(' ').count();
    if !(2..=60).contains(&chars) || words > 6 || !part.chars().any(char::is_alphabetic) {
        return None;
    }
    let lower = part.to_lowercase();
    let is_job =
        JOBS.contains(&lower.as_str()) || (!is_first && lower.split(' ').any(|word| JOBS.contains(&word)));
    if NO_NAMES.contains(&lower.as_str()) || is_job {
        return None;
    }
    Some(capitalised(part))
}

/// `Ann Lee February`, as it is left of a line with a date.
fn without_month(part: &str) -> &str {
    match part.rsplit_once(' ') {
        Some((name, last)) if name.contains(' ') && last.len() > 3 && super::date::is_month(last) => name,
        _ => part,
    }
}

/// `ANN LEE` as `Ann Lee`; initials and short words stay.
fn capitalised(name: &str) -> String {
    let shouts = name.contains(' ') && name.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    if !shouts {
        return name.to_owned();
    }
    name.split(' ')
        .map(|word| {
            if word.chars().count() < 3 {
                return word.to_owned();
            }
            let mut first = true;
            word.chars()
                .flat_map(|c| {
                    let lower: Vec<char> = if first { vec![c] } else { c.to_lowercase().collect() };
                    first = matches!(c, '-' | '\'' | '’' | '.');
                    lower
                })
                .collect()
        })
        .collect::<Vec<String>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_give_names() {
        for (line, expected) in [
            ("By Ann Lee and Bo Day", vec!["Ann Lee", "Bo Day"]),
            ("Von Ann Lee, Redakteurin", vec!["Ann Lee"]),
            ("Par Ann Lee | Publié le 6 mai 2019", vec!["Ann Lee"]),
            ("By ANN LEE, Staff Writer", vec!["Ann Lee"]),
            ("by: Ann Lee ann@example.org @annlee", vec!["Ann Lee"]),
            ("Ann Lee; Bo Day", vec!["Ann Lee", "Bo Day"]),
            ("Posted by Ann Lee on May 6, 2019", vec!["Ann Lee"]),
            ("Jean-Luc O’Neill", vec!["Jean-Luc O’Neill"]),
            ("JEAN-LUC O’NEILL", vec!["Jean-Luc O’Neill"]),
            ("https://example.org/ann", vec![]),
            ("admin", vec![]),
            ("", vec![]),
            ("作者：王小明", vec!["王小明"]),
        ] {
            assert_eq!(people(line), expected, "{line}");
        }
    }
}
