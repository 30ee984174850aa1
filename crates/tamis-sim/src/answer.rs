//! What a spot is answered with.

use super::World;
use super::coding;
use super::dice::Dice;
use super::options::{Quirk, RobotsKind, SitemapKind, Special};
use super::spot::{Spot, What};

/// The answer to a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status, once no refusal is left.
    pub status: u16,
    /// Fields of the head, without those about length, coding and connection.
    pub fields: Vec<(&'static str, String)>,
    /// The body, before any coding.
    pub body: Vec<u8>,
    /// The coding for clients that accept it.
    pub coding: Coding,
    /// How the end of the body is told.
    pub framing: Framing,
    /// What the server does with all this.
    pub conduct: Conduct,
    /// What comes first.
    pub refusals: Option<Refusals>,
}

/// The first answers to a URL, before the one that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusals {
    /// 429 or 503.
    pub status: u16,
    /// How often.
    pub times: u32,
    /// What `Retry-After` says.
    pub wait_s: u32,
}

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// None.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
    /// zstd.
    Zstd,
}

/// How the end of a body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// By `Content-Length`.
    Length,
    /// By chunks.
    Chunked,
    /// By the end of the connection.
    Close,
}

/// How a server behaves while answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// Well.
    Good,
    /// As that special page does.
    Hostile(Special),
}

const STATUSES: [u16; 5] = [301, 302, 303, 307, 308];

impl World {
    /// The answer to a URL; `None` for hosts that are not of this world.
    pub fn answer(&self, url: &str) -> Option<Answer> {
        self.spot(url).map(|spot| self.answer_spot(spot))
    }

    pub(super) fn answer_spot(&self, spot: Spot) -> Answer {
        if let Some(answer) = self.quirky(spot) {
            return answer;
        }
        if let Some(to) = self.redirect(spot) {
            return self.redirecting(spot, to);
        }
        match spot.what {
            What::Robots => self.robots(spot.host),
            What::RobotsMoved => plain(200, "text/plain", self.robots_text(spot.host)),
            What::Sitemap | What::SitemapPart(_) => self.sitemap(spot),
            What::Page(page) => match self.special(spot.host, page) {
                None => self.article(spot, page),
                Some(special) => self.special_answer(spot, special),
            },
            What::Missing | What::Hop(..) | What::Onward(_) => {
                plain(404, "text/html", error_page("Not found"))
            }
            What::Extra(_)
            | What::Guest(..)
            | What::Month(_)
            | What::Session(..)
            | What::Deep(_)
            | What::Series(..) => self.good_html(spot),
        }
    }

    fn quirky(&self, spot: Spot) -> Option<Answer> {
        let special = match self.hosts[spot.host as usize].quirk? {
            Quirk::NotHttp => Special::NotHttp,
            Quirk::Stalls => Special::StallInHead,
            _ => return None,
        };
        let answer = plain(200, "text/html", error_page("Nothing to see"));
        Some(Answer { conduct: Conduct::Hostile(special), ..answer })
    }

    fn robots(&self, host: u32) -> Answer {
        match self.hosts[host as usize].robots {
            RobotsKind::Missing => plain(404, "text/html", error_page("Not found")),
            RobotsKind::ServerError => plain(503, "text/html", error_page("Out of order")),
            _ => plain(200, "text/plain", self.robots_text(host)),
        }
    }

    fn sitemap(&self, spot: Spot) -> Answer {
        let xml = self.sitemap_text(spot).into_bytes();
        let gzip = spot.what == What::SitemapPart(2)
            || spot.what == What::Sitemap && self.hosts[spot.host as usize].sitemap == SitemapKind::Gzip;
        if gzip {
            plain(200, "application/gzip", coding::gzip(&xml))
        } else {
            plain(200, "application/xml", xml)
        }
    }

    fn redirecting(&self, spot: Spot, to: Spot) -> Answer {
        let mut dice = Dice::new(self.options.seed, &[16, u64::from(spot.host), u64::from(spot.old)]);
        let status = if spot.old || spot.what == What::Robots { 301 } else { *dice.pick(&STATUSES) };
        let mut location = String::new();
        if spot.host == to.host && !spot.old {
            self.write_path(to.host, to.what, &mut location);
        } else {
            location = self.url(to);
        }
        let mut answer = plain(status, "text/html", error_page("Moved"));
        answer.fields.push(("Location", location));
        answer
    }

    fn article(&self, spot: Spot, page: u32) -> Answer {
        let shares = &self.options.articles;
        let mut dice = Dice::new(self.options.seed, &[17, u64::from(spot.host), u64::from(page)]);
        let codings = [(Coding::Gzip, shares.gzip), (Coding::Brotli, shares.br), (Coding::Zstd, shares.zstd)];
        let coding = dice.choose(&codings, 1.0).unwrap_or(Coding::Identity);
        let framings = [(Framing::Chunked, shares.chunked), (Framing::Close, shares.unframed)];
        let framing = dice.choose(&framings, 1.0).unwrap_or(Framing::Length);
        Answer { coding, framing, ..self.good_html(spot) }
    }

    fn good_html(&self, spot: Spot) -> Answer {
        let charset = self.charset(spot);
        let kind = match charset.label() {
            Some(label) => format!("text/html; charset={label}"),
            None => "text/html".to_owned(),
        };
        answer(200, kind, charset.encode(self.html(spot)))
    }

    fn special_answer(&self, spot: Spot, special: Special) -> Answer {
        let hostile = |answer| Answer { conduct: Conduct::Hostile(special), ..answer };
        match special {
            Special::NotFound => plain(404, "text/html", error_page("Not found")),
            Special::Gone => plain(410, "text/html", error_page("Gone")),
            Special::ServerError => plain(500, "text/html", error_page("Out of order")),
            Special::TooManyRequests => self.refusing(spot, 429),
            Special::Unavailable => self.refusing(spot, 503),
            Special::PlainText => plain(200, "text/plain; charset=utf-8", self.html(spot).into_bytes()),
            Special::Pdf => plain(200, "application/pdf", b"%PDF-1.4\n%%EOF\n".repeat(20)),
            Special::Image => plain(200, "image/png", b"\x89PNG\r\n\x1a\n".repeat(40)),
            Special::Json => plain(200, "application/json", b"{\"href\": \"/not-a-link\"}\n".to_vec()),
            Special::NofollowField => {
                let mut answer = self.good_html(spot);
                answer.fields.push(("X-Robots-Tag", "nofollow".to_owned()));
                answer
            }
            Special::GzipBomb => hostile(plain(200, "text/html", Vec::new())),
            Special::CloseInChunk | Special::BadChunk => {
                Answer { framing: Framing::Chunked, ..hostile(self.good_html(spot)) }
            }
            Special::Slow
            | Special::StallInHead
            | Special::StallInBody
            | Special::Drip
            | Special::LengthTooShort
            | Special::LengthTooLong
            | Special::CloseEarly
            | Special::HugeHead
            | Special::EndlessHead
            | Special::EndlessBody
            | Special::NotHttp => hostile(self.good_html(spot)),
            _ => self.good_html(spot),
        }
    }

    fn refusing(&self, spot: Spot, status: u16) -> Answer {
        let What::Page(page) = spot.what else { return self.good_html(spot) };
        let times = Dice::new(self.options.seed, &[18, u64::from(spot.host), u64::from(page)]).between(1, 2);
        let refusals = Some(Refusals { status, times, wait_s: self.options.retry_after_s });
        Answer { refusals, ..self.good_html(spot) }
    }
}

fn plain(status: u16, kind: &str, body: Vec<u8>) -> Answer {
    answer(status, kind.to_owned(), body)
}

fn answer(status: u16, kind: String, body: Vec<u8>) -> Answer {
    Answer {
        status,
        fields: vec![("Content-Type", kind)],
        body,
        coding: Coding::Identity,
        framing: Framing::Length,
        conduct: Conduct::Good,
        refusals: None,
    }
}

fn error_page(title: &str) -> Vec<u8> {
    format!("<!DOCTYPE html><title>{title}</title><p>{title}.</p>\n").into_bytes()
}
