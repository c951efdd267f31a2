//! Signed heads as a file, to be kept where the database's writers cannot change it: tree heads and checkpoints of the
//! log, and heads over the chains of rows.

use ledger_domain::calendar::Instant;
use razao_verify::note::Note;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::row_head::RowHead;
use super::tree_head::TreeHead;
use crate::position::Shard;

#[derive(Debug, Error)]
pub enum ExportError {
    #[error("not a list of tree heads: {0}")]
    Json(#[from] serde_json::Error),
    #[error("entry {0} has an invalid shard, or a value that is not hexadecimal or has the wrong length")]
    Value(usize),
}

/// The heads of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heads {
    pub log: Vec<TreeHead>,
    pub rows: Vec<RowHead>,
    pub checkpoints: Vec<Note>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Exported {
    Log(ExportedHead),
    Rows(ExportedRowHead),
    Checkpoint(ExportedCheckpoint),
}

/// A checkpoint with its cosignatures, as a signed note.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportedCheckpoint {
    checkpoint: String,
}

/// Byte values are hexadecimal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportedHead {
    shard: u8,
    number: i64,
    position: i64,
    businesses: i64,
    root: String,
    previous: String,
    made_at: Instant,
    key_id: String,
    signature: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportedRowHead {
    row_head: i64,
    position: i64,
    chains: i64,
    root: String,
    previous: String,
    made_at: Instant,
    key_id: String,
    signature: String,
}

/// A JSON array with one head in each line.
pub fn write(heads: &Heads) -> String {
    let of_log = heads.log.iter().map(exported).map(Exported::Log);
    let of_rows = heads.rows.iter().map(exported_row_head).map(Exported::Rows);
    let checkpoints = heads.checkpoints.iter().map(|note| {
        Exported::Checkpoint(ExportedCheckpoint {
            checkpoint: note.to_string(),
        })
    });
    let lines: Vec<String> = of_log
        .chain(of_rows)
        .chain(checkpoints)
        .map(|head| serde_json::to_string(&head).expect("numbers and texts serialize"))
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn exported(head: &TreeHead) -> ExportedHead {
    ExportedHead {
        shard: head.shard.number(),
        number: head.number,
        position: head.position,
        businesses: head.businesses,
        root: hex::encode(head.root),
        previous: hex::encode(head.previous),
        made_at: head.made_at,
        key_id: hex::encode(head.key_id),
        signature: hex::encode(head.signature),
    }
}

fn exported_row_head(head: &RowHead) -> ExportedRowHead {
    ExportedRowHead {
        row_head: head.number,
        position: head.position,
        chains: head.chains,
        root: hex::encode(head.root),
        previous: hex::encode(head.previous),
        made_at: head.made_at,
        key_id: hex::encode(head.key_id),
        signature: hex::encode(head.signature),
    }
}

pub fn read(text: &str) -> Result<Heads, ExportError> {
    let exported: Vec<Exported> = serde_json::from_str(text)?;
    let mut heads = Heads::default();
    for (head, place) in exported.iter().zip(1..) {
        let invalid = ExportError::Value(place);
        match head {
            Exported::Log(head) => heads.log.push(tree_head(head).ok_or(invalid)?),
            Exported::Rows(head) => heads.rows.push(row_head(head).ok_or(invalid)?),
            Exported::Checkpoint(ExportedCheckpoint { checkpoint }) => {
                heads.checkpoints.push(checkpoint.parse().map_err(|_| invalid)?);
            }
        }
    }
    Ok(heads)
}

fn tree_head(exported: &ExportedHead) -> Option<TreeHead> {
    Some(TreeHead {
        shard: Shard::new(exported.shard)?,
        number: exported.number,
        position: exported.position,
        businesses: exported.businesses,
        root: bytes(&exported.root)?,
        previous: bytes(&exported.previous)?,
        made_at: exported.made_at,
        key_id: bytes(&exported.key_id)?,
        signature: bytes(&exported.signature)?,
    })
}

fn row_head(exported: &ExportedRowHead) -> Option<RowHead> {
    Some(RowHead {
        number: exported.row_head,
        position: exported.position,
        chains: exported.chains,
        root: bytes(&exported.root)?,
        previous: bytes(&exported.previous)?,
        made_at: exported.made_at,
        key_id: bytes(&exported.key_id)?,
        signature: bytes(&exported.signature)?,
    })
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;
    use razao_verify::merkle::Tree;
    use razao_verify::note::Checkpoint;

    use super::*;

    fn head() -> TreeHead {
        TreeHead {
            shard: Shard::new(3).expect("a shard"),
            number: 7,
            position: 41,
            businesses: 2,
            root: [1; 32],
            previous: [2; 32],
            made_at: Instant::from_timestamp_micros(1_795_262_400_000_001).expect("an instant"),
            key_id: [3; 8],
            signature: [4; 64],
        }
    }

    fn row_head() -> RowHead {
        RowHead::sign(None, 5, &[], &[7; 32], head().made_at)
    }

    fn checkpoint() -> Note {
        let tree = Tree {
            size: 41,
            root: [1; 32],
        };
        let checkpoint = Checkpoint {
            origin: "razao.example.com/shard/3".to_owned(),
            events: tree,
            companies: tree,
            made_at: head().made_at,
        };
        checkpoint.sign(&SigningKey::from_bytes(&[7; 32]))
    }

    fn heads(log: Vec<TreeHead>) -> Heads {
        Heads {
            log,
            rows: vec![row_head()],
            checkpoints: vec![checkpoint()],
        }
    }

    #[test]
    fn written_heads_can_be_read() {
        let heads = heads(vec![head(), TreeHead { number: 8, ..head() }]);
        assert_eq!(read(&write(&heads)).expect("heads"), heads);
        assert_eq!(
            read(&write(&Heads::default())).expect("no heads"),
            Heads::default()
        );
    }

    #[test]
    fn a_file_from_before_heads_of_rows_can_be_read() {
        let of_log = Heads {
            log: vec![head()],
            ..Heads::default()
        };
        assert_eq!(read(&write(&of_log)).expect("heads"), of_log);
    }

    #[test]
    fn an_invalid_file_is_refused() {
        assert!(matches!(read("not JSON"), Err(ExportError::Json(_))));
        assert!(matches!(read(r#"[{"shard": 1}]"#), Err(ExportError::Json(_))));
    }

    #[test]
    fn an_invalid_value_is_refused_with_the_number_of_its_entry() {
        let before = TreeHead {
            shard: Shard::new(2).expect("a shard"),
            key_id: [9; 8],
            ..head()
        };
        for (from, to) in [
            ("\"shard\":3", "\"shard\":16"),
            ("\"key_id\":\"0303", "\"key_id\":\"03"),
            ("\"key_id\":\"03", "\"key_id\":\"x3"),
        ] {
            let text = write(&heads(vec![before.clone(), head()])).replace(from, to);
            assert!(matches!(read(&text), Err(ExportError::Value(2))), "{text}");
        }
    }
}
