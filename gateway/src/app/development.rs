//! The parts that only development builds have: the sandbox and the demo.

use std::net::SocketAddr;
use std::sync::Arc;

use gateway_dev::demo::{Loader, Story};
use gateway_dev::sandbox::{
    BankOptions, ChargeBook, ChargeOptions, ReceivingGateway, Sandbox, SandboxOptions,
};
use gateway_environment::config::AcquirerConfig;
use gateway_platform::acquirers::NoticeAddresses;

use super::{App, AppError};

const CHARGES_FILE: &str = "sandbox-charges.jsonl";

impl App {
    pub(super) async fn start_sandbox(&self) -> Result<Sandbox, AppError> {
        let config = &self.state.config;
        let gateway = self.address().unwrap_or(config.server.addr);
        // The sandbox stores its payouts and charges for as long as the embedded database exists.
        let data_folder = self.database.data_folder();
        let payments_file = data_folder.map(|folder| folder.join("sandbox-bank.jsonl"));
        let charges_file = data_folder.map(|folder| folder.join(CHARGES_FILE));
        let url = format!("http://{gateway}");
        let notices = NoticeAddresses::of(&config.acquirers, Some(&url));
        let notice_url = |acquirer: &AcquirerConfig| {
            let provider = acquirer.provider;
            Some((provider, notices.as_ref()?.url(provider)?.0))
        };
        let options = SandboxOptions {
            addr: config.sandbox.addr,
            gateway: ReceivingGateway {
                url,
                secrets: config.providers.get().as_ref().clone(),
            },
            targets: Story::read().targets(),
            rate: config.sandbox.rate,
            clock: self.state.clock,
            bank: BankOptions {
                delay: config.sandbox.bank_delay,
                payments_file,
            },
            charges: ChargeOptions {
                file: charges_file,
                delay: config.sandbox.bank_delay,
                notice_urls: config
                    .acquirers
                    .configured
                    .iter()
                    .filter_map(notice_url)
                    .collect(),
                ..ChargeOptions::default()
            },
        };
        let addr = options.addr;
        Sandbox::start(options, &self.state.supervisor)
            .await
            .map_err(|source| AppError::Listen { addr, source })
    }

    pub fn sandbox_address(&self) -> Option<SocketAddr> {
        self.sandbox.as_ref().map(|sandbox| sandbox.addr)
    }

    fn charge_book(&self) -> ChargeBook {
        let file = || {
            self.database
                .data_folder()
                .map(|folder| folder.join(CHARGES_FILE))
        };
        match &self.sandbox {
            Some(sandbox) => sandbox.charge_book(),
            None => file().map_or(ChargeBook::Nowhere, ChargeBook::File),
        }
    }

    /// The loader of the demo data.
    pub fn demo(&self) -> Loader {
        let state = &self.state;
        Loader {
            pool: state.pool.clone(),
            notices: Arc::clone(&state.notices),
            settlement: self.settlement(),
            rentals: self.rentals(),
            orders: Arc::clone(&state.orders),
            reconciliation: self.reconciliation(),
            charges: self.charge_book(),
            clock: state.clock,
        }
    }
}
