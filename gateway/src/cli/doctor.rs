//! `razao doctor`: reads the environment, and prints the page of `crate::doctor`.

use clap::Args;
use gateway_environment::config::{Config, ConfigFaults, Purpose};

use super::{CliError, Ending, configuration, configuration_for, print_line};
use crate::app::Database;
use crate::doctor::examine;

/// Enough for one page; a database whose connections run out should still answer it.
const CONNECTIONS: usize = 2;

#[derive(Debug, Clone, Copy, Args)]
pub struct DoctorArguments {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
    /// Look at the database alone: the environment is not that of the service, such as the one of the audits
    #[arg(long)]
    database_only: bool,
}

pub async fn doctor(arguments: DoctorArguments) -> Result<Ending, CliError> {
    let (mut config, faults) = read(arguments.database_only)?;
    config.database.connections = CONNECTIONS;
    let database = Database::join(&config.database).await?;
    let report = examine(&config, &database, faults.as_ref()).await;
    database.close().await;
    match arguments.json {
        true => print_line(&report.json().map_err(std::io::Error::from)?),
        false => print_line(report.text().trim_end()),
    }
    Ok(match (report.is_complete(), report.is_good()) {
        (false, _) => Ending::NotSeen,
        (true, false) => Ending::Wrong,
        (true, true) => Ending::Done,
    })
}

/// The configuration, and the faults of the service's. If only the service could not start with it, the database can still
/// be looked at.
fn read(database_only: bool) -> Result<(Config, Option<ConfigFaults>), ConfigFaults> {
    if database_only {
        return Ok((configuration_for(Purpose::Database)?, None));
    }
    match configuration() {
        Ok(config) => Ok((config, Some(ConfigFaults(vec![])))),
        Err(faults) => match configuration_for(Purpose::Database) {
            Ok(config) => Ok((config, Some(faults))),
            Err(_) => Err(faults),
        },
    }
}
