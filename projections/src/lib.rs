//! Read models: tables computed from the ledger's events, for lists, balances, statements and reports.
//!
//! A follower folds windows of events into rows and moves the checkpoints in the same transaction. This crate decides
//! no business rule, knows no HTTP, and does not write the log.

pub mod awaiting_approval;
pub mod balance;
mod column_values;
pub mod daily_sales;
mod decoded_event;
mod each_shard;
mod error;
pub mod expected_payments;
mod follower;
pub mod freshness;
mod from_log;
pub mod holds;
pub mod memory;
mod page;
mod range;
mod read_model;
mod read_model_groups;
mod rebuild;
pub mod receivables;
pub mod replay;
pub mod repricing;
pub mod sales;
pub mod withdrawals;

pub use each_shard::{Cut, list_of_each_shard, rows_of_each_shard, sums_of_each_shard};
pub use error::Error;
pub use follower::follow_log;
pub use freshness::{Freshness, READ_YOUR_WRITES_MAX, ReadModelCompleteness, ShardLag, Wake, lag, wait_for};
pub use from_log::{sale_from_log, transfer_from_log};
pub use ledger_store::follower::{FollowerOptions, Following};
pub use page::{COUNT_LIMIT, CountLimit, ExportPage, Next, NotACursor, Page, Paging, SortOrder, TOTAL_MAX};
pub use range::TimeRange;
pub use read_model_groups::ReadModelGroup;
pub use rebuild::{RebuildProgress, rebuild};

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// From the bottom to the top. A file imports only from its own module and from modules before it.
    const LAYERS: [&str; 23] = [
        "error",
        "each_shard",
        "page",
        "column_values",
        "range",
        "decoded_event",
        "read_model",
        "awaiting_approval",
        "balance",
        "sales",
        "daily_sales",
        "receivables",
        "withdrawals",
        "holds",
        "expected_payments",
        "repricing",
        "from_log",
        "read_model_groups",
        "follower",
        "freshness",
        "rebuild",
        "replay",
        "memory",
    ];

    #[test]
    fn modules_import_only_from_the_layers_below() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for (layer, module) in LAYERS.into_iter().enumerate() {
            for upper in &LAYERS[layer + 1..] {
                for file in files_of(&source, module) {
                    let text = std::fs::read_to_string(&file).expect("a readable file");
                    let import = format!("crate::{upper}::");
                    assert!(!text.contains(&import), "{} imports {import}", file.display());
                }
            }
        }
    }

    #[test]
    fn each_module_has_a_layer() {
        let declared: Vec<_> = include_str!("lib.rs")
            .lines()
            .filter_map(|line| line.strip_suffix(';')?.split_once("mod "))
            .filter(|(visibility, _)| ["", "pub ", "pub(crate) "].contains(visibility))
            .map(|(_, module)| module)
            .collect();
        assert_eq!(declared.len(), LAYERS.len(), "{declared:?}");
        assert!(
            LAYERS.iter().all(|layer| declared.contains(layer)),
            "{declared:?}"
        );
    }

    fn files_of(source: &Path, module: &str) -> Vec<std::path::PathBuf> {
        let mut files = vec![];
        let mut folders = vec![source.join(module)];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                files.push(folder.with_extension("rs"));
                continue;
            };
            for entry in entries {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files
    }
}
