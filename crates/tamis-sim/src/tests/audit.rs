//! Every kind of fault is found where it was planted, and nowhere else.

use crate::audit::audit;
use crate::log::{Asked, Log, Outcome};
use crate::{Audit, AuditRules, RobotsKind, World, WorldOptions};

/// A request: host, path, start and end in milliseconds.
type Step = (u32, &'static str, u64, u64);

/// What is done, under which robots.txt, in which steps, and which faults there are.
type Case = (&'static str, RobotsKind, &'static [Step], &'static [(&'static str, u64)]);

fn log(world: &World, steps: &[Step]) -> Log {
    let mut log = Log::default();
    for (host, path, start_ms, end_ms) in steps {
        let owner = &world.hosts[*host as usize];
        let asked =
            Asked { connection: 1, address: owner.address, host: Some(*host), secure: owner.tls, path };
        let number = log.begin(asked, start_ms * 1000);
        log.end(number, |event| {
            event.end_us = end_ms * 1000;
            event.status = 200;
            event.bytes = 10;
            event.outcome = Outcome::Complete;
        });
    }
    log
}

fn rules() -> AuditRules {
    AuditRules { host_delay_ms: 100, ip_delay_ms: 50, tolerance_ms: 5, ..AuditRules::default() }
}

/// Three hosts: the first two on one address, the last with these rules.
fn world(robots: RobotsKind) -> World {
    let robots = vec![(robots, 1.0)];
    let mut world = World::new(WorldOptions { robots, addresses: 2, ..WorldOptions::plain(1, 3, 60) });
    for (host, address) in [(0, 0), (1, 0), (2, 1)] {
        world.hosts[host].address = address;
    }
    world
}

fn faults(audit: &Audit) -> Vec<(&'static str, u64)> {
    let all = audit.faults.all();
    all.iter()
        .filter(|(_, finding)| finding.count > 0)
        .map(|(name, finding)| (*name, finding.count))
        .collect()
}

#[test]
fn planted_faults_are_found() {
    let good: &[Step] = &[(0, "/robots.txt", 0, 10), (0, "/", 110, 120), (0, "/x", 220, 230)];
    let cases: &[Case] = &[
        ("good", RobotsKind::AllowAll, good, &[]),
        ("no robots", RobotsKind::AllowAll, &[(0, "/", 0, 10), (0, "/x", 110, 120)], &[("before_robots", 2)]),
        (
            "robots not yet answered",
            RobotsKind::AllowAll,
            &[(0, "/robots.txt", 0, 50), (0, "/", 40, 60)],
            &[("before_robots", 1), ("host_at_once", 1), ("ip_at_once", 1)],
        ),
        (
            "robots redirect not followed",
            RobotsKind::Moved,
            &[(2, "/robots.txt", 0, 10), (2, "/", 110, 120)],
            &[("before_robots", 1)],
        ),
        (
            "robots redirect followed",
            RobotsKind::Moved,
            &[(2, "/robots.txt", 0, 10), (2, "/moved/robots.txt", 110, 120), (2, "/", 230, 240)],
            &[],
        ),
        (
            "disallowed",
            RobotsKind::DisallowSome,
            &[(2, "/robots.txt", 0, 10), (2, "/private/3", 110, 120), (2, "/private/open/3", 220, 230)],
            &[("disallowed", 1)],
        ),
        (
            "everything disallowed by failing",
            RobotsKind::ServerError,
            &[(2, "/robots.txt", 0, 10), (2, "/", 110, 120)],
            &[("disallowed", 1)],
        ),
        (
            "repeated",
            RobotsKind::AllowAll,
            &[(0, "/robots.txt", 0, 1), (0, "/", 110, 120), (0, "/", 220, 230), (0, "/robots.txt", 330, 331)],
            &[("repeated", 1), ("repeated_robots", 1)],
        ),
        (
            "host too soon",
            RobotsKind::AllowAll,
            &[(0, "/robots.txt", 0, 10), (0, "/", 106, 120), (0, "/x", 210, 230)],
            &[("host_pause", 1)],
        ),
        (
            "address too soon",
            RobotsKind::AllowAll,
            &[(0, "/robots.txt", 0, 10), (1, "/robots.txt", 30, 40), (2, "/robots.txt", 40, 41)],
            &[("ip_pause", 1)],
        ),
        (
            "address at once",
            RobotsKind::AllowAll,
            &[(0, "/robots.txt", 0, 10), (1, "/robots.txt", 5, 40)],
            &[("ip_at_once", 1)],
        ),
        (
            "crawl delay",
            RobotsKind::CrawlDelay,
            &[(2, "/robots.txt", 0, 10), (2, "/", 110, 120), (2, "/x", 520, 530)],
            &[("crawl_delay", 1)],
        ),
    ];
    for (name, robots, steps, expected) in cases {
        let world = world(*robots);
        let found = audit(&world, &log(&world, steps), &rules());
        assert_eq!(faults(&found), *expected, "{name}");
        assert_eq!(found.requests, steps.len() as u64, "{name}");
    }
}

#[test]
fn a_retry_after_holds_for_host_or_url() {
    let world = world(RobotsKind::AllowAll);
    let mut log = log(
        &world,
        &[
            (0, "/robots.txt", 0, 1),
            (0, "/a", 110, 120),
            (0, "/b", 600, 610),
            (0, "/a", 1120, 1130),
            (0, "/a", 1300, 1301),
        ],
    );
    log.end(1, |event| {
        (event.status, event.outcome, event.wait_ms) = (429, Outcome::Refused, 1000);
    });
    let host = audit(&world, &log, &rules());
    assert_eq!(faults(&host), [("repeated", 1), ("retry_after", 1)]);
    assert_eq!(host.retries, 1);
    let url = audit(&world, &log, &AuditRules { retry_after_holds_for_host: false, ..rules() });
    assert_eq!(faults(&url), [("repeated", 1)]);
}

#[test]
fn slices_and_shares_are_judged_by_visits() {
    let world = world(RobotsKind::AllowAll);
    let steps: &[Step] = &[
        (0, "/robots.txt", 0, 10),
        (0, "/a", 11, 30),
        (0, "/b", 31, 40),
        (0, "/c", 240, 250),
        (0, "/d", 290, 300),
    ];
    let log = log(&world, steps);
    let judge = |rules: AuditRules| faults(&audit(&world, &log, &rules));
    let slices = AuditRules { slice_ms: 100, ..rules() };
    assert_eq!(judge(slices.clone()), []);
    assert_eq!(judge(AuditRules { slice_ms: 20, ..rules() }).first(), Some(&("host_pause", 2)));
    // The first visit took 40 ms, and 200 ms of rest are no more than a fifth.
    assert_eq!(judge(AuditRules { share: 0.2, ..slices.clone() }), []);
    assert_eq!(judge(AuditRules { share: 0.1, ..slices }), [("host_pause", 1), ("ip_pause", 1)]);
}

#[test]
fn robots_can_be_left_out_of_the_pauses() {
    let world = world(RobotsKind::CrawlDelay);
    let log = log(&world, &[(2, "/robots.txt", 0, 10), (2, "/", 11, 20), (2, "/x", 421, 430)]);
    let lenient = AuditRules { pause_after_robots: false, ..rules() };
    assert_eq!(faults(&audit(&world, &log, &lenient)), []);
    assert_eq!(faults(&audit(&world, &log, &rules())).len(), 3);
}

#[test]
fn numbers_of_an_audit() {
    let world = world(RobotsKind::AllowAll);
    let log = log(&world, &[(0, "/robots.txt", 0, 10), (2, "/robots.txt", 5, 12), (0, "/", 110, 120)]);
    let found = audit(&world, &log, &rules());
    assert_eq!((found.requests, found.robots, found.urls, found.bytes), (3, 2, 3, 30));
    assert_eq!((found.most_at_once.all, found.most_at_once.host, found.most_at_once.ip), (2, 1, 1));
    assert_eq!(found.shortest_pause_ms.host, Some(100.0));
    assert_eq!(found.duration_ms, 120);
    assert_eq!(found.hosts.len(), 2);
    assert_eq!((found.hosts[0].robots, found.hosts[0].pages), (1, 1));
    assert!(serde_json::to_string(&found).expect("JSON").contains("\"before_robots\""));
}
