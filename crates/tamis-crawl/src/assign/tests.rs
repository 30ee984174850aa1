//! One suite for the three.

use super::*;

const UNIVERSE: u32 = 32;

fn agents(kind: AssignKind, numbers: impl IntoIterator<Item = u32>) -> Box<dyn Assign + Send + Sync> {
    let mut assign = kind.build(UNIVERSE);
    for number in numbers {
        assert!(assign.add(AgentId(number)), "{kind} {number}");
    }
    assign
}

fn hosts(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|n| format!("www{}.example{}.org", n % 7, n))
}

fn shares(assign: &dyn Assign, hosts: &[String]) -> Vec<u32> {
    let mut shares = vec![0; UNIVERSE as usize];
    for host in hosts {
        shares[assign.agent(host).expect("there are agents").0 as usize] += 1;
    }
    shares
}

#[test]
fn every_agent_has_its_share() {
    const HOSTS: usize = 100_000;
    let hosts: Vec<String> = hosts(HOSTS).collect();
    for kind in AssignKind::ALL {
        for count in 3..=20 {
            // Not the first numbers only: the permutation must pass over the dead.
            let numbers: Vec<u32> = (0..count).map(|n| n * 3 % UNIVERSE).collect();
            let shares = shares(&*agents(kind, numbers.iter().copied()), &hosts);
            let expected = HOSTS as f64 / f64::from(count);
            let square = |n: &u32| (f64::from(shares[*n as usize]) - expected).powi(2) / expected;
            let chi: f64 = numbers.iter().map(square).sum();
            let freedom = f64::from(count - 1);
            // Four standard deviations of chi-square. The circle's own unevenness grows with the hosts: its
            // shares deviate by 1/sqrt(300), which is HOSTS/300 in chi-square.
            let bound = if kind == AssignKind::Ring {
                HOSTS as f64 / 300.0 * 3.0
            } else {
                freedom + 4.0 * (2.0 * freedom).sqrt()
            };
            assert!(chi < bound, "{kind} with {count} agents: {chi} is not below {bound}: {shares:?}");
        }
    }
}

#[test]
fn a_new_agent_gives_no_old_agent_a_host() {
    for kind in AssignKind::ALL {
        let mut assign = agents(kind, [1, 4, 9, 16]);
        for new in [0, 25, 31, 5] {
            let before: Vec<_> = hosts(5_000).map(|host| assign.agent(&host)).collect();
            assert!(assign.add(AgentId(new)));
            for (host, before) in hosts(5_000).zip(before) {
                let after = assign.agent(&host);
                assert!(after == before || after == Some(AgentId(new)), "{kind} {host} {before:?} {after:?}");
            }
        }
    }
}

#[test]
fn hosts_of_a_lost_agent_go_to_the_next_and_no_other_host_moves() {
    for kind in AssignKind::ALL {
        let mut assign = agents(kind, 0..12);
        for lost in [3, 0, 11, 7] {
            let before: Vec<_> = hosts(5_000).map(|host| (assign.agent(&host), assign.next(&host))).collect();
            assert!(assign.remove(AgentId(lost)));
            for (host, (agent, next)) in hosts(5_000).zip(before) {
                let expected = if agent == Some(AgentId(lost)) { next } else { agent };
                assert_eq!(assign.agent(&host), expected, "{kind} {host}");
            }
        }
    }
}

#[test]
fn a_ranking_has_every_living_agent_once_and_the_responsible_first() {
    for kind in AssignKind::ALL {
        let assign = agents(kind, [2, 30, 5, 6, 17]);
        for host in hosts(500) {
            let mut ranking: Vec<_> = assign.ranking(&host).collect();
            assert_eq!(ranking.first().copied(), assign.agent(&host), "{kind} {host}");
            assert_eq!(ranking.get(1).copied(), assign.next(&host), "{kind} {host}");
            ranking.sort_unstable();
            assert_eq!(ranking, [2, 5, 6, 17, 30].map(AgentId), "{kind} {host}");
        }
    }
}

#[test]
fn the_order_in_which_agents_came_does_not_matter() {
    for kind in AssignKind::ALL {
        let one = agents(kind, [1, 2, 3, 4]);
        let mut other = agents(kind, [9, 4, 2, 3, 1]);
        assert!(other.remove(AgentId(9)));
        for host in hosts(500) {
            assert!(one.ranking(&host).eq(other.ranking(&host)), "{kind} {host}");
        }
    }
}

#[test]
fn without_agents_nobody_is_responsible() {
    for kind in AssignKind::ALL {
        let mut assign = agents(kind, []);
        assert_eq!((assign.agent("a.org"), assign.next("a.org")), (None, None));
        assert!(!assign.remove(AgentId(1)));
        assert!(assign.add(AgentId(1)));
        assert!(!assign.add(AgentId(1)), "{kind}: an agent is there once");
        assert_eq!((assign.agent("a.org"), assign.next("a.org")), (Some(AgentId(1)), None));
        assert!(assign.remove(AgentId(1)));
        assert_eq!(assign.agent("a.org"), None);
    }
    assert_eq!(Permutation::new(0).agent("a.org"), None);
    assert!(!Permutation::new(4).add(AgentId(4)));
}

#[test]
fn answers_never_change() {
    for (kind, host, expected) in [
        (AssignKind::Permutation, "example.org", [2, 5, 21, 0]),
        (AssignKind::Permutation, "", [8, 0, 13, 5]),
        (AssignKind::Permutation, "xn--bcher-kva.de", [3, 0, 21, 1]),
        (AssignKind::MinHash, "example.org", [1, 5, 21, 8]),
        (AssignKind::MinHash, "", [1, 8, 5, 13]),
        (AssignKind::MinHash, "xn--bcher-kva.de", [21, 3, 5, 1]),
        (AssignKind::Ring, "example.org", [5, 0, 1, 3]),
        (AssignKind::Ring, "", [1, 2, 8, 0]),
        (AssignKind::Ring, "xn--bcher-kva.de", [1, 3, 8, 21]),
    ] {
        let assign = agents(kind, [0, 1, 2, 3, 5, 8, 13, 21]);
        let ranking: Vec<u32> = assign.ranking(host).take(4).map(|agent| agent.0).collect();
        assert_eq!(ranking, expected, "{kind} {host:?}");
    }
}

#[test]
fn names_are_those_of_the_command_line() {
    for kind in AssignKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let error = "modulo".parse::<AssignKind>().expect_err("no such way");
    assert_eq!(error.to_string(), r#"unknown host assignment "modulo"; use permutation, minhash or ring"#);
}
