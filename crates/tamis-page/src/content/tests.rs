use super::{Content, explain, read};
use crate::html;

/// A sentence that is long enough to be prose.
const PROSE: &str =
    "A sieve is a frame with a cloth of hair or wire, and what falls through it is fine, always.";

fn content(page: &str) -> Content {
    read(&html::parse(page), true)
}

fn main_text(page: &str) -> String {
    content(page).main.text
}

/// So many parts, one behind the other.
fn several(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// So many paragraphs of prose, each another.
fn prose(paragraphs: usize) -> String {
    several(paragraphs, |n| format!("<p>{n}. {PROSE}</p>"))
}

#[test]
fn an_article_is_told_from_its_frame() {
    let page = format!(
        "<nav><ul><li><a href=/>Home</a></ul></nav><header><h1>Sieves</h1></header><div class=post-content>{}</div>\
         <div class='share-bar'>Share this</div><div class=related-posts><p>{PROSE} Elsewhere.</div><footer>Imprint</footer>",
        prose(8)
    );
    let text = main_text(&page);
    assert!(text.starts_with("0. A sieve") && text.ends_with("always."), "{text}");
    for other in ["Home", "Share", "Elsewhere", "Imprint"] {
        assert!(!text.contains(other), "{other} in {text}");
        assert!(content(&page).full.text.contains(other), "{other} is seen");
    }
}

#[test]
fn what_readers_wrote_is_kept_apart() {
    let page = format!(
        "<article class=entry-content>{}</article><div id=comments><p>I have one at home.</div>",
        prose(8)
    );
    let found = content(&page);
    assert!(!found.main.text.contains("at home"));
    assert_eq!(found.comments.text, "I have one at home.");
}

#[test]
fn a_thread_is_all_its_posts() {
    let post = |n| format!("<div class='comment'><div class=post-body><p>Post {n}: {PROSE}</div></div>");
    let page = format!("<h1>A question</h1>{}", (0..6).map(post).collect::<String>());
    let text = main_text(&page);
    for n in 0..6 {
        assert!(text.contains(&format!("Post {n}")), "{n} in {text}");
    }
}

#[test]
fn a_list_of_links_is_the_text_of_a_page_that_has_no_other() {
    let items: String =
        several(20, |n| format!("<li><a href=/{n}>Product number {n}</a> <b>{n} Euro</b></li>"));
    let text = main_text(&format!("<nav><a href=/>Home</a></nav><main><ul>{items}</ul></main>"));
    assert!(text.contains("Product number 0 0 Euro\nProduct number 1"), "{text}");
    assert!(!text.contains("Home"));
}

#[test]
fn teasers_below_an_article_are_none_of_it() {
    let teaser = |n| {
        format!(
            "<div><h3><a href=/{n}>Other story {n}</a></h3><p>It happened in a town, and people came.</div>"
        )
    };
    let teasers: String = (0..4).map(teaser).collect();
    let text = main_text(&format!("<div><div>{}</div><div>{teasers}</div></div>", prose(12)));
    assert!(
        text.contains("11. A sieve") && !text.contains("Other story") && !text.contains("town"),
        "{text}"
    );
}

#[test]
fn headings_lists_and_tables_keep_their_shape() {
    let page = format!(
        "<article>{}<h2>Kinds</h2><ul><li>fine<li>coarse</ul><table><tr><th>mesh<th>mm<tr><td>10<td>2.0</table>{}</article>",
        prose(6),
        prose(2)
    );
    let text = main_text(&page);
    assert!(text.contains("always.\n\nKinds\n\nfine\ncoarse\n\nmesh\tmm\n10\t2.0\n\n0. A sieve"), "{text}");
}

#[test]
fn the_lede_between_headline_and_text_is_kept() {
    let page = format!(
        "<h1>Sieves</h1><div class=intro><p>What they are, and why we could not live without one.</div><div class=article-body>{}</div>",
        prose(8)
    );
    assert!(main_text(&page).starts_with("What they are"));
}

#[test]
fn a_long_noscript_is_text_and_a_short_one_is_a_notice() {
    let page = |inner: &str| format!("<noscript>{inner}</noscript><p>Loading</p>");
    assert_eq!(main_text(&page("Please use scripts.")), "Loading");
    assert!(main_text(&page(&prose(8))).contains("7. A sieve"));
}

#[test]
fn a_notice_under_each_picture_and_a_pull_quote_are_told_once() {
    let notice = "<div>To see this you must agree to cookies of others here.</div>";
    let page = format!(
        "<article>{}{notice}{0}{notice}{notice}<blockquote>0. {PROSE}</blockquote>{0}</article>",
        prose(4)
    );
    let text = main_text(&page);
    assert_eq!(text.matches("cookies").count(), 1, "{text}");
    assert_eq!(text.matches("0. A sieve").count(), 3, "{text}");
}

#[test]
fn lines_and_white_space_are_those_of_a_reader() {
    assert_eq!(
        main_text("<p>  One\n two<br>three  <br> <b>four</b>\u{A0}five </p>"),
        "One two\nthree\nfour five"
    );
    assert_eq!(main_text("<p>One<br><br>two"), "One\n\ntwo");
    assert_eq!(main_text("<pre>a\n  b\n</pre>"), "a\n  b");
    assert_eq!(main_text("a<span>b</span><div>c</div>d"), "ab\n\nc\n\nd");
}

#[test]
fn a_page_with_text_has_main_text() {
    for page in
        ["<nav>Home</nav>", "<footer>x</footer>", "<div hidden>x</div>", "<button>x</button>", "x", "<td>x"]
    {
        assert!(!main_text(page).is_empty(), "{page}");
    }
    assert_eq!(main_text("<script>x</script><p> </p>"), "");
}

#[test]
fn every_block_has_its_explanation() {
    let page = format!("<nav><a href=/>Home</a></nav><article>{}</article>", prose(8));
    let blocks = explain(&html::parse(&page));
    assert_eq!(blocks.len(), 9);
    assert_eq!(
        (&*blocks[0].text, blocks[0].kept, &blocks[0].hints[..]),
        ("Home", false, &["navigation"][..])
    );
    assert!(blocks[1].kept && blocks[1].in_root && blocks[1].kind == "article");
}
