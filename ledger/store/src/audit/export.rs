//! Tree heads as a file, to be kept where the database's writers cannot change it.

use ledger_domain::calendar::Instant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::tree_head::TreeHead;
use crate::position::Shard;

#[derive(Debug, Error)]
pub enum ExportError {
    #[error("not a list of tree heads: {0}")]
    Json(#[from] serde_json::Error),
    #[error("entry {0} has an invalid shard, or a value that is not hexadecimal or has the wrong length")]
    Value(usize),
}

/// Byte values are hexadecimal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportedHead {
    shard: u8,
    number: i64,
    layout: i16,
    position: i64,
    businesses: i64,
    root: String,
    previous: String,
    made_at: Instant,
    key_id: String,
    signature: String,
}

/// A JSON array with one head in each line.
pub fn write(heads: &[TreeHead]) -> String {
    let lines: Vec<String> = heads
        .iter()
        .map(|head| {
            let exported = ExportedHead {
                shard: head.shard.number(),
                number: head.number,
                layout: head.layout,
                position: head.position,
                businesses: head.businesses,
                root: hex::encode(head.root),
                previous: hex::encode(head.previous),
                made_at: head.made_at,
                key_id: hex::encode(head.key_id),
                signature: hex::encode(head.signature),
            };
            serde_json::to_string(&exported).expect("numbers and texts serialize")
        })
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

pub fn read(text: &str) -> Result<Vec<TreeHead>, ExportError> {
    let exported: Vec<ExportedHead> = serde_json::from_str(text)?;
    let heads = exported.iter().zip(1..);
    heads
        .map(|(head, place)| tree_head(head).ok_or(ExportError::Value(place)))
        .collect()
}

fn tree_head(exported: &ExportedHead) -> Option<TreeHead> {
    Some(TreeHead {
        shard: Shard::new(exported.shard)?,
        number: exported.number,
        layout: exported.layout,
        position: exported.position,
        businesses: exported.businesses,
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
    use super::*;

    fn head() -> TreeHead {
        TreeHead {
            shard: Shard::new(3).expect("a shard"),
            number: 7,
            layout: 2,
            position: 41,
            businesses: 2,
            root: [1; 32],
            previous: [2; 32],
            made_at: Instant::from_timestamp_micros(1_795_262_400_000_001).expect("an instant"),
            key_id: [3; 8],
            signature: [4; 64],
        }
    }

    #[test]
    fn written_heads_can_be_read() {
        let heads = [head(), TreeHead { number: 8, ..head() }];
        assert_eq!(read(&write(&heads)).expect("heads"), heads);
        assert_eq!(read(&write(&[])).expect("no heads"), []);
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
            let text = write(&[before.clone(), head()]).replace(from, to);
            assert!(matches!(read(&text), Err(ExportError::Value(2))), "{text}");
        }
    }
}
