//! Any text as words and sentences. The tests of `tamis-words` include this file, too.

use tamis_words::profanity::Lists;
use tamis_words::tokens::{Form, Token, sentences, split};

/// The first byte says in which language the rest is read.
pub fn check(data: &[u8]) {
    let Some((&how, bytes)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(bytes);
    let language = [None, Some("en"), Some("th"), Some("zh"), Some("de"), Some("ar")][usize::from(how) % 6];
    let tokens = split(&text, language);
    check_tokens(&text, &tokens);
    let mut at = 0;
    for sentence in sentences(&text, &tokens, language) {
        assert_eq!(sentence.tokens.start, at, "sentences follow each other");
        assert!(!sentence.tokens.is_empty() && sentence.start <= sentence.end);
        at = sentence.tokens.end;
    }
    assert_eq!(at, tokens.len(), "every token is in a sentence");
    if let Some(list) = Lists::built_in().of(language.unwrap_or("en")) {
        list.masked(&text);
    }
}

fn check_tokens(text: &str, tokens: &[Token]) {
    let (mut byte, mut character) = (0, 0);
    for token in tokens {
        let (start, end) = (token.start_byte as usize, token.end_byte as usize);
        assert!(byte <= start && start < end, "tokens follow each other");
        character += text[byte..start].chars().count();
        assert_eq!(character, token.start as usize, "it starts where it says");
        character += text[start..end].chars().count();
        assert_eq!(character, token.end as usize, "it ends where it says");
        assert!(!token.text(text).is_empty(), "no token is empty");
        if token.form == Form::AsIs {
            assert_eq!(token.text(text), token.source(text));
        }
        byte = end;
    }
}
