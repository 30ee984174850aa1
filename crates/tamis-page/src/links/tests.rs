//! Links of whole pages.

use proptest::prelude::*;
use url::Url;

use super::*;
use crate::html::{Tag, Tree, parse};

fn links(page: &str) -> Links {
    let base = Url::parse("http://example.org/dir/page.html").expect("a URL");
    read(&parse(page), Some(&base))
}

/// Kind, path or URL, anchor and rel of each link.
fn shown(page: &str) -> String {
    let links = links(page);
    let shown: Vec<String> = links
        .iter()
        .map(|link| {
            let url = link.url().strip_prefix("http://example.org").unwrap_or(link.url());
            let mut shown = format!("{:?} {url} [{}]", link.kind(), link.anchor());
            if !link.rel().is_empty() {
                shown.push_str(" rel=");
                shown.push_str(link.rel());
            }
            shown
        })
        .collect();
    shown.join("; ")
}

#[test]
fn each_element_gives_its_links() {
    for (page, expected) in [
        ("", ""),
        ("<a>x</a><a name=y>z</a>", ""),
        ("<a href=a>b</a>", "Anchor /dir/a [b]"),
        ("<a href=' /a#f ' rel='NoFollow  Me'> b\n c </a>", "Anchor /a [b c] rel=nofollow me"),
        ("<a href=a href=b>c</a>", "Anchor /dir/a [c]"),
        ("<a href=''>top</a>", "Anchor /dir/page.html [top]"),
        ("<a href=?a=1&amp;b=2>x", "Anchor /dir/page.html?a=1&b=2 [x]"),
        ("<a href=a><h2>b</h2><p>c</a>", "Anchor /dir/a [b c]"),
        ("<a href=a><img src=i alt='B  C'></a>", "Anchor /dir/a [B C]; Image /dir/i [B C]"),
        (
            "<a href=a><img src=i srcset='j 2x' alt=B></a>",
            "Anchor /dir/a [B]; Image /dir/i [B]; Image /dir/j [B]",
        ),
        ("<a href=a><img alt=B></a>", "Anchor /dir/a [B]"),
        ("<a href=a><img src=i alt=B> c</a>", "Anchor /dir/a [c]; Image /dir/i [B]"),
        (
            "<a href=a aria-label=B title=C><i></i></a><a href=a title=C></a>",
            "Anchor /dir/a [B]; Anchor /dir/a [C]",
        ),
        ("<a href=a><svg><title>Home</title><path d=x/></svg></a>", "Anchor /dir/a [Home]"),
        ("<div hidden><a href=a>b</a></div>c", "Anchor /dir/a [b]"),
        ("<a href=a><script>x</script><style>y</style></a>", "Anchor /dir/a []"),
        ("<svg><a xlink:href=a>b</a></svg>", "Anchor /dir/a [b]"),
        ("<map><area href=a alt=b></map>", "Anchor /dir/a [b]"),
        (
            "<img src=a srcset='b 1x, c 2x' data-src=d>",
            "Image /dir/a []; Image /dir/b []; Image /dir/c []; Image /dir/d []",
        ),
        ("<img src=''><img src=data:x data-srcset='a 9w'>", "Image /dir/a []"),
        ("<picture><source srcset=a><img src=b></picture>", "Image /dir/a []; Image /dir/b []"),
        (
            "<video src=a poster=b><source src=c><track src=d></video>",
            "Media /dir/a []; Image /dir/b []; Media /dir/c []; Media /dir/d []",
        ),
        (
            "<object data=a></object><embed src=b><audio src=c>",
            "Media /dir/a []; Media /dir/b []; Media /dir/c []",
        ),
        (
            "<script src=a></script><iframe src=b></iframe><frame src=c>",
            "Script /dir/a []; Frame /dir/b []; Frame /dir/c []",
        ),
        ("<form action=a><button formaction=b>x</button></form>", "Form /dir/a []; Form /dir/b []"),
        (
            "<link rel='StyleSheet' href=a><link rel=canonical href=b>",
            "Style /dir/a [] rel=stylesheet; Canonical /dir/b [] rel=canonical",
        ),
        (
            "<link rel=preload as=script href=a><link rel=icon href=b>",
            "Script /dir/a [] rel=preload; Image /dir/b [] rel=icon",
        ),
        ("<meta http-equiv=Refresh content='0;url=a'><meta content='0;url=b'>", "Refresh /dir/a []"),
        ("<table background=a><blockquote cite=b>c</blockquote>", "Image /dir/a []; Relation /dir/b []"),
        (
            "<noscript><img src=a></noscript><template><a href=b>c</a></template>",
            "Image /dir/a []; Anchor /dir/b []",
        ),
        ("<!-- <a href=x> --><script>'<a href=y>'</script>", ""),
    ] {
        assert_eq!(shown(page), expected, "{page}");
    }
}

#[test]
fn urls_in_the_text_are_links() {
    for (page, expected) in [
        ("<p>See http://a.example/b.</p>", "Text http://a.example/b [http://a.example/b]"),
        ("<p>See www.a.example!</p>", "Text http://www.a.example/ [www.a.example]"),
        (
            "<p>a http://a.example/?b=1&amp;c=2 d</p>",
            "Text http://a.example/?b=1&c=2 [http://a.example/?b=1&c=2]",
        ),
        ("<a href=a>http://a.example/</a>", "Anchor /dir/a [http://a.example/]"),
        ("<p hidden>http://a.example/</p><script>'http://b.example'</script>", ""),
        ("http://a.example/<br>b", "Text http://a.example/ [http://a.example/]"),
        (
            "<a href=z>z</a>http://a.example <a href=y>y</a>",
            "Anchor /dir/z [z]; Text http://a.example/ [http://a.example]; Anchor /dir/y [y]",
        ),
        ("<title>On http://a.example</title>", "Text http://a.example/ [http://a.example]"),
    ] {
        assert_eq!(shown(page), expected, "{page}");
    }
}

#[test]
fn the_first_base_with_a_reference_counts_for_the_whole_page() {
    let links =
        links("<a href=a>x</a><base target=_top><base href='//b.example/c/'><base href=http://d.example/>");
    assert_eq!(links.base(), Some("http://b.example/c/"));
    assert_eq!(links.iter().map(|link| link.url()).collect::<Vec<_>>(), ["http://b.example/c/a"]);
    assert_eq!(super::read(&parse("<base href=x><a href=a>"), None).left_out().broken, 1);
}

#[test]
fn what_is_no_link_is_counted() {
    let page = "<a href=javascript:x></a><a href='JavaScript:y'></a><a href=mailto:a></a><a href=tel:1></a><img src=data:,>\
        <a href=magnet:x></a><a href=http://></a><a href=mailto:a></a>";
    let expected = LeftOut { script: 2, mail: 2, data: 1, telephone: 1, other: 1, broken: 1, beyond: 0 };
    assert_eq!(links(page).left_out(), expected);
    assert!(links(page).is_empty());
}

#[test]
fn the_text_around_a_link_is_whole_words() {
    let before = "word ".repeat(30);
    let page = format!("<p>{before}last</p><p><a href=a>the link</a>, <b>and</b> then {before}</p>");
    let links = links(&page);
    let link = links.iter().next().expect("a link");
    assert_eq!(link.anchor(), "the link");
    assert_eq!(link.before(), format!("{}last", "word ".repeat(11)));
    assert_eq!(link.after(), format!(", and then {}word", "word ".repeat(9)));
    let unspaced = "字".repeat(100);
    let page = format!("{unspaced}<img src=a>{unspaced}");
    let links = super::read(&parse(&page), Url::parse("http://e.example").ok().as_ref());
    let link = links.iter().next().expect("a link");
    assert_eq!(link.before().chars().count(), AROUND_CHARS);
    assert_eq!(link.after().chars().count(), AROUND_CHARS);
}

/// The visible text nodes one behind the other with a space between.
fn written(tree: &Tree<'_>, keep: bool) -> (String, Vec<Placed>) {
    let mut text = String::new();
    let mut placed = Vec::new();
    for id in 0..tree.nodes().len() as NodeId {
        let words = tree.text(id);
        let collapsed = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = if keep { words.trim().to_owned() } else { collapsed };
        let in_title = tree.node(tree.node(id).parent).tag == Tag::Title;
        if words.is_empty() || in_title {
            continue;
        }
        let start = text.chars().count() as u32;
        text += &words;
        placed.push(Placed { node: id, start, end: text.chars().count() as u32 });
        text.push(' ');
    }
    (text, placed)
}

fn positions(page: &str, keep: bool) -> Vec<Option<(u32, String)>> {
    let tree = parse(page);
    let (text, placed) = written(&tree, keep);
    let links = read(&tree, Url::parse("http://e.example").ok().as_ref());
    let cut = |at: Position| text.chars().skip(at.start as usize).take(at.length as usize).collect();
    links.positions(&placed).into_iter().map(|at| at.map(|at| (at.start, cut(at)))).collect()
}

#[test]
fn positions_are_those_of_the_text_between_the_tags() {
    let page = "<title>http://t.example</title><link rel=x href=y><p>Ä ö</p><a href=a><img src=i></a><p>see  <a href=b>the\n <b>back</b> porch</a> \
        or\n http://a.example/ and  http://b.example.</p><a href=c></a>";
    for keep in [false, true] {
        let at = positions(page, keep);
        let texts: Vec<_> = at.iter().map(|at| at.as_ref().map(|(_, text)| text.as_str())).collect();
        assert_eq!(
            texts,
            [
                None,
                None,
                Some(""),
                Some(""),
                Some("the back porch"),
                Some("http://a.example/"),
                Some("http://b.example"),
                Some("")
            ]
        );
        assert_eq!(at[2].as_ref().map(|at| at.0), Some(4));
    }
    assert_eq!(links("<a href=a>x</a>").positions(&[]), [Some(Position { start: 0, length: 0 })]);
}

#[test]
fn a_page_made_to_swell_stays_small() {
    let base = format!("http://example.org/{}/", "a".repeat(60_000));
    let page = format!("<base href='{base}'>{}", "<a href=b>c</a><a href=../b>d</a>".repeat(20_000));
    let links = links(&page);
    assert!(links.pool.len() < MOST_URL_BYTES + 2 * base.len());
    assert_eq!(links.len() + links.left_out().beyond as usize, 40_000);
    let many = (0..5_000).map(|n| format!("<a href={n}>c</a>")).collect::<Vec<_>>().concat();
    let links = super::read(&parse(&format!("<base href='{base}'>{many}")), None);
    assert!(links.left_out().beyond > 0);
    assert!(links.pool.len() < MOST_URL_BYTES + 2 * base.len());
}

fn page() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<a href=x>",
            "</a>",
            "<a href='http://h.example/ä b'>",
            "<img src=i alt='ö ü'>",
            "<p>",
            "</p>",
            "<div hidden>",
            "</div>",
            "<br>",
            "<table><td>",
            "</table>",
            "<svg>",
            "</svg>",
            "<title>",
            "</title>",
            "<base href=/b/>",
            "http://a.example/x",
            "www.b.example",
            " ",
            "\n",
            "<script src=s>",
            "</script>",
            "<img srcset='a 1x, b 2x'>",
            "<meta http-equiv=refresh content='1;url=r'>",
            "<form action=f>",
            "<pre>",
            "</pre>",
            "&amp;",
            "&nbsp;",
            "ß",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_page_has_links_within_its_text(page in page(), keep: bool) {
        let tree = parse(&page);
        let base = Url::parse("http://example.org/d/p").ok();
        let links = read(&tree, base.as_ref());
        let (text, placed) = written(&tree, keep);
        let length = text.chars().count() as u32;
        let positions = links.positions(&placed);
        prop_assert_eq!(positions.len(), links.len());
        for (link, position) in links.iter().zip(positions) {
            prop_assert!(Url::parse(link.url()).is_ok_and(|url| url.as_str() == link.url()));
            prop_assert!(link.before().chars().count() <= AROUND_CHARS);
            prop_assert!(link.after().chars().count() <= AROUND_CHARS);
            prop_assert_eq!(link.anchor().trim(), link.anchor());
            if let Some(Position { start, length: long }) = position {
                prop_assert!(start + long <= length);
                if link.kind() == Kind::Text {
                    let there: String = text.chars().skip(start as usize).take(long as usize).collect();
                    prop_assert_eq!(there.as_str(), link.anchor());
                }
            }
        }
        prop_assert!(links.iter().is_sorted_by_key(|link| link.node()));
    }
}
