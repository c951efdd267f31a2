//! The real sandbox beside a gateway of the tests, over HTTP both ways: it outlives the gateway, as banks and acquirers do.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use gateway_dev::sandbox::{BankOptions, Gateway, Sandbox, SandboxOptions};
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::ProviderSecrets;
use ledger_domain::sale::Provider;

use super::acquirer::SECRET;
use super::app::clock_start;

/// Of the machine's time; of the clock's a minute.
const AHEAD: Duration = Duration::from_secs(3_600);

pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("its address")
}

/// One that thinks for a tenth of a second and tells that gateway.
pub async fn sandbox(gateway: SocketAddr) -> Sandbox {
    sandbox_at("127.0.0.1:0".parse().expect("an address"), gateway).await
}

pub async fn sandbox_at(addr: SocketAddr, gateway: SocketAddr) -> Sandbox {
    let mut secrets = ProviderSecrets::default();
    secrets.set(Provider::Zoop, SECRET).expect("a secret");
    let options = SandboxOptions {
        addr,
        gateway: Gateway {
            url: format!("http://{gateway}"),
            secrets,
        },
        targets: vec![],
        rate: 0,
        // A little ahead of the gateway: what it tells comes after what it was asked.
        clock: BusinessClock::new(Some(clock_start(AHEAD))),
        bank: BankOptions {
            delay: Duration::from_millis(100),
            book: None,
        },
    };
    Sandbox::start(options, &ledger_store::Supervisor::default())
        .await
        .expect("the sandbox")
}
