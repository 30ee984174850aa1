//! Pages made to hurt, by how many times their pattern is repeated.

/// A page with its name.
pub(crate) type Hostile = (&'static str, fn(usize) -> String);

/// All of them.
pub(crate) const ALL: &[Hostile] = &[
    ("nested div", |n| "<div>".repeat(n)),
    ("nested other", |n| "<x>".repeat(n)),
    ("ends of nothing", |n| "</div></y>".repeat(n)),
    ("deep, then ends of nothing", |n| "<x>".repeat(500) + &"</y>".repeat(n)),
    ("deep, then ends out of scope", |n| format!("<p><object>{}", "<b>".repeat(500)) + &"</p>".repeat(n)),
    ("deep, then items", |n| format!("<li><section>{}", "<b>".repeat(500)) + &"<li></li>".repeat(n)),
    ("long attribute", |n| format!("<a href=\"{}\">", "x".repeat(n * 10))),
    ("unclosed attribute", |n| format!("<a href=\"{}", "x<a>".repeat(n))),
    ("many attributes", |n| {
        format!(
            "<a {}>",
            (0..n).flat_map(|i| ["a".to_owned(), i.to_string(), "=b ".to_owned()]).collect::<String>()
        )
    }),
    ("same attribute", |n| format!("<a {}>", "a=b ".repeat(n))),
    ("unclosed tags", |n| "<a b='c' ".repeat(n)),
    ("links", |n| "<a href=x>".repeat(n)),
    ("links and ends", |n| "<a>x</a>".repeat(n)),
    ("links across blocks", |n| "<a><div><p></a>".repeat(n)),
    ("links in eight blocks", |n| "<div>".repeat(8) + &"<a>".repeat(n)),
    ("a link around eight blocks", |n| format!("<a>{}", "<div>".repeat(8)) + &"<a>".repeat(n)),
    ("paragraphs", |n| "<p>".repeat(n)),
    ("ends of paragraphs", |n| "</p>".repeat(n)),
    ("tables", |n| "<table>".repeat(n)),
    ("nested tables", |n| "<table><tr><td>".repeat(n)),
    ("cells", |n| "<table>".to_owned() + &"<td>".repeat(n)),
    ("formatting", |n| "<b><p>".repeat(n)),
    ("formatting, closed", |n| "<b><p></b>".repeat(n)),
    ("comments", |n| "<!--".repeat(n)),
    ("dashes", |n| "<!--".to_owned() + &"-".repeat(n * 4)),
    ("ends of comments", |n| "<!-- --!".repeat(n)),
    ("cdata", |n| "<![CDATA[".repeat(n)),
    ("cdata in svg", |n| "<svg>".to_owned() + &"<![CDATA[".repeat(n)),
    ("closed cdata in svg", |n| "<svg>".to_owned() + &"<![CDATA[]]>".repeat(n)),
    ("ends of scripts", |n| "<script>".to_owned() + &"</script".repeat(n)),
    ("escaped scripts", |n| "<script>".to_owned() + &"<!--<script>".repeat(n)),
    ("titles", |n| "<title>".repeat(n)),
    ("unclosed scripts", |n| "<script><!--".repeat(n)),
    ("foreign objects", |n| "<svg><foreignObject>".repeat(n)),
    ("foreign, broken out", |n| "<svg><g><p>".repeat(n)),
    ("math in svg", |n| "<math><mi><svg><desc>".repeat(n)),
    ("forms", |n| "<form><div></form>".repeat(n)),
    ("selects", |n| "<select><option>".repeat(n)),
    ("templates", |n| "<template><td>".repeat(n)),
    ("references", |n| "&amp".repeat(n)),
    ("ampersands", |n| "&".repeat(n * 4)),
    ("less than", |n| "<".repeat(n * 4)),
    ("headings", |n| "<h1><h2>".repeat(n)),
    ("buttons", |n| "<button><p>".repeat(n)),
];

/// The CPU seconds of this thread, which on a busy machine say more than the clock. None are told but on Linux.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1e9
}
