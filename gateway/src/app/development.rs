//! The parts that only development builds have: the sandbox and the demo.

use std::net::SocketAddr;
use std::path::PathBuf;
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
        let addr = config.sandbox.addr;
        let listen = |source| AppError::Listen { addr, source };
        let payments_file = self.sandbox_file("sandbox-bank.jsonl").map_err(listen)?;
        let charges_file = self.sandbox_file(CHARGES_FILE).map_err(listen)?;
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
        Sandbox::start(options, &self.state.supervisor)
            .await
            .map_err(listen)
    }

    /// The sandbox stores its payouts and charges for as long as the database exists.
    fn sandbox_file(&self, name: &str) -> std::io::Result<Option<PathBuf>> {
        let Some(folder) = self.database.data_folder() else {
            return Ok(None);
        };
        std::fs::create_dir_all(folder)?;
        Ok(Some(folder.join(name)))
    }

    pub fn sandbox_address(&self) -> Option<SocketAddr> {
        self.sandbox.as_ref().map(|sandbox| sandbox.addr)
    }

    fn charge_book(&self) -> ChargeBook {
        match (&self.sandbox, self.sandbox_file(CHARGES_FILE)) {
            (Some(sandbox), _) => sandbox.charge_book(),
            (None, Ok(Some(file))) => ChargeBook::File(file),
            (None, _) => ChargeBook::Nowhere,
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
