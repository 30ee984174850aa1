//! The world itself: every path leads back, every link is what it says, no two pages are alike that should not be.

use std::collections::BTreeSet;

use url::Url;

use crate::spot::{Spot, What, leads_to_an_extra};
use crate::{OracleRules, Special, World, oracle};

/// The links of a page, by the rules of the URL standard and no others.
pub(super) fn hrefs(html: &str, url: &str) -> Vec<(String, bool)> {
    let mut base = Url::parse(url).expect("a URL");
    if let Some((_, rest)) = html.split_once("<base href=\"") {
        base = base.join(rest.split('"').next().expect("a base")).expect("a base");
    }
    let mut found = Vec::new();
    for tag in html.split("<a href=").skip(1) {
        let quote = &tag[..1];
        let (href, rest) = tag[1..].split_once(quote).expect("an end of the link");
        let nofollow = rest.starts_with(" rel=\"nofollow\"");
        let target = base.join(&unescape(href)).ok().filter(|target| target.scheme().starts_with("http"));
        if let Some(mut target) = target.filter(|_| !href.starts_with('#')) {
            target.set_fragment(None);
            found.push((String::from(target), nofollow));
        }
    }
    found
}

fn unescape(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut out = parts.next().expect("a first part").replace("&amp;", "&");
    for part in parts {
        let (number, rest) = part.split_once(';').expect("a character reference");
        out.push(number.parse().ok().and_then(char::from_u32).expect("a character"));
        out.push_str(&rest.replace("&amp;", "&"));
    }
    out
}

fn pages(world: &World) -> impl Iterator<Item = Spot> + '_ {
    let hosts = (0..world.hosts.len() as u32).map(|host| (host, &world.hosts[host as usize]));
    hosts.flat_map(|(host, owner)| {
        (0..owner.pages).map(move |page| Spot { host, old: false, what: What::Page(page) })
    })
}

#[test]
fn every_path_leads_back() {
    let world = World::hostile(5, 40, 2_000);
    for spot in pages(&world) {
        let What::Page(page) = spot.what else { continue };
        let mut all = vec![spot];
        if world.special(spot.host, page).is_some_and(leads_to_an_extra) {
            all.push(Spot { what: What::Extra(page), ..spot });
        }
        while let Some(to) =
            world.redirect(all[all.len() - 1]).filter(|to| !to.what.is_trap() && !all.contains(to))
        {
            all.push(to);
        }
        for spot in all {
            let url = world.url(spot);
            assert_eq!(world.spot(&url), Some(spot), "{url}");
            assert_eq!(Url::parse(&url).expect("a URL").as_str(), url);
        }
    }
    for what in [What::Month(24_299), What::Session(3, 77), What::Deep(4), What::Onward(9), What::Robots] {
        let url = world.url(Spot { host: 1, old: false, what });
        assert_eq!(world.spot(&url).map(|spot| spot.what), Some(what), "{url}");
    }
}

#[test]
fn series_lead_back_and_their_pages_are_alike() {
    let world = World::series(3, 2, 200);
    let mut kinds = BTreeSet::new();
    for special in pages(&world) {
        let mut queue: Vec<Spot> = world.links(special).iter().map(|link| link.to).collect();
        let mut seen = BTreeSet::new();
        while let Some(spot) = queue.pop().filter(|_| seen.len() < 50) {
            let What::Series(series, ..) = spot.what else { continue };
            if !seen.insert(spot) {
                continue;
            }
            kinds.insert(series);
            let url = world.url(spot);
            assert_eq!(world.spot(&url), Some(spot), "{url}");
            assert_eq!(world.is_trap(&url), series.is_endless(), "{url}");
            let found = hrefs(&world.html(spot), &url);
            assert_eq!(found.len(), world.links(spot).len(), "{url}");
            queue.extend(world.links(spot).iter().map(|link| link.to));
        }
    }
    assert!(kinds.len() >= 8, "{kinds:?}");
    for path in
        ["/register/0?year=1951", "/register/9999?year=1951", "/labyrinth/up/", "/gallery/1/picture/100000"]
    {
        let answer = world.answer(&format!("http://h0000.sim.example{path}")).expect("a host of the world");
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[test]
fn paths_that_nobody_wrote_lead_nowhere() {
    let world = World::polite_test(5, 10, 400);
    for path in [
        "/x",
        "/archive/007",
        "/extra/0.html",
        "/go/9/1",
        "/guest/999/1",
        "/deep/less/",
        "/calendar?month=",
        "/99999999999",
    ] {
        let answer = world.answer(&format!("http://h0000.sim.example{path}")).expect("a host of the world");
        assert_eq!(answer.status, 404, "{path}");
    }
    assert_eq!(world.answer("http://elsewhere.example/"), None);
}

#[test]
fn pages_link_to_what_the_oracle_thinks() {
    let world = World::hostile(7, 40, 2_000);
    let traps = [What::Month(24_000), What::Session(0, 9), What::Deep(3), What::Deep(0)];
    let traps = traps.map(|what| Spot { host: 2, old: false, what });
    for spot in pages(&world).chain(traps).filter(|spot| world.redirect(*spot).is_none()) {
        let url = world.url(spot);
        let special = world.special_of(&url);
        let whole_page = matches!(special, Some(Special::NofollowPage | Special::NofollowField));
        let expected: Vec<_> = (world.links(spot).iter())
            .map(|link| (world.url(link.to), link.nofollow && !whole_page))
            .collect();
        let mut found = hrefs(&world.html(spot), &url);
        // Around the article, within and below it: the order of the page is that of the links.
        assert_eq!(found.len(), expected.len(), "{url}");
        found.retain(|link| !expected.contains(link));
        assert!(found.is_empty(), "{url}: {found:?}");
    }
}

#[test]
fn copies_are_copies_and_near_copies_are_near() {
    let world = World::polite_test(3, 40, 3_000);
    let bodies = |kind: Special| -> Vec<Vec<u8>> {
        let of_kind = pages(&world).filter(|spot| world.special_of(&world.url(*spot)) == Some(kind));
        of_kind.map(|spot| world.answer_spot(spot).body).collect()
    };
    let (exact, near) = (bodies(Special::Copy), bodies(Special::NearCopy));
    let distinct: BTreeSet<_> = exact.iter().collect();
    assert!(distinct.len() > 1 && distinct.len() * 2 < exact.len(), "{} of {}", distinct.len(), exact.len());
    assert_eq!(near.iter().collect::<BTreeSet<_>>().len(), near.len());
    let signatures: Vec<u64> = near.iter().map(|body| simhash(body)).collect();
    let close = signatures
        .iter()
        .enumerate()
        .filter(|(i, a)| signatures.iter().enumerate().any(|(j, b)| *i != j && (*a ^ b).count_ones() <= 3));
    assert!(close.count() * 2 > near.len());
}

#[test]
fn articles_are_no_near_duplicates_of_each_other() {
    for (world, least) in [(World::plain(1, 20, 500), 4), (World::demo(1), 4)] {
        let articles = pages(&world).filter(|spot| world.special_of(&world.url(*spot)).is_none());
        // The pages of a host share their style; it is no text.
        let without_style = |html: String| html.split("</style>").last().unwrap_or_default().to_owned();
        let signatures: Vec<u64> =
            articles.map(|spot| simhash(without_style(world.html(spot)).as_bytes())).collect();
        let pairs =
            signatures.iter().enumerate().flat_map(|(i, a)| signatures[..i].iter().map(move |b| a ^ b));
        let nearest = pairs.map(u64::count_ones).min();
        assert!(nearest >= Some(least), "{nearest:?}");
    }
}

/// Charikar's, over runs of eight bytes of the text.
fn simhash(html: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(html);
    let text: String =
        text.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    let mut votes = [0_i32; 64];
    for run in text.as_bytes().windows(8) {
        let number = run.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let hash = crate::dice::Dice::new(1, &[number]).roll();
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    votes.iter().enumerate().fold(0, |all, (bit, vote)| all | u64::from(*vote > 0) << bit)
}

#[test]
fn nearly_everything_can_be_reached() {
    let world = World::plain(9, 100, 20_000);
    let reach = oracle(&world, world.seeds(1), &OracleRules::default());
    let pages: u32 = world.hosts.iter().map(|host| host.pages).sum();
    assert_eq!(reach.pages.len(), pages as usize);
    assert_eq!(reach.robots.len(), 100);

    let world = World::polite_test(9, 100, 20_000);
    let reach = oracle(&world, world.seeds(1), &OracleRules::default());
    assert!(reach.pages.len() > 14_000, "{}", reach.pages.len());
    assert!(!reach.sitemaps.is_empty());
    let all = oracle(&world, world.seeds(1), &OracleRules { robots: false, ..OracleRules::default() });
    assert!(all.pages.len() > reach.pages.len() && all.robots.is_empty());
}

#[test]
fn depth_and_scope_limit_the_oracle() {
    let world = World::hostile(2, 30, 3_000);
    let depth = |max_depth| {
        let rules = OracleRules { max_depth, traps: max_depth.is_some(), ..OracleRules::default() };
        oracle(&world, world.seeds(1), &rules).pages
    };
    assert_eq!(depth(Some(0)), BTreeSet::from([world.seeds(1)[0].clone()]));
    let (one, two) = (depth(Some(1)), depth(Some(2)));
    assert!(one.len() > 1 && one.is_subset(&two) && two.len() > one.len());
    let deep = depth(Some(9));
    assert!(deep.iter().any(|url| world.is_trap(url)));
    let home = |url: &str| url.contains("//h0000.");
    let scoped = oracle(&world, world.seeds(1), &OracleRules { scope: &home, ..OracleRules::default() });
    assert!(scoped.pages.len() > 10 && scoped.pages.iter().all(|url| home(url)));
    assert_eq!(scoped.robots.len(), 1);
}

#[test]
fn pages_have_the_sizes_and_links_that_were_asked_for() {
    let world = World::plain(4, 50, 3_000);
    let (mut bytes, mut links, mut count) = (0, 0, 0);
    for spot in pages(&world) {
        bytes += world.html(spot).len();
        links += world.links(spot).len();
        count += 1;
        assert!((10..=60).contains(&world.links(spot).len()));
    }
    assert!((9_000..11_500).contains(&(bytes / count)), "{}", bytes / count);
    assert!((25..35).contains(&(links / count)), "{}", links / count);
}

#[test]
fn topics_are_planted_and_linked_among_themselves() {
    let world = World::demo(1);
    let reach = oracle(&world, world.seeds(12), &OracleRules::default());
    for (topic, word) in [(0, "Orvane"), (1, "Selka")] {
        let about: Vec<_> = reach.pages.iter().filter(|url| world.topic(url) == Some(topic)).collect();
        assert!(about.len() > 40, "{}", about.len());
        for url in about {
            let body = world.answer(url).expect("a page").body;
            assert!(String::from_utf8_lossy(&body).matches(word).count() > 3, "{url}");
        }
    }
}
