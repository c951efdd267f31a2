//! The published files: this crate and the implementation in Python say of each what the index says. The one in
//! TypeScript has a test of its own, which reads the same index.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use ed25519_dalek::VerifyingKey;
use razao_verify::check;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Vector {
    file: String,
    valid: bool,
    reason: String,
    keys: Vec<String>,
    witnesses: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/proofs")
}

fn vectors() -> Vec<Vector> {
    let text = fs::read_to_string(folder().join("index.json")).expect("the index");
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("its form");
    assert!(vectors.iter().filter(|vector| vector.valid).count() >= 6);
    assert!(vectors.iter().filter(|vector| !vector.valid).count() >= 20);
    vectors
}

fn key(text: &String) -> VerifyingKey {
    let bytes = hex::decode(text).expect("hexadecimal");
    VerifyingKey::from_bytes(&bytes.try_into().expect("32 bytes")).expect("a key")
}

#[test]
fn every_published_file_is_judged_as_the_index_says() {
    for vector in vectors() {
        let text = fs::read_to_string(folder().join(&vector.file)).expect("a file");
        let keys: Vec<_> = vector.keys.iter().map(key).collect();
        let witnesses: Vec<_> = vector
            .witnesses
            .iter()
            .map(|text| text.parse().expect("a witness"))
            .collect();
        let checked = check(&text, &keys, &witnesses);
        assert_eq!(
            checked.is_ok(),
            vector.valid,
            "{} ({}): {checked:?}",
            vector.file,
            vector.reason
        );
        let cosigned = checked.is_ok_and(|checked| !checked.cosignatures.is_empty());
        assert_eq!(cosigned, vector.file == "sale-cosigned.json", "{}", vector.file);
    }
}

/// A second implementation, which shares nothing with this one.
#[test]
fn the_implementation_in_python_agrees() {
    for vector in vectors() {
        let mut python = Command::new("python3");
        python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify.py"));
        vector.keys.iter().for_each(|key| {
            python.args(["--key", key]);
        });
        vector.witnesses.iter().for_each(|witness| {
            python.args(["--witness", witness]);
        });
        let ended = match python.arg(folder().join(&vector.file)).output() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                eprintln!(
                    "NOT TESTED: python3 is missing, so nothing was compared with the second implementation"
                );
                return;
            }
            ended => ended.expect("python3 runs"),
        };
        let output = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(
            ended.status.code(),
            Some(i32::from(!vector.valid)),
            "{} ({}): {output}{}",
            vector.file,
            vector.reason,
            String::from_utf8_lossy(&ended.stderr)
        );
    }
}
