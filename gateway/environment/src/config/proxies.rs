//! The proxies whose `X-Forwarded-For` is trusted. There are none by default.

use std::net::IpAddr;
use std::str::FromStr;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<Network>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Network {
    base: IpAddr,
    prefix: u32,
}

impl TrustedProxies {
    /// The client's address. It is the peer's, unless the peer is a trusted proxy. Then it is the first hop that is not
    /// one. Hops after that one can be forged. If there is no such hop, or an unreadable one comes first, it is the
    /// last proxy's address. `hops` are the header's addresses, the last one first.
    pub fn client<'a>(&self, peer: IpAddr, hops: impl IntoIterator<Item = &'a str>) -> IpAddr {
        let mut client = peer;
        for hop in hops {
            if !self.trusts(client) {
                break;
            }
            match hop.trim().parse() {
                Ok(address) => client = address,
                Err(_) => break,
            }
        }
        client
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }
}

impl Network {
    /// A shift by all bits gives `None`, so the prefix 0 contains every address of the base's version.
    fn contains(&self, address: IpAddr) -> bool {
        match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                (base.to_bits() ^ address.to_bits())
                    .checked_shr(32 - self.prefix)
                    .unwrap_or(0)
                    == 0
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                (base.to_bits() ^ address.to_bits())
                    .checked_shr(128 - self.prefix)
                    .unwrap_or(0)
                    == 0
            }
            _ => false,
        }
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(parse_network).collect::<Result<_, _>>().map(Self)
    }
}

fn parse_network(text: &str) -> Result<Network, String> {
    let refused = || "holds something that is not an address or a network such as 10.0.0.0/8".to_owned();
    let (base, prefix) = text
        .split_once('/')
        .map_or((text, None), |(base, prefix)| (base, Some(prefix)));
    let base: IpAddr = base.parse().map_err(|_| refused())?;
    let longest = if base.is_ipv4() { 32 } else { 128 };
    let prefix = prefix.map_or(Ok(longest), str::parse).map_err(|_| refused())?;
    if prefix > longest {
        Err(refused())
    } else {
        Ok(Network { base, prefix })
    }
}
