use super::*;

fn address(text: &str) -> Address {
    Address::parse(text).expect(text)
}

fn scope(options: &str, seeds: &[&str]) -> Scope {
    let seeds: Vec<_> = seeds.iter().map(|seed| address(seed)).collect();
    Scope::new(options.parse().expect("options"), &seeds, Date::new(2024, 2, 29).expect("a day"))
}

/// The name of the reason, or `take`.
fn verdict(scope: &Scope, url: &str, depth: u32) -> &'static str {
    match scope.decide(&address(url), depth, Some(&address("http://from.example/"))) {
        Verdict::Take => "take",
        Verdict::Refuse(reason) => reason.name(),
    }
}

#[test]
fn reach_is_of_the_seeds() {
    let seeds = ["https://www.example.co.uk/news/today.html", "http://192.0.2.1/"];
    for (reach, url, expected) in [
        ("domain", "http://shop.example.co.uk/", "take"),
        ("domain", "http://other.co.uk/", "out-of-scope"),
        ("domain", "http://192.0.2.1/x", "take"),
        ("domain", "http://192.0.2.2/x", "out-of-scope"),
        ("host", "http://example.co.uk/", "take"),
        ("host", "http://www.example.co.uk./x", "take"),
        ("host", "http://shop.example.co.uk/", "out-of-scope"),
        ("prefix", "http://www.example.co.uk/news/a/b", "take"),
        ("prefix", "http://www.example.co.uk/sport", "out-of-scope"),
        ("any", "http://anything.example/", "take"),
    ] {
        assert_eq!(verdict(&scope(&format!("scope {reach}"), &seeds), url, 1), expected, "{reach} {url}");
    }
}

#[test]
fn rules_add_and_take_away() {
    let rules = "include domain:a.org\ninclude host:b.org depth:2\nexclude prefix:a.org/private/\n\
                 exclude regex:\\.zip$\nexclude host:seed.org depth:5\nmax-depth 9\nschemes https";
    let scope = scope(rules, &["https://seed.org/"]);
    for (url, depth, expected) in [
        ("https://x.a.org/", 3, "take"),
        ("https://a.org/private/x", 3, "excluded"),
        ("https://a.org/x.zip", 3, "excluded"),
        ("https://a.org/x.zip/y", 3, "take"),
        ("https://b.org/", 2, "take"),
        ("https://b.org/", 3, "out-of-scope"),
        ("https://seed.org/", 5, "take"),
        ("https://seed.org/", 6, "excluded"),
        ("https://a.org/", 10, "too-deep"),
        ("http://a.org/", 1, "scheme"),
        ("https://a.org/x/x/x/x", 1, "trap-repeated-segments"),
    ] {
        assert_eq!(verdict(&scope, url, depth), expected, "{url} {depth}");
    }
}

#[test]
fn a_seed_is_no_trap() {
    let scope = scope("", &["http://a.org/x/x/x/x"]);
    assert_eq!(scope.decide(&address("http://a.org/x/x/x/x"), 0, None), Verdict::Take);
    assert_eq!(verdict(&scope, "http://a.org/x/x/x/x", 1), "trap-repeated-segments");
}

#[test]
fn outlinks_go_one_step_out() {
    let scope = scope("outlinks yes", &["http://a.org/"]);
    let (within, out, far) = (address("http://a.org/1"), address("http://b.org/"), address("http://c.org/"));
    assert_eq!(scope.decide(&out, 2, Some(&within)), Verdict::Take);
    assert_eq!(scope.decide(&far, 3, Some(&out)), Verdict::Refuse(Reason::OutOfScope));
}

#[test]
fn sessions_are_dropped_refused_or_kept() {
    let url = "http://a.org/p;jsessionid=1?a=2";
    for (rule, cleaned, expected) in
        [("drop", "http://a.org/p?a=2", "take"), ("refuse", url, "trap-session"), ("keep", url, "take")]
    {
        let scope = scope(&format!("sessions {rule}"), &["http://a.org/"]);
        let clean = scope.clean(address(url));
        assert_eq!(clean.as_str(), cleaned, "{rule}");
        assert_eq!(verdict(&scope, clean.as_str(), 1), expected, "{rule}");
    }
}

#[test]
fn verdicts_are_explained() {
    let rules = "include host:b.org depth:2\nexclude regex:\\.zip$\nmax-depth 9\nschemes https\noutlinks yes";
    let scope = scope(rules, &["https://www.a.org/"]);
    let from = address("https://a.org/");
    for (url, depth, expected) in [
        ("https://x.a.org/", 3, "taken: in the scope of the seeds (domain:a.org)"),
        ("https://b.org/", 2, "taken: included by host:b.org depth:2"),
        ("https://c.org/", 2, "taken: linked from a page in scope"),
        ("https://a.org/x.zip", 1, "refused: excluded by regex:\\.zip$"),
        ("https://a.org/", 12, "refused: 12 links from a seed, more than 9"),
        ("http://a.org/", 1, "refused: only https is crawled"),
        ("https://a.org/a/a/a/", 1, "refused: a trap: repeated segments, max-segment-repeats is 2"),
        ("https://a.org/cal/2027/01", 1, "refused: a trap: a date beyond 2026 (max-years-ahead 2)"),
    ] {
        let said = scope.explain(&address(url), depth, Some(&from));
        assert!(said.starts_with(expected), "{url}: {said}");
    }
    let said = scope.explain(&address("https://c.org/"), 1, None);
    assert_eq!(said, "refused: not in the domain of a seed, and not included");
}
