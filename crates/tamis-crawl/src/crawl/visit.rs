//! One visit to a host: its rules, then its pages, over one connection where that is possible.

use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use http::HeaderMap;

use super::host_settings::HostRules;
use super::journal::RobotsLine;
use super::network::{Errand, Network, now_ms};
use super::outcome;
use super::progress::Cut;
use super::rules::Answer;
use super::work::{Fetched, FetchedAgain, Job};
use crate::fetch::proxy::is_stand_in;
use crate::fetch::{Connection, Exchange, Failure, candidates_for, ports};
use crate::robots::{Reception, Robots, retry_after_ms};
use crate::workbench::{Added, After, Entry, Outcome, Place, Politeness, Visit};
use crate::{Address, Result};

/// A host that refuses without a word on when to come back is left alone for so many first waits after a failure.
const REFUSED_WAITS: u64 = 3;
/// How soon a host is looked at again whose rules another host has to give.
const ASKED_MS: u64 = 500;
/// So many addresses of a site that does not say its rules are passed over for one of another site of the host.
const MOST_PASSED: u64 = 64;
/// Marks an entry that stands for an errand, not for an address of the log.
const ERRAND: u64 = u64::MAX;

/// What happened so far.
struct Course {
    network: Rc<Network>,
    visit: Visit,
    connection: Option<Connection>,
    outcome: Outcome,
    /// Requests made.
    requests: u32,
    /// Addresses passed over.
    passed: u64,
    /// The last failure.
    failure: Option<Failure>,
    /// What holds for the host.
    rules: HostRules,
    /// Fields of the next request beside those of all.
    conditions: HeaderMap,
}

/// Whether a visit goes on.
enum Step {
    /// With the next entry, no request having been made.
    Next,
    /// If politeness allows another request.
    Asked,
    /// It is over.
    Over,
}

/// Pays a visit and puts the host back.
pub(super) async fn pay(network: &Rc<Network>, visit: Visit) {
    let now = now_ms();
    let connection = network.idle.borrow_mut().take(visit.host(), now);
    let crawl_delay_ms = network.crawl_delay_ms(visit.host());
    let rules = network.options.live.of(network.bench.borrow().name(visit.host()));
    let delay_ms = rules.delay_ms;
    let outcome = Outcome { began_ms: now, ended_ms: now, crawl_delay_ms, delay_ms, ..Outcome::default() };
    let mut course = Course {
        network: Rc::clone(network),
        visit,
        connection,
        outcome,
        requests: 0,
        passed: 0,
        failure: None,
        rules,
        conditions: HeaderMap::new(),
    };
    if let Err(error) = course.steps().await {
        network.fail(error);
    }
    let Course { visit, connection, outcome, requests, failure, .. } = course;
    if let Some(connection) = connection.filter(Connection::is_open) {
        network.idle.borrow_mut().put(visit.host(), connection, now_ms());
    }
    // A visit without a request need not be waited for.
    let began_ms = if requests == 0 { 0 } else { outcome.began_ms };
    let ended_ms = if requests == 0 { 0 } else { outcome.ended_ms };
    let host = visit.host();
    let after = network.bench.borrow_mut().put_back(visit, &Outcome { began_ms, ended_ms, ..outcome });
    if matches!(after, After::GivenUp { .. } | After::Closed) {
        network.forget_errands(host);
        network.closed.borrow_mut().add(network.bench.borrow().name(host), failure);
    }
}

impl Course {
    async fn steps(&mut self) -> Result<()> {
        let host = self.visit.host();
        loop {
            let is_paused = self.network.forced.borrow().paused;
            if is_paused || self.network.progress.is_stopping() || self.network.pages_left.get() == 0 {
                return Ok(());
            }
            let Some(entry) = self.network.bench.borrow_mut().next(host)? else { return Ok(()) };
            let step = if entry.id == ERRAND { self.errand().await? } else { self.entry(entry).await? };
            let goes_on = match step {
                Step::Next => {
                    // A host may have very many addresses that are not to be fetched.
                    tokio::task::yield_now().await;
                    true
                }
                Step::Asked => self.goes_on(),
                Step::Over => false,
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    fn goes_on(&self) -> bool {
        let is_due = self.network.forced.borrow().wait_until(now_ms()).is_none();
        is_due && self.politeness().goes_on(self.outcome.began_ms, now_ms(), self.outcome.crawl_delay_ms)
    }

    /// How long the host is left alone.
    fn politeness(&self) -> Politeness {
        let own = self.rules.delay_ms.map(|delay_ms| Politeness::Fixed { delay_ms });
        own.unwrap_or_else(|| self.network.politeness())
    }

    /// Why settings leave an address out, if they do.
    fn left_out(&self, job: &Job) -> Option<u16> {
        if self.network.options.live.excludes(&job.address, u32::from(job.note.depth), &self.rules) {
            return Some(outcome::EXCLUDED);
        }
        let pages =
            || self.network.bench.borrow().pages(self.visit.host()).saturating_add(self.outcome.pages);
        self.rules.max_pages.is_some_and(|max| pages() >= max).then_some(outcome::OVER_LIMIT)
    }

    /// One address: its rules are asked first.
    async fn entry(&mut self, entry: Entry) -> Result<Step> {
        let Some(job) = self.network.frontier.borrow_mut().job(&entry)? else { return Ok(Step::Next) };
        if self.network.frontier.borrow().is_stale(&job.address) {
            self.network.end(entry.id, outcome::STALE, now_ms());
            return Ok(Step::Next);
        }
        if let Some(outcome) = self.left_out(&job) {
            self.network.end(entry.id, outcome, now_ms());
            return Ok(Step::Next);
        }
        if !ports::is_allowed(job.address.port()) {
            // No request is made there, not even for robots.txt.
            self.network.progress.count_failure(Failure::PortRefused.name());
            self.network.end(entry.id, outcome::of_failure(Failure::PortRefused), now_ms());
            return Ok(Step::Next);
        }
        if self.network.options.robots_off.iter().any(|host| host == job.address.host()) {
            return self.page(entry, job).await;
        }
        let answer = self.network.rules.borrow_mut().of(job.address.origin(), now_ms());
        match answer {
            Answer::Hold(rules) if rules.allows(job.address.path_and_query()) => {
                self.heed_crawl_delay(&rules);
                let earliest_ms = self.network.options.restarted_ms + self.outcome.crawl_delay_ms;
                if now_ms() < earliest_ms {
                    // The last request before the restart is not known; it may just have ended.
                    self.requeue(entry, Place::Front)?;
                    self.outcome.not_before_ms = Some(earliest_ms);
                    return Ok(Step::Over);
                }
                if self.requests > 0 && !self.goes_on() {
                    // The delay was not known when the rules were fetched.
                    self.requeue(entry, Place::Front)?;
                    return Ok(Step::Over);
                }
                self.page(entry, job).await
            }
            Answer::Hold(_) => {
                self.network.end(entry.id, outcome::DISALLOWED, now_ms());
                Ok(Step::Next)
            }
            Answer::Unknown if self.passes_over(job.address.origin()) => {
                self.passed += 1;
                self.requeue(entry, Place::Back)?;
                Ok(Step::Next)
            }
            Answer::Unknown => {
                let target = robots_address(&job.address);
                let errand = Errand { origin: job.address.origin().into(), target, hops: 0 };
                let is_new = !self.network.rules.borrow().have_held(job.address.origin());
                match self.rules(errand).await? {
                    Ok(step) => {
                        // Behind the errand, if the rules are to be had elsewhere.
                        let is_asked = self.network.rules.borrow().are_asked(job.address.origin());
                        self.requeue(entry, if is_asked { Place::Back } else { Place::Front })?;
                        Ok(step)
                    }
                    Err(Failure::ConnectionRefused) if is_new && self.has_answered() => {
                        self.network.rules.borrow_mut().set_closed(job.address.origin(), now_ms());
                        self.network.end(entry.id, outcome::of_failure(Failure::ConnectionRefused), now_ms());
                        Ok(Step::Asked)
                    }
                    // Another origin of the host gets its turn first.
                    Err(failure) => self.failed(entry, failure, Place::Back),
                }
            }
            Answer::Closed => {
                self.network.end(entry.id, outcome::of_failure(Failure::ConnectionRefused), now_ms());
                Ok(Step::Next)
            }
            Answer::Asked => {
                self.requeue(entry, Place::Front)?;
                self.outcome.not_before_ms = Some(now_ms() + ASKED_MS);
                Ok(Step::Over)
            }
        }
    }

    async fn errand(&mut self) -> Result<Step> {
        let host = self.visit.host();
        let errand =
            self.network.errands.borrow_mut().get_mut(&host).and_then(std::collections::VecDeque::pop_front);
        let Some(errand) = errand else { return Ok(Step::Next) };
        let is_own = errand.is_own();
        Ok(self.rules(errand).await?.unwrap_or_else(|failure| {
            self.outcome.failed |= is_own && is_hosts_fault(failure);
            Step::Over
        }))
    }

    /// Fetches a `robots.txt`, one step of the way to it.
    async fn rules(&mut self, errand: Errand) -> Result<Result<Step, Failure>> {
        let network = Rc::clone(&self.network);
        let is_again = network.rules.borrow().led_nowhere(&errand.origin);
        let exchange = match self.get(&errand.target).await {
            Ok(exchange) => exchange,
            Err(failure) => {
                network.progress.count_failure(failure.name());
                network.rules.borrow_mut().set_unreachable(&errand.origin, errand.hops > 0);
                let line = RobotsLine {
                    fetched_ms: self.outcome.ended_ms,
                    outcome: outcome::FAILED,
                    file: 0,
                    offset: u64::MAX,
                    origin: errand.origin.into(),
                };
                network.send(Fetched::Robots { exchange: None, line: Some(line), sitemaps: Vec::new() });
                return Ok(Err(failure));
            }
        };
        let reception = Reception::of_status(exchange.status);
        if let Some(next) = next_hop(&exchange, reception, &errand) {
            // Where it sends us there were no rules last time: it is not followed there for ever.
            self.outcome.failed |= is_again;
            network.send(Fetched::Robots {
                exchange: Some(Box::new(exchange)),
                line: None,
                sitemaps: Vec::new(),
            });
            self.send_on(Errand { target: next, hops: errand.hops + 1, origin: errand.origin })?;
        } else {
            self.learn(errand, exchange, reception)?;
        }
        let is_over = self.outcome.failed || self.outcome.not_before_ms.is_some();
        Ok(Ok(if is_over { Step::Over } else { Step::Asked }))
    }

    /// Whether an origin that was asked in vain has to wait for others of the host, as far as they are looked for.
    fn passes_over(&self, origin: &str) -> bool {
        // The entry at hand is not queued.
        let others = self.network.bench.borrow().queued(self.visit.host());
        self.passed < others.min(MOST_PASSED) && self.network.rules.borrow().are_unreachable(origin)
    }

    /// Whether the host has brought pages: of another origin, if this one is new.
    fn has_answered(&self) -> bool {
        self.network.bench.borrow().pages(self.visit.host()) > 0
    }

    /// Takes in the rules that were found.
    fn learn(&mut self, errand: Errand, exchange: Exchange, reception: Reception) -> Result<()> {
        let limits = tamis_archive::http::DecodeLimits {
            max_output_bytes: super::rules::MAX_BYTES as u64,
            ..tamis_archive::http::DecodeLimits::default()
        };
        let mut sitemaps = Vec::new();
        if reception.is_retried() {
            self.network.rules.borrow_mut().set_unreachable(&errand.origin, errand.hops > 0);
            // Who sends us here for rules does not make this host fail.
            self.outcome.failed |= errand.is_own();
            self.heed_retry_after(&exchange);
        } else {
            let (body, _) = exchange.decoded(limits).map_err(super::parser::of_spooled)?;
            if body.len() >= super::rules::MAX_BYTES {
                self.network.progress.count_cut(Cut::Robots, 1);
            }
            let mut rules = self.network.rules.borrow_mut();
            sitemaps = rules.set(&errand.origin, reception, &body, exchange.ended_ms);
            let answer = rules.of(&errand.origin, exchange.ended_ms);
            drop(rules);
            if let Answer::Hold(rules) = answer
                && errand.is_own()
            {
                self.heed_crawl_delay(&rules);
            }
        }
        let line = RobotsLine {
            fetched_ms: exchange.ended_ms,
            outcome: exchange.status,
            file: 0,
            offset: u64::MAX,
            origin: errand.origin.into(),
        };
        self.network.send(Fetched::Robots { exchange: Some(Box::new(exchange)), line: Some(line), sitemaps });
        Ok(())
    }

    /// Leaves the next step to the host that has it: this one, or another.
    fn send_on(&mut self, errand: Errand) -> Result<()> {
        let network = &self.network;
        network.rules.borrow_mut().ask(&errand.origin);
        let mut bench = network.bench.borrow_mut();
        let entry = Entry { id: ERRAND, score: 1.0 };
        // Before the pages of that host, which may wait for rules themselves.
        let added = match bench.host(errand.target.host()) {
            Some(host) => Added { host, queued: bench.requeue(host, entry, Place::Front)? },
            None => bench.add(errand.target.host(), entry)?,
        };
        if added.queued {
            network.errands.borrow_mut().entry(added.host).or_default().push_back(errand);
        } else {
            network.rules.borrow_mut().set_unreachable(&errand.origin, true);
            self.outcome.failed = true;
        }
        Ok(())
    }

    async fn page(&mut self, entry: Entry, job: Job) -> Result<Step> {
        let network = Rc::clone(&self.network);
        if network.pages_left.get() == 0 {
            self.requeue(entry, Place::Front)?;
            return Ok(Step::Over);
        }
        network.pages_left.set(network.pages_left.get() - 1);
        let again = self.again(&job);
        self.conditions = conditions_of(again.as_ref());
        let got = self.get(&job.address).await;
        self.conditions.clear();
        match got {
            Ok(exchange) => self.answered(entry, job, exchange, again),
            Err(failure) => {
                network.pages_left.set(network.pages_left.get() + 1);
                network.progress.count_failure(failure.name());
                self.failed(entry, failure, Place::Front)
            }
        }
    }

    /// What a page is compared with, in a run that fetches pages again.
    fn again(&self, job: &Job) -> Option<FetchedAgain> {
        let again = self.network.options.again.as_ref()?;
        let is_visited = again.has(job.id.0);
        let known = again.known(job.id.0, &job.address).map(Box::new);
        (is_visited || known.is_some()).then_some(FetchedAgain { is_visited, known })
    }

    fn answered(
        &mut self,
        entry: Entry,
        mut job: Job,
        exchange: Exchange,
        again: Option<FetchedAgain>,
    ) -> Result<Step> {
        let is_refused = matches!(exchange.status, 429 | 503);
        let is_final = !self.may_try_again(entry.id) || !is_refused;
        if is_refused {
            self.outcome.failed = true;
            self.heed_retry_after(&exchange);
            if !is_final {
                self.network.progress.counts.retries.fetch_add(1, Relaxed);
                self.requeue(entry, Place::Front)?;
            }
        } else {
            self.outcome.pages += 1;
            self.network.closed.borrow_mut().forget(job.address.host());
        }
        if is_final {
            job.tries = self.network.tried.borrow_mut().remove(&entry.id).unwrap_or(0);
        }
        self.network.send(Fetched::Page { job, exchange: Box::new(exchange), is_final, again });
        Ok(if is_refused { Step::Over } else { Step::Asked })
    }

    fn failed(&mut self, entry: Entry, failure: Failure, place: Place) -> Result<Step> {
        tracing::debug!(id = entry.id, %failure, "failed");
        let is_hosts_fault = is_hosts_fault(failure);
        if self.may_try_again(entry.id) && is_hosts_fault {
            self.network.progress.counts.retries.fetch_add(1, Relaxed);
            self.requeue(entry, place)?;
        } else {
            self.network.end(entry.id, outcome::of_failure(failure), now_ms());
        }
        self.outcome.failed = is_hosts_fault;
        Ok(Step::Over)
    }

    /// Counts a try; whether there may be another.
    fn may_try_again(&self, id: u64) -> bool {
        let mut tried = self.network.tried.borrow_mut();
        let count = tried.entry(id).or_insert(0);
        *count += 1;
        *count < self.network.options.tries
    }

    /// What one origin of a host asks for holds for all of it.
    fn heed_crawl_delay(&mut self, rules: &Robots) {
        let host = self.visit.host();
        let (asked_ms, most_ms) =
            (rules.crawl_delay_ms().unwrap_or(0), self.network.options.max_crawl_delay_ms);
        tracing::debug!(
            host = self.network.bench.borrow().name(host),
            crawl_delay_ms = asked_ms,
            "read robots.txt"
        );
        if asked_ms > most_ms {
            self.network.progress.note_capped(self.network.bench.borrow().name(host), asked_ms);
        }
        self.outcome.crawl_delay_ms = self.network.learn_crawl_delay(host, asked_ms.min(most_ms));
    }

    /// The host says when it wants to be asked again, or should have.
    fn heed_retry_after(&mut self, exchange: &Exchange) {
        let now = exchange.ended_ms;
        let said = exchange.field("Retry-After").and_then(|value| std::str::from_utf8(value).ok());
        let unsaid = self.network.options.failure_wait_ms * REFUSED_WAITS;
        let until_ms = now + said.and_then(|value| retry_after_ms(value, now)).unwrap_or(unsaid);
        self.outcome.not_before_ms = Some(until_ms);
        let host = exchange.address.host().to_owned();
        self.network.send(Fetched::Wait { until_ms, host });
    }

    fn requeue(&self, entry: Entry, place: Place) -> Result<()> {
        self.network.bench.borrow_mut().requeue(self.visit.host(), entry, place)?;
        Ok(())
    }

    /// One request, over the connection at hand if it is to the same origin. A connection that turns out to have been
    /// closed is replaced once, after the pause that follows every request: the server may have seen it.
    async fn get(&mut self, address: &Address) -> Result<Exchange, Failure> {
        if self.requests == 0 {
            self.outcome.began_ms = now_ms();
        }
        if self.requests > 0 {
            self.network.forced.borrow_mut().count_request(now_ms());
        }
        self.requests += 1;
        let got = self.get_once(address).await;
        let got = match got {
            Err(failure) if failure.may_retry_at_once() => {
                self.connection = None;
                tokio::time::sleep(Duration::from_millis(self.pause_ms())).await;
                self.get_once(address).await
            }
            got => got,
        };
        self.outcome.ended_ms = now_ms();
        self.failure = got.as_ref().err().copied();
        if self.has_answered() {
            self.network.slots.note(self.failure.is_some_and(Failure::is_late));
        }
        let tls = got.as_ref().ok().and_then(|exchange| exchange.tls.as_deref());
        if let Some(fault) = tls.and_then(|tls| tls.certificate.fault()) {
            self.network.progress.count_unverified(fault);
        }
        self.outcome.answered |= self.failure.is_none_or(|failure| !is_hosts_fault(failure));
        got
    }

    /// The pause between two requests of a visit.
    fn pause_ms(&self) -> u64 {
        let fixed_ms = match self.politeness() {
            Politeness::Fixed { delay_ms } => delay_ms,
            Politeness::Share { .. } => 0,
        };
        fixed_ms.max(self.outcome.crawl_delay_ms)
    }

    async fn get_once(&mut self, address: &Address) -> Result<Exchange, Failure> {
        let mut connection = match self.kept(address).await {
            Some(connection) => connection,
            None => self.connect(address).await?,
        };
        let exchange = connection.get_with(address, &self.conditions).await?;
        tracing::debug!(url = address.as_str(), status = exchange.status, bytes = exchange.len(), "fetched");
        self.connection = Some(connection);
        Ok(exchange)
    }

    /// The connection at hand, if it goes to the origin of an address and the server has not closed it.
    async fn kept(&mut self, address: &Address) -> Option<Connection> {
        let mut connection = self.connection.take().filter(|kept| kept.origin() == address.origin())?;
        connection.is_still_open().await.then_some(connection)
    }

    /// Connects to the address whose token this visit holds, and to no other.
    async fn connect(&self, address: &Address) -> Result<Connection, Failure> {
        let network = &self.network;
        let own = (self.visit.ip(), address.port()).into();
        let to = if is_stand_in(self.visit.ip()) {
            own
        } else {
            let places = candidates_for(address, &*network.resolver, &network.config).await?;
            places.into_iter().find(|place| place.ip() == self.visit.ip()).unwrap_or(own)
        };
        network.progress.counts.connections.fetch_add(1, Relaxed);
        let connection = Connection::open(address, to, &network.config).await?;
        Ok(connection.with_own(&self.rules.headers, self.rules.auth.as_ref()))
    }
}

/// The conditions of a request for a page that this crawl has visited. The links of an imported page are not known, so it is fetched
/// whole.
fn conditions_of(again: Option<&FetchedAgain>) -> HeaderMap {
    let known = again.filter(|again| again.is_visited).and_then(|again| again.known.as_deref());
    known.map(|known| known.conditions().clone()).unwrap_or_default()
}

/// Where the rules for an address are.
fn robots_address(address: &Address) -> Address {
    Address::parse(&format!("{}/robots.txt", address.origin())).unwrap_or_else(|| address.clone())
}

/// Where a redirect to the rules leads, if it is to be followed.
fn next_hop(exchange: &Exchange, reception: Reception, errand: &Errand) -> Option<Address> {
    if reception != Reception::Follow || errand.hops >= Reception::MAX_REDIRECTS {
        return None;
    }
    let location = std::str::from_utf8(exchange.field("Location")?).ok()?;
    let base = url::Url::parse(errand.target.as_str()).ok()?;
    Address::from_url(base.join(location).ok()?)
}

/// Whether other pages of the host will fail too: it could not be reached, or did not answer in time.
fn is_hosts_fault(failure: Failure) -> bool {
    !matches!(
        failure,
        Failure::NotHttp
            | Failure::HeadTooLarge
            | Failure::HeadCut
            | Failure::BadRequest
            | Failure::PortRefused
            | Failure::BadLength
    )
}
