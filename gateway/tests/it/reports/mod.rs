//! Reports over HTTP: figures by period, company and terminal, and who may see them.

mod agreement;
mod calls;
mod closing;
mod company_fees;
mod emails;
mod files;
mod history;
mod views;

use serde_json::Value;

use crate::support::Client;

/// The body of a successful answer.
async fn get(client: &Client, path: &str) -> Value {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.body
}
