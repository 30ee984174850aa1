//! Hosts and networks that may be connected to although their addresses are not public.

use std::net::IpAddr;
use std::str::FromStr;

use crate::address::Address;

/// A host by its name, or addresses by their network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivateHost {
    /// A host, whatever its address.
    Name(String),
    /// An address, or all that begin with the same bits.
    Network {
        /// The first address.
        ip: IpAddr,
        /// How many bits count.
        bits: u8,
    },
}

/// What is neither.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a host, an IP address or a network such as 10.1.0.0/16")]
pub struct NoPrivateHost(String);

impl PrivateHost {
    /// Whether a host at an address is meant.
    pub(super) fn fits(&self, host: &str, to: IpAddr) -> bool {
        match self {
            Self::Name(name) => host.trim_end_matches('.') == name,
            Self::Network { ip, bits } => {
                shared_bits(*ip, to).is_some_and(|shared| shared >= u32::from(*bits))
            }
        }
    }
}

/// How many leading bits two addresses of one kind have in common.
fn shared_bits(a: IpAddr, b: IpAddr) -> Option<u32> {
    match (a, b.to_canonical()) {
        (IpAddr::V4(a), IpAddr::V4(b)) => Some((u32::from(a) ^ u32::from(b)).leading_zeros()),
        (IpAddr::V6(a), IpAddr::V6(b)) => Some((u128::from(a) ^ u128::from(b)).leading_zeros()),
        _ => None,
    }
}

impl FromStr for PrivateHost {
    type Err = NoPrivateHost;

    fn from_str(text: &str) -> Result<Self, NoPrivateHost> {
        let wrong = || NoPrivateHost(text.to_owned());
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        if let Ok(ip) = address.trim_matches(['[', ']']).parse::<IpAddr>() {
            let most = if ip.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| wrong()))?;
            return if bits <= most { Ok(Self::Network { ip, bits }) } else { Err(wrong()) };
        }
        let address = Address::parse(&format!("http://{text}/")).ok_or_else(wrong)?;
        let is_host =
            bits.is_none() && !text.contains(['@', '?', '#']) && address.authority() == address.host();
        if is_host { Ok(Self::Name(address.host().trim_end_matches('.').to_owned())) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_networks_are_told_apart() {
        for (text, host, ip, expected) in [
            ("wiki.intern", "wiki.intern", "10.0.0.1", true),
            ("Wiki.Intern", "wiki.intern.", "10.0.0.1", true),
            ("wiki.intern", "x.wiki.intern", "10.0.0.1", false),
            ("10.0.0.1", "a", "10.0.0.1", true),
            ("10.0.0.1", "a", "10.0.0.2", false),
            ("10.1.0.0/16", "a", "10.1.255.3", true),
            ("10.1.0.0/16", "a", "::ffff:10.1.255.3", true),
            ("10.1.0.0/16", "a", "10.2.0.0", false),
            ("[fd00::]/8", "a", "fd12::1", true),
            ("fd00::/8", "a", "fd12::1", true),
            ("fd00::/8", "a", "10.0.0.1", false),
            ("0.0.0.0/0", "a", "127.0.0.1", true),
        ] {
            let found =
                text.parse::<PrivateHost>().is_ok_and(|host_| host_.fits(host, ip.parse().expect(ip)));
            assert_eq!(found, expected, "{text} {host} {ip}");
        }
        for bad in ["", "10.0.0.0/33", "10.0.0.0/x", "a.example/8", "http://a.example", "a.example:81", "a b"]
        {
            assert!(bad.parse::<PrivateHost>().is_err(), "{bad}");
        }
    }
}
