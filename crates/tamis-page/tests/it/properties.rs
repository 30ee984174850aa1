//! What holds of the tree of every page.

use proptest::prelude::*;
use tamis_page::html::{NodeId, Tag, Tree, parse};

/// Pieces that the parser takes for something, and some that it does not.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<div class=x>",
    "</div>",
    "<a href='y'>",
    "</a>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<ul>",
    "<li>",
    "</li>",
    "</ul>",
    "<b>",
    "</b>",
    "<form>",
    "</form>",
    "<select>",
    "<option>",
    "<svg>",
    "</svg>",
    "<foreignObject>",
    "<math>",
    "<mi>",
    "<desc>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<template>",
    "</template>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "<h1>",
    "</h2>",
    "<br/>",
    "<textarea>",
    "</textarea>",
    "<plaintext>",
    "<x-y>",
    "</x-y>",
    "<button>",
    "<noscript>",
    "</noscript>",
    "<",
    ">",
    "</",
    "<!",
    "<?",
    "&amp;",
    "&#0;",
    "&",
    "\0",
    "ä",
    " ",
    "text",
    "=",
    "\"",
    "'",
    "/",
];

fn page() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Checks what every tree promises.
pub(crate) fn check(page: &str, tree: &Tree<'_>) {
    let nodes = tree.nodes();
    assert_eq!(nodes[0].tag, Tag::Document);
    assert_eq!(nodes[0].end as usize, nodes.len(), "the document holds all nodes");
    let mut read_to = page.as_ptr() as usize;
    for (id, node) in nodes.iter().enumerate().skip(1) {
        let parent = &nodes[node.parent as usize];
        assert!(
            (node.parent as usize) < id && id < node.end as usize && node.end <= parent.end,
            "node {id} nests"
        );
        assert_eq!(node.depth, parent.depth + 1, "depth of node {id}");
        if node.tag == Tag::Text {
            let start = node.raw.as_ptr() as usize;
            assert!(read_to <= start, "text {id} is a piece of the page, behind the text before it");
            read_to = start + node.raw.len();
            assert_eq!(node.end as usize, id + 1, "text {id} holds nothing");
        }
        _ = tree.text(id as NodeId);
    }
    assert!(read_to <= page.as_ptr() as usize + page.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_page_has_a_sound_tree(page in page()) {
        check(&page, &parse(&page));
    }

    #[test]
    fn text_without_markup_is_the_page(page in "[^<\u{FEFF}]{0,80}") {
        let tree = parse(&page);
        let text: String = tree.nodes().iter().filter(|node| node.tag == Tag::Text).map(|node| node.raw).collect();
        prop_assert_eq!(text, page);
    }

    #[test]
    fn ancestors_and_children_are_each_others(page in page()) {
        let tree = parse(&page);
        for id in 0..tree.nodes().len() as NodeId {
            for child in tree.children(id) {
                prop_assert_eq!(tree.ancestors(child).next(), Some(id));
            }
        }
    }
}
