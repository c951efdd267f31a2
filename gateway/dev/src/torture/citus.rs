//! The product on a Citus cluster that others run: the tables of the shards on its nodes, load on three processes that
//! come and go, and the audits.

use std::path::Path;
use std::time::Instant;

use ledger_domain::BusinessId;
use ledger_store::{Layout, Shard};
use tokio_postgres::Client;

use super::{PeersReport, TortureOptions, ledger, peers};
use crate::installation::{BoxError, Installation, connect};

/// What an operator runs once on the coordinator.
const PREPARE: &str = include_str!("../../../../docs/operations/citus/prepare.sql");

/// `url` is a database of the coordinator, in which the extension knows its workers: an empty one, or one of an earlier
/// run.
pub async fn run(
    url: &str,
    options: &TortureOptions,
    mut progress: impl FnMut(String),
) -> Result<PeersReport, BoxError> {
    let mut client = connect(url).await?;
    let nodes = nodes(&client).await?;
    progress(format!("{nodes} nodes"));
    let folder = options.folder.join("citus");
    let installation = match companies(&client).await? {
        None => Installation::at(url.to_owned(), &folder, Layout::Schemas).await?,
        Some(companies) => Installation::found(url.to_owned(), &folder, companies)?,
    };
    distribute(&mut client, &mut progress).await?;
    drop(client);
    let report = peers::run_at(&installation, url, options, &mut progress).await?;
    timed_audit(&installation, &options.program, &mut progress).await?;
    Ok(report)
}

/// Those of an earlier run that was interrupted before its load; `None` if there are none.
async fn companies(client: &Client) -> Result<Option<Vec<BusinessId>>, BoxError> {
    let known = "SELECT to_regclass('public.business') IS NOT NULL";
    if !client.query_one(known, &[]).await?.get::<_, bool>(0) {
        return Ok(None);
    }
    let companies = client.query(
        "SELECT id FROM business WHERE name LIKE 'Empresa %' ORDER BY id",
        &[],
    );
    let companies = companies.await?;
    let companies: Vec<_> = companies
        .iter()
        .map(|row| BusinessId::from_uuid(row.get(0)))
        .collect();
    Ok((!companies.is_empty()).then_some(companies))
}

async fn nodes(client: &Client) -> Result<i64, BoxError> {
    let sql = "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards";
    match client.query_one(sql, &[]).await?.get(0) {
        0 => Err("the extension citus knows no node: see docs/operations/citus.md".into()),
        nodes => Ok(nodes),
    }
}

/// Each schema goes to a node as a whole. A schema that is on one already stays there.
async fn distribute(client: &mut Client, progress: &mut impl FnMut(String)) -> Result<(), BoxError> {
    client.batch_execute(PREPARE).await?;
    for shard in Shard::all() {
        let begun = Instant::now();
        client
            .batch_execute(&format!(
                "SELECT citus_schema_distribute('s{shard}')
                  WHERE NOT EXISTS (SELECT 1 FROM pg_dist_schema WHERE schemaid = 's{shard}'::regnamespace)"
            ))
            .await?;
        progress(format!(
            "schema s{shard} distributed in {} ms",
            begun.elapsed().as_millis()
        ));
    }
    Ok(())
}

async fn timed_audit(
    installation: &Installation,
    program: &Path,
    progress: &mut impl FnMut(String),
) -> Result<(), BoxError> {
    let begun = Instant::now();
    ledger::audit(installation, program).await?;
    progress(format!("audits in {} ms", begun.elapsed().as_millis()));
    Ok(())
}
