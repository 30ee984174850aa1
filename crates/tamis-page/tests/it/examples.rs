//! The example that people learn from: run, and its output looked at.

#[path = "../../examples/extract_page.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run --example`")]
mod extract_page;

#[test]
fn the_example_extracts_a_page() {
    let html = "<html><head><title>Night at dinner time</title><meta property=article:published_time content=2026-08-12></head>\
                <body><nav><a href=/>Home</a></nav><article><h1>Night at dinner time</h1><p>The Moon covered the Sun over Oviedo for \
                almost two minutes, and the swallows flew home.</p></article><footer>© 2026</footer></body></html>";
    let page = extract_page::extract(html.as_bytes(), Some("https://example.org/a"));
    let text = extract_page::describe(&page);
    assert!(text.starts_with("title: Night at dinner time\ndate: 2026-08-12 ("), "{text}");
    assert!(text.contains("The Moon covered the Sun") && !text.contains("Home"), "{text}");
    assert!(extract_page::extract(b"\xFF\0<", None).metadata.title.is_none(), "any bytes are a page");
}
