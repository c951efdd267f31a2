//! Verifies the chains: proofs, links, positions and signed heads, and the present rows.
//!
//! Changes are read in pages, so that no snapshot is held. Changes that are sealed during the verification may be left
//! to the next one.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::{Object, Pool};
use ed25519_dalek::VerifyingKey;
use gateway_environment::config::ChangeKey;
use ledger_store::audit::row_head::{self, ChainState, RowHead};
use ledger_store::verify::last;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::change::{COLUMNS, Change};
use super::expressions::ChainedTable;
use super::finding::{RowDifference, RowFinding};
use super::{compare, derived, heads};
use crate::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub changes: u64,
    pub chains: u64,
    pub heads: u64,
    pub findings: u64,
}

/// Changes in a page.
const PAGE: i64 = 5_000;
/// The name of the signed heads in findings.
const HEADS: &str = "row_chain_head";
const CHANGES: &str = "row_change";

/// `change_keys`: those with which changes may be proven; without one, proofs are not checked. `keys`: the public keys
/// that may have signed heads. `exported`: external copies of heads.
pub async fn run(
    pool: &Pool,
    change_keys: &[ChangeKey],
    keys: &[VerifyingKey],
    exported: &[RowHead],
    report: &mut (dyn FnMut(RowFinding) + Send),
) -> Result<Summary> {
    let mut findings = 0;
    let mut client = pool.get().await?;
    let mut counted = |finding| {
        findings += 1;
        report(finding);
    };
    let mut verification = Verification {
        change_keys,
        report: &mut counted,
        changes: 0,
        chains: BTreeMap::new(),
        tables: BTreeSet::new(),
        unproven: vec![],
    };
    // Read first: a head that is signed after the last change was read would seem to be ahead of it.
    let stored = heads::all(&**client).await?;
    verification.head_links(&stored, keys);
    let copies = verification.exported_heads(&stored, exported, keys);
    let mut due: Vec<&RowHead> = stored.iter().chain(copies).collect();
    due.sort_by_key(|head| head.position);
    verification.sealed(&client, &due).await?;
    verification.unsealed(&client).await?;
    verification.report_unproven();
    let tables = ChainedTable::all(&**client).await?;
    for table in &tables {
        verification.tables.remove(&table.name);
        compare::rows(&mut client, table, verification.report).await?;
    }
    derived::uses_of_links(&client, verification.report).await?;
    derived::content_of_files(&client, verification.report).await?;
    for table in &verification.tables {
        (verification.report)(RowFinding::new(Uuid::nil(), table, "", RowDifference::NotChained));
    }
    let (changes, chains) = (verification.changes, verification.chains.len() as u64);
    last::record(&**client, last::Part::Rows, findings).await;
    Ok(Summary {
        changes,
        chains,
        heads: stored.len() as u64,
        findings,
    })
}

struct Verification<'a> {
    change_keys: &'a [ChangeKey],
    report: &'a mut (dyn FnMut(RowFinding) + Send),
    changes: u64,
    /// Each chain as of the changes that were read.
    chains: BTreeMap<Uuid, (i64, [u8; 32])>,
    /// The tables with changes.
    tables: BTreeSet<String>,
    /// Changes without a valid proof that no operator accepted.
    unproven: Vec<Change>,
}

impl Verification<'_> {
    fn found(&mut self, chain: Uuid, table: &str, key: &str, what: RowDifference) {
        (self.report)(RowFinding::new(chain, table, key, what));
    }

    fn head_links(&mut self, stored: &[RowHead], keys: &[VerifyingKey]) {
        let (mut previous, mut expected) = ([0; 32], 1);
        for head in stored {
            if head.number != expected {
                self.found_head(head, RowDifference::HeadGap { expected });
            }
            if let Err(reason) = head.verify(keys) {
                self.found_head(head, RowDifference::HeadInvalid(reason));
            }
            if head.previous != previous {
                self.found_head(head, RowDifference::HeadLink);
            }
            (previous, expected) = (head.hash(), head.number + 1);
        }
    }

    fn found_head(&mut self, head: &RowHead, what: RowDifference) {
        self.found(Uuid::nil(), HEADS, &head.number.to_string(), what);
    }

    /// Returns the copies that differ from the database or are missing there. The chains are compared with them too.
    fn exported_heads<'a>(
        &mut self,
        stored: &[RowHead],
        exported: &'a [RowHead],
        keys: &[VerifyingKey],
    ) -> Vec<&'a RowHead> {
        let mut differing = vec![];
        for head in exported {
            if let Err(reason) = head.verify(keys) {
                self.found_head(head, RowDifference::HeadInvalid(reason));
                continue;
            }
            let what = match stored.iter().find(|own| own.number == head.number) {
                Some(own) if own == head => continue,
                Some(_) => RowDifference::ExportedHeadDiffers,
                None => RowDifference::ExportedHeadMissing,
            };
            self.found_head(head, what);
            differing.push(head);
        }
        differing
    }

    async fn sealed(&mut self, client: &Object, due: &[&RowHead]) -> Result<()> {
        // The state of the chains and the last position, as of one snapshot.
        let rows = client
            .query_typed(
                "SELECT last.position, chain, changes, link
                   FROM (SELECT coalesce(max(position), 0) AS position FROM row_change) AS last
                   LEFT JOIN row_chain ON true ORDER BY chain",
                &[],
            )
            .await?;
        let last = rows.first().map_or(0, |row| row.get::<_, i64>(0));
        let sql = format!(
            "SELECT {COLUMNS} FROM row_change WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3"
        );
        let (mut at, mut due) = (0, due.iter().peekable());
        while at < last {
            let page = client
                .query_typed(
                    &sql,
                    &[(&at, Type::INT8), (&last, Type::INT8), (&PAGE, Type::INT8)],
                )
                .await?;
            for change in page.iter().map(Change::read) {
                let position = change.position.unwrap_or(last);
                while let Some(head) = due.next_if(|head| head.position < position) {
                    self.compare_root(head);
                }
                if position != at + 1 {
                    let gap = RowDifference::PositionGap {
                        expected: at + 1,
                        found: position,
                    };
                    self.found(change.chain, CHANGES, &change.id.to_string(), gap);
                }
                at = position;
                self.check_link(&change);
                self.check_proof(change);
            }
            if page.is_empty() {
                break;
            }
        }
        for head in due {
            if head.position > last {
                let position = head.position;
                self.found_head(head, RowDifference::HeadAhead { position, last });
            } else {
                self.compare_root(head);
            }
        }
        self.compare_states(&rows);
        Ok(())
    }

    fn check_link(&mut self, change: &Change) {
        let (count, link) = self.chains.entry(change.chain).or_default();
        *count += 1;
        let expected = change.link_after(link);
        // The chain goes on from the stored link, so that each broken link is reported once.
        *link = change
            .link
            .as_deref()
            .and_then(|link| link.try_into().ok())
            .unwrap_or_default();
        if expected != *link {
            let what = RowDifference::Link { change: change.id };
            self.found(change.chain, &change.table, &change.key, what);
        }
    }

    fn check_proof(&mut self, change: Change) {
        self.changes += 1;
        if !self.tables.contains(&change.table) {
            self.tables.insert(change.table.clone());
        }
        let is_proven =
            self.change_keys.is_empty() || self.change_keys.iter().any(|key| change.is_proven(key));
        if !is_proven {
            self.unproven.push(change);
        } else if change.kind == "accepted" {
            self.unproven
                .retain(|earlier| (&earlier.table, &earlier.key) != (&change.table, &change.key));
        }
    }

    fn report_unproven(&mut self) {
        for change in std::mem::take(&mut self.unproven) {
            let what = RowDifference::Unproven {
                change: change.id,
                kind: change.kind,
            };
            self.found(change.chain, &change.table, &change.key, what);
        }
    }

    async fn unsealed(&mut self, client: &Object) -> Result<()> {
        let sql = format!(
            "SELECT {COLUMNS} FROM row_change WHERE position IS NULL AND id > $1 ORDER BY id LIMIT $2"
        );
        let mut after = i64::MIN;
        loop {
            let page = client
                .query_typed(&sql, &[(&after, Type::INT8), (&PAGE, Type::INT8)])
                .await?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = last.get(0);
            page.iter()
                .map(Change::read)
                .for_each(|change| self.check_proof(change));
        }
    }

    fn compare_root(&mut self, head: &RowHead) {
        let states: Vec<ChainState> = self
            .chains
            .iter()
            .map(|(chain, (changes, link))| (*chain, *changes, *link))
            .collect();
        if row_head::root(&states) != head.root {
            self.found_head(head, RowDifference::HeadRoot);
        }
    }

    fn compare_states(&mut self, rows: &[tokio_postgres::Row]) {
        let mut walked = self.chains.clone();
        for row in rows {
            let Some(chain) = row.get::<_, Option<Uuid>>(1) else {
                continue;
            };
            let (stored, link): (i64, &[u8]) = (row.get(2), row.get(3));
            let (found, expected) = walked.remove(&chain).unwrap_or_default();
            if stored != found || link != expected {
                let key = chain.to_string();
                self.found(
                    chain,
                    "row_chain",
                    &key,
                    RowDifference::ChainState { stored, found },
                );
            }
        }
        for (chain, (found, _)) in walked {
            let key = chain.to_string();
            self.found(
                chain,
                "row_chain",
                &key,
                RowDifference::ChainState { stored: 0, found },
            );
        }
    }
}
