//! The damage of a page, by the text that its readers see.

use crate::date::Date;
use crate::html::{self, NodeId, Tag, Tree, trait_bits};
use crate::repair::{self, Diagnosis, Markup, References};

/// The source of a page whose text is damaged, mended, and what was wrong. None where nothing can be mended.
///
/// A page with sound text costs a look at that text, and a second one where it has character references.
pub(super) fn mend(source: &str, tree: &Tree<'_>, hint: Option<Date>) -> Option<(String, Diagnosis)> {
    let judged = |text: &str, references| {
        let verdict = repair::repair(text, hint);
        let find = |source: &str| markup(source, &html::parse(source));
        verdict
            .is_mended()
            .then(|| (repair::mend_markup(source, &verdict, references, find), verdict.diagnosis))
    };
    let seen = text(tree, References::Bound);
    judged(&seen, References::Bound).or_else(|| {
        let has_references = memchr::memchr(b'&', seen.as_bytes()).is_some();
        has_references.then(|| judged(&text(tree, References::All), References::All)).flatten()
    })
}

/// All text of a page, its title among it, a line for each block.
fn text(tree: &Tree<'_>, references: References) -> String {
    let mut text = String::new();
    each_text(tree, |id, starts_line| {
        if starts_line && !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&repair::with_characters(tree.node(id).raw, references));
    });
    text
}

/// Where the text of a page is in its source.
fn markup(source: &str, tree: &Tree<'_>) -> Markup {
    let mut markup = Markup::default();
    let mut end = 0;
    each_text(tree, |id, starts_line| {
        let raw = tree.node(id).raw;
        let start = (raw.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
        let range = start..start.wrapping_add(raw.len());
        if start >= end && source.get(range.clone()).is_some() {
            end = range.end;
            markup.pieces.push((range, starts_line));
        }
    });
    markup
}

/// Goes over the texts that are written for people, with whether a block starts or ends before them.
fn each_text(tree: &Tree<'_>, mut take: impl FnMut(NodeId, bool)) {
    let mut blocks: Vec<NodeId> = Vec::new();
    let mut starts_line = true;
    for (id, node) in (0..).zip(tree.nodes()) {
        while blocks.pop_if(|end| *end <= id).is_some() {
            starts_line = true;
        }
        if node.tag != Tag::Text {
            if node.tag.has(trait_bits::BLOCK | trait_bits::RCDATA) || node.tag == Tag::Br {
                starts_line = true;
                blocks.push(node.end);
            }
        } else if !tree.node(node.parent).tag.has(trait_bits::RAW) {
            take(id, starts_line);
            starts_line = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn assert_mended(source: &str, expected: &str) {
        let mended = mend(source, &html::parse(source), None);
        assert_eq!(mended.map(|(mended, _)| mended).as_deref(), Some(expected));
    }

    #[track_caller]
    fn assert_sound(source: &str) {
        assert!(mend(source, &html::parse(source), None).is_none(), "{source}");
    }

    #[test]
    fn blocks_are_lines_and_inline_elements_are_none() {
        let tree = html::parse("<title>T</title><script>s</script><p>a<b>b</b>c<br>d<div>e</div>f");
        assert_eq!(text(&tree, References::All), "T\nabc\nd\ne\nf");
    }

    #[test]
    fn what_markup_says_of_encodings_is_no_matter() {
        assert_mended(
            "<meta charset=utf-8><script>var encoding = 'unicode';</script><p>cafÃ© crÃ¨me</p>",
            "<meta charset=utf-8><script>var encoding = 'unicode';</script><p>café crème</p>",
        );
        assert_sound("<meta charset=x><p>In UTF-8, é is Ã©, and ’ is â€™. So donâ€™t.</p>");
    }

    #[test]
    fn what_is_not_seen_proves_nothing() {
        for source in [
            "<script>var a = ['cafÃ©', 'crÃ¨me', 'donâ€™t'];</script><p>Sound text.",
            "<p title='cafÃ© crÃ¨me'>São Paulo não é «está»…",
            "<!-- cafÃ© crÃ¨me --><style>q { content: 'Ã©Ã©' }</style><p>été",
        ] {
            assert_sound(source);
        }
    }

    #[test]
    fn what_is_not_seen_is_mended_with_the_text() {
        assert_mended(
            "<meta name=description content='FrÃ¼hstÃ¼ck'><p>MÃ¤nner, GrÃ¼ÃŸe</p>",
            "<meta name=description content='Frühstück'><p>Männer, Grüße</p>",
        );
        // A sound value beside it stays, whatever it would be if it were misread.
        assert_mended(
            "<meta name=description content='«está»… é'><p title='MÃ¤nner'>donâ€™t</p>",
            "<meta name=description content='«está»… é'><p title='Männer'>don’t</p>",
        );
    }

    #[test]
    fn sound_parts_of_a_page_stay() {
        assert_mended(
            "<ul><li>Été<li>À propos</ul><p>cafÃ© <i>crÃ¨me</i> Ã\u{a0} volontÃ©</p><p>© 2020 Société Â",
            "<ul><li>Été<li>À propos</ul><p>café <i>crème</i> à volonté</p><p>© 2020 Société Â",
        );
    }

    #[test]
    fn references_are_damaged_like_characters() {
        assert_mended("<p>caf&Atilde;&copy; &lt;cr&Atilde;&uml;me&gt;", "<p>café &lt;crème&gt;");
        assert_mended("<p>dÃ©jÃ&nbsp; vu", "<p>déjà vu");
        // The sound ones beside them say nothing.
        assert_mended(
            "<p>Itâ€™s a â†’ b.<p>Â¶ &copy; &eacute;&raquo;&hellip; &para;",
            "<p>It’s a → b.<p>¶ &copy; &eacute;&raquo;&hellip; &para;",
        );
        // Where nothing else proves it they do.
        assert_sound("<p>&Eacute;t&eacute; &laquo;est&aacute;&raquo;&hellip;");
    }

    #[test]
    fn text_that_was_misread_twice_or_lower_cased() {
        assert_mended("<P>cafÃƒÂ© crÃƒÂ¨me<P>brÃƒÂ»lÃƒÂ©e", "<P>café crème<P>brûlée");
        assert_mended("<P>fã¼r grã¶ãÿere <B>hã¤user</B>", "<P>für größere <B>häuser</B>");
    }

    #[test]
    fn lower_cased_paragraphs_under_a_sound_title() {
        let head = "<title>Le Monde: Actualités</title><h1>Le Titre</h1>";
        for count in 1..=6 {
            let damaged = "<p>l'ã©tã© dernier, les ã©lã¨ves ã©taient lã\u{a0}</p>".repeat(count);
            let sound = "<p>l'été dernier, les élèves étaient là</p>".repeat(count);
            assert_mended(&format!("{head}{damaged}"), &format!("{head}{sound}"));
        }
        assert_sound("<h1>O DIVÃ© é nosso</h1><p title='GALÃ£'>GALÃ£ irmã© MAÇÃ©");
    }

    #[test]
    fn signs_that_became_controls_come_back() {
        assert_mended("<p title='a\u{97}b'>It\u{92}s <b>here\u{94}</b>", "<p title='a—b'>It’s <b>here”</b>");
        assert_sound("<p title='a\u{97}b'>Sound");
    }

    proptest! {
        #[test]
        fn any_source_is_taken(source in "(<[a-z]{1,2}( title='Ã©&Atilde;)?|>|</p>|cafÃ©|donâ€™t|ðŸ˜€|&(Atilde|copy|nbsp|#19[0-9]|lt);|\\PC|[\u{80}-\u{ff}\\x00 \\n]){0,40}") {
            let tree = html::parse(&source);
            let find = markup(&source, &tree);
            let texts: String = find.pieces.iter().map(|(range, _)| &source[range.clone()]).collect();
            let mut raws = String::new();
            each_text(&tree, |id, _| raws.push_str(tree.node(id).raw));
            prop_assert_eq!(texts, raws);
            mend(&source, &tree, Date::new(2009, 1, 1));
        }
    }
}
