//! From the name of a host to addresses that may be connected to.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use super::config::FetchConfig;
use super::failure::Failure;
use super::guard;
use super::hosts::Hosts;
use crate::address::Address;

/// The addresses of a host, to come.
pub type Resolved<'a> = Pin<Box<dyn Future<Output = Result<Vec<SocketAddr>, Failure>> + Send + 'a>>;

/// Records of name servers, to come.
pub type Zone<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// Who knows the addresses of hosts.
pub trait Resolve: Send + Sync {
    /// The addresses of a host, with the port to connect to: the one given, unless it is known better.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a>;

    /// What name servers said about a host that was resolved a moment ago, a record a line as zone files have them; none if nobody was asked.
    fn zone<'a>(&'a self, _host: &'a str) -> Zone<'a> {
        Box::pin(std::future::ready(None))
    }
}

/// A table first, and another for the hosts that it does not have.
impl<R: Resolve> Resolve for (Hosts, R) {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        match self.0.get(host, port) {
            Some(answer) => Box::pin(std::future::ready(Ok(answer))),
            None => self.1.resolve(host, port),
        }
    }

    fn zone<'a>(&'a self, host: &'a str) -> Zone<'a> {
        match self.0.get(host, 0) {
            Some(_) => Box::pin(std::future::ready(None)),
            None => self.1.zone(host),
        }
    }
}

/// The addresses at which to ask for this one, IPv4 first, each once; without those that the [`guard`] refuses.
///
/// They are meant to be tried one after the other: to race them would knock at several servers for one page.
pub async fn candidates(
    address: &Address,
    resolver: &dyn Resolve,
    allow_private: bool,
) -> Result<Vec<SocketAddr>, Failure> {
    candidates_that(address, resolver, |ip| allow_private || guard::is_public(ip)).await
}

/// The same, without those that are not connected to.
pub async fn candidates_for(
    address: &Address,
    resolver: &dyn Resolve,
    config: &FetchConfig,
) -> Result<Vec<SocketAddr>, Failure> {
    candidates_that(address, resolver, |ip| config.may_connect(address.host(), ip)).await
}

async fn candidates_that(
    address: &Address,
    resolver: &dyn Resolve,
    may_connect: impl Fn(IpAddr) -> bool,
) -> Result<Vec<SocketAddr>, Failure> {
    let found = match address.ip() {
        Some(ip) => vec![SocketAddr::new(ip, address.port())],
        None => resolver.resolve(address.host(), address.port()).await?,
    };
    let mut kept: Vec<SocketAddr> = Vec::with_capacity(found.len());
    for to in &found {
        if may_connect(to.ip()) && !kept.contains(to) {
            kept.push(*to);
        }
    }
    kept.sort_by_key(SocketAddr::is_ipv6);
    match (found.is_empty(), kept.is_empty()) {
        (true, _) => Err(Failure::NoSuchHost),
        (_, true) => Err(Failure::AddressRefused),
        _ => Ok(kept),
    }
}
