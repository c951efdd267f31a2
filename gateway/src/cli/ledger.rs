//! Migration, manual settlement and rebuild of read models. `settle` needs the shards, so it is for times when no other
//! process writes.

use std::sync::atomic::{AtomicU8, Ordering};

use gateway_environment::config::Config;
use projections::ReadModelGroup;

use super::{CliError, Ending, print_line};
use crate::app::{App, Database, Parts};

pub async fn migrate(config: Config) -> Result<Ending, CliError> {
    let database = Database::join(&config.database).await?;
    let applied = database.migrate().await;
    database.close().await;
    match applied?.as_slice() {
        [] => print_line("The schema is up to date."),
        names => names
            .iter()
            .for_each(|name| print_line(&format!("applied {name}"))),
    }
    Ok(Ending::Done)
}

pub async fn settle(config: Config) -> Result<Ending, CliError> {
    let app = App::start(config, Parts::LEDGER).await?;
    let charged = app.rentals().run().await;
    let settlement = app.settlement();
    let settled = settlement
        .run(|so_far| tracing::info!(installments = so_far.installments, "settling"))
        .await;
    app.stop().await;
    let (charged, settled) = (charged?, settled?);
    print_line(&format!("{} terminal rentals charged", charged.rentals));
    print_line(&format!(
        "{} installments settled by {} commands",
        settled.installments, settled.commands
    ));
    let failed = charged.failed + settled.failed;
    if failed > 0 {
        print_line(&format!(
            "{failed} commands could not be recorded; the log has the details"
        ));
        return Ok(Ending::Findings);
    }
    Ok(Ending::Done)
}

pub async fn rebuild(config: Config, models: Vec<ReadModelGroup>) -> Result<Ending, CliError> {
    let models = if models.is_empty() {
        ReadModelGroup::ALL.to_vec()
    } else {
        models
    };
    let database = Database::join(&config.database).await?;
    // One line per shard is enough progress and keeps the log readable.
    let last = AtomicU8::new(u8::MAX);
    let rebuilt = projections::rebuild(database.pool(), &models, |at| {
        if last.swap(at.shard, Ordering::Relaxed) != at.shard {
            tracing::info!(shard = at.shard, events = at.log_end, "rebuilding");
        }
    })
    .await;
    database.close().await;
    rebuilt?;
    let names: Vec<&str> = models.iter().map(|model| model.as_str()).collect();
    print_line(&format!("rebuilt {}", names.join(", ")));
    Ok(Ending::Done)
}
