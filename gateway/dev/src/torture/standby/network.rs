//! The network of the nodes. For root on Linux each node has a network namespace, and its cable can be cut: packets are
//! dropped without a word, as between two zones. For others all nodes are on the loopback interface.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::geteuid;

use crate::embedded::ServerUser;
use crate::installation::BoxError;

pub const NODES: u8 = 3;
/// The host's place in the network of the namespaces.
const HOST: u8 = 254;

#[derive(Debug)]
pub enum Network {
    Namespaces(Namespaces),
    Loopback,
}

/// Dropping it removes the namespaces and the bridge between them.
#[derive(Debug)]
pub struct Namespaces {
    /// Part of all names, so that two runs do not meet.
    run: u32,
}

impl Network {
    /// The loopback interface if the system grants no namespaces.
    pub fn create() -> Self {
        if !geteuid().is_root() {
            return Self::Loopback;
        }
        let namespaces = Namespaces {
            run: std::process::id(),
        };
        match namespaces.create() {
            Ok(()) => Self::Namespaces(namespaces),
            Err(error) => {
                tracing::warn!(%error, "no network namespaces: the leader is frozen instead of cut off");
                Self::Loopback
            }
        }
    }

    pub const fn can_be_cut(&self) -> bool {
        matches!(self, Self::Namespaces(_))
    }

    /// The address of a node (1, 2 or 3).
    pub fn address(&self, node: u8) -> IpAddr {
        match self {
            Self::Namespaces(namespaces) => namespaces.address(node),
            Self::Loopback => Ipv4Addr::new(127, 0, 1, node).into(),
        }
    }

    /// All addresses, as `pg_hba.conf` names them.
    pub fn range(&self) -> String {
        match self {
            Self::Namespaces(namespaces) => format!("{}/24", namespaces.address(0)),
            Self::Loopback => "127.0.0.0/8".to_owned(),
        }
    }

    /// A command that runs on the node as that user.
    pub fn command(&self, node: u8, user: &ServerUser, program: &Path) -> Command {
        match self {
            Self::Namespaces(namespaces) => {
                // Only root enters a namespace, so the user changes within.
                let mut command = Command::new("ip");
                command
                    .env_clear()
                    .envs(std::env::vars_os().filter(|(name, _)| name == "PATH"))
                    .current_dir("/")
                    .stdin(Stdio::null())
                    .args(["netns", "exec", &namespaces.name(node), "setpriv"])
                    .arg(format!("--reuid={}", user.uid()))
                    .arg(format!("--regid={}", user.gid()))
                    .arg("--clear-groups")
                    .arg(program);
                command
            }
            Self::Loopback => user.command(program),
        }
    }

    /// Cuts the node's cable, or mends it.
    pub fn set_connected(&self, node: u8, connected: bool) -> Result<(), BoxError> {
        let Self::Namespaces(namespaces) = self else {
            return Err("the loopback interface cannot be cut".into());
        };
        let state = if connected { "up" } else { "down" };
        ip(&["link", "set", &namespaces.cable(node), state])
    }
}

impl Namespaces {
    fn create(&self) -> Result<(), BoxError> {
        let bridge = self.bridge();
        ip(&["link", "add", &bridge, "address", &mac(HOST), "type", "bridge"])?;
        let host = format!("{}/24", self.address(HOST));
        ip(&["address", "add", &host, "dev", &bridge])?;
        ip(&["link", "set", &bridge, "up"])?;
        for node in 1..=NODES {
            let (name, cable) = (self.name(node), self.cable(node));
            ip(&["netns", "add", &name])?;
            ip(&[
                "link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &name,
            ])?;
            ip(&["link", "set", &cable, "master", &bridge, "up"])?;
            let address = format!("{}/24", self.address(node));
            ip(&["-n", &name, "link", "set", "eth0", "address", &mac(node), "up"])?;
            ip(&["-n", &name, "link", "set", "lo", "up"])?;
            ip(&["-n", &name, "address", "add", &address, "dev", "eth0"])?;
            // A cut node must be silent. Without these entries the kernel would ask for its address in vain, and
            // report an unreachable host.
            self.neighbor(&[], node, &bridge)?;
            for other in (1..=NODES).chain([HOST]).filter(|other| *other != node) {
                self.neighbor(&["-n", &name], other, "eth0")?;
            }
        }
        Ok(())
    }

    fn neighbor(&self, within: &[&str], node: u8, device: &str) -> Result<(), BoxError> {
        let (address, mac) = (self.address(node).to_string(), mac(node));
        let entry = [
            "neighbor",
            "replace",
            &address,
            "lladdr",
            &mac,
            "dev",
            device,
            "nud",
            "permanent",
        ];
        ip(&[within, &entry].concat())
    }

    /// A range for private use (RFC 1918).
    fn address(&self, node: u8) -> IpAddr {
        let third = u8::try_from(self.run % 250).unwrap_or_default();
        Ipv4Addr::new(10, 213, third, node).into()
    }

    fn name(&self, node: u8) -> String {
        format!("razao-{}-{node}", self.run)
    }

    /// The name of a device has 15 characters at most.
    fn bridge(&self) -> String {
        format!("rz{}b", self.run)
    }

    fn cable(&self, node: u8) -> String {
        format!("rz{}n{node}", self.run)
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        // What was not created cannot be deleted.
        for node in 1..=NODES {
            let _ = ip(&["link", "delete", &self.cable(node)]);
            let _ = ip(&["netns", "delete", &self.name(node)]);
        }
        let _ = ip(&["link", "delete", &self.bridge()]);
    }
}

/// A locally administered address.
fn mac(node: u8) -> String {
    format!("02:52:5a:00:00:{node:02x}")
}

fn ip(arguments: &[&str]) -> Result<(), BoxError> {
    let output = Command::new("ip").args(arguments).output()?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(format!("ip {}: {}", arguments.join(" "), reason.trim()).into())
}
