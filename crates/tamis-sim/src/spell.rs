//! The many ways in which a page can spell a link to the same place.

use super::World;
use super::dice::Dice;
use super::spot::Spot;

/// Where a page stands, for links that are relative to it.
pub(super) struct Base<'a> {
    /// None for copies, which are the same wherever they stand.
    pub(super) spot: Option<Spot>,
    /// The path that relative links start from: that of the page or of its `<base href>`.
    pub(super) path: &'a str,
    /// Whether most links are relative, as on a page with a `<base href>`.
    pub(super) relative: bool,
}

/// How a link is spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Plain,
    Relative,
    Fragment,
    Capitals,
    DotSegments,
    Port,
    Blanks,
    NoScheme,
    Unicode,
    Tab,
}

const ODD: [Spelling; 9] = [
    Spelling::Relative,
    Spelling::Fragment,
    Spelling::Capitals,
    Spelling::DotSegments,
    Spelling::Port,
    Spelling::Blanks,
    Spelling::NoScheme,
    Spelling::Unicode,
    Spelling::Tab,
];

/// Links that lead nowhere a crawler can go.
const NOWHERE: [&str; 6] = [
    "mailto:desk@sim.example",
    "javascript:void(0)",
    "tel:+391234",
    "http://[",
    "data:text/plain,hello",
    "#top",
];

impl World {
    /// Appends the value of a `href` that leads to `to`, escaped for double quotes.
    pub(super) fn write_href(&self, base: &Base<'_>, to: Spot, dice: &mut Dice, out: &mut String) {
        let spelling = if dice.chance(self.options.articles.odd_links) {
            *dice.pick(&ODD)
        } else if base.relative && dice.chance(0.7) {
            Spelling::Relative
        } else {
            Spelling::Plain
        };
        let start = out.len();
        self.write_spelt(base, to, spelling, out);
        if out[start..].contains('&') {
            let escaped = out[start..].replace('&', "&amp;");
            out.replace_range(start.., &escaped);
        }
    }

    /// Now and then, a link that leads nowhere.
    pub(super) fn nowhere(&self, dice: &mut Dice) -> Option<&'static str> {
        dice.chance(self.options.articles.odd_links).then(|| *dice.pick(&NOWHERE))
    }

    fn write_spelt(&self, base: &Base<'_>, to: Spot, spelling: Spelling, out: &mut String) {
        let near = base.spot.is_some_and(|spot| spot.host == to.host && spot.old == to.old);
        let host = &self.hosts[to.host as usize];
        let secure = host.tls && !to.old;
        match spelling {
            Spelling::Relative if near => self.write_relative(base.path, to, out),
            Spelling::Capitals => {
                out.push_str(if secure { "HTTPS://" } else { "HTTP://" });
                out.push_str(&host.name.to_uppercase());
                self.write_path(to.host, to.what, out);
            }
            Spelling::DotSegments if near => {
                out.push_str("/./nowhere/%2e%2E");
                self.write_path(to.host, to.what, out);
            }
            Spelling::Port => {
                out.push_str(if secure { "https://" } else { "http://" });
                out.push_str(&host.name);
                out.push_str(if secure { ":443" } else { ":80" });
                self.write_path(to.host, to.what, out);
            }
            Spelling::NoScheme if base.spot.is_some_and(|spot| self.is_secure(spot) == secure) => {
                out.push_str("//");
                out.push_str(&host.name);
                self.write_path(to.host, to.what, out);
            }
            _ => self.write_changed(near, to, spelling, out),
        }
    }

    /// The plain link, with characters in it that do not count.
    fn write_changed(&self, near: bool, to: Spot, spelling: Spelling, out: &mut String) {
        let start = out.len();
        if near {
            self.write_path(to.host, to.what, out);
        } else {
            out.push_str(&self.url(to));
        }
        match spelling {
            Spelling::Fragment => out.push_str("#part-3"),
            Spelling::Blanks => {
                out.insert_str(start, " \n ");
                out.push_str("  ");
            }
            Spelling::Unicode => {
                let readable = out[start..].replace("%C3%A9", "é");
                out.replace_range(start.., &readable);
            }
            // All of it is ASCII, so any place will do.
            Spelling::Tab => out.insert(start.midpoint(out.len()), '\t'),
            _ => {}
        }
    }

    fn write_relative(&self, from: &str, to: Spot, out: &mut String) {
        let folder = from.split('?').next().unwrap_or(from);
        for _ in 1..folder.matches('/').count() {
            out.push_str("../");
        }
        let start = out.len();
        self.write_path(to.host, to.what, out);
        // An empty link would lead to the page itself.
        out.replace_range(start..=start, if start == 0 || out.len() == start + 1 { "./" } else { "" });
    }

    fn is_secure(&self, spot: Spot) -> bool {
        self.hosts[spot.host as usize].tls && !spot.old
    }
}
