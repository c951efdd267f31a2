//! The real sandbox next to a test's gateway, over HTTP in both directions. It outlives the gateway, as banks and
//! acquirers do.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use gateway_dev::sandbox::{BankOptions, ChargeOptions, ReceivingGateway, Sandbox, SandboxOptions};
use gateway_environment::clock::BusinessClock;
use gateway_environment::config::ProviderSecrets;
use ledger_domain::sale::Provider;

use super::acquirer::SECRET;
use super::app::clock_start;

/// The sandbox's clock starts as if the test had run for an hour. An hour of the machine's time is a minute of the
/// tests' clock.
const AHEAD: Duration = Duration::from_secs(3_600);

pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("its address")
}

/// A listener for `sandbox_on`, whose address nothing else can get.
pub fn held_address() -> TcpListener {
    TcpListener::bind(("127.0.0.1", 0)).expect("a free port")
}

/// A sandbox that takes a tenth of a second to decide and sends its notices to that gateway.
pub async fn sandbox(gateway: SocketAddr) -> Sandbox {
    sandbox_at("127.0.0.1:0".parse().expect("an address"), gateway).await
}

pub async fn sandbox_at(addr: SocketAddr, gateway: SocketAddr) -> Sandbox {
    sandbox_on(TcpListener::bind(addr).expect("the sandbox's address"), gateway)
}

pub fn sandbox_on(listener: TcpListener, gateway: SocketAddr) -> Sandbox {
    let mut secrets = ProviderSecrets::default();
    secrets.set(Provider::Zoop, SECRET).expect("a secret");
    let options = SandboxOptions {
        addr: listener.local_addr().expect("its address"),
        gateway: ReceivingGateway {
            url: format!("http://{gateway}"),
            secrets,
        },
        targets: vec![],
        rate: 0,
        // A little ahead of the gateway's clock, so that its notices are later than the requests.
        clock: BusinessClock::new(Some(clock_start(AHEAD))),
        bank: BankOptions {
            delay: Duration::from_millis(100),
            payments_file: None,
        },
        charges: ChargeOptions {
            delay: Duration::from_millis(100),
            ..ChargeOptions::default()
        },
    };
    Sandbox::start_on(listener, options, &ledger_store::Supervisor::default()).expect("the sandbox")
}
