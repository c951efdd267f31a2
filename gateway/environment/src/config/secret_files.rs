//! Secrets that stand in files: `RAZAO_KEY_JWT_FILE` names the file with the value of `RAZAO_KEY_JWT`. Service managers
//! hand secrets over as files, which no list of processes and no crash report shows.

use std::fs::File;
use std::io::Read;

const FILE: &str = "_FILE";

/// An RSA key takes less than 4 KB.
const BYTES_MAX: u64 = 64 * 1024;

/// Whether the variable has a secret. It may be given as a file, and is not shown.
pub(super) fn is_secret(name: &str) -> bool {
    let is_of = |prefix: &str, ends: &[&str]| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| ends.iter().any(|end| rest.ends_with(end)))
    };
    matches!(
        name,
        "DATABASE_URL" | "RAZAO_READ_DATABASE_URL" | "RAZAO_SMTP_URL" | "RAZAO_HEADS_URL"
    ) || is_of("RAZAO_KEY_", &["JWT", "REFRESH", "SALES", "CHECKPOINT"])
        || is_of("RAZAO_PROVIDER_", &["_SECRETS"])
        || is_of("RAZAO_ACQUIRER_", &["_KEY", "_NOTICE_SECRETS"])
}

pub(super) fn variable(name: &str) -> String {
    format!("{name}{FILE}")
}

/// The text of a file, without the space around it. Its errors never repeat a part of it.
pub(super) fn read(path: &str) -> Result<String, String> {
    let unreadable = |error: std::io::Error| format!("names a file that cannot be read: {error}");
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(unreadable)?;
    match text.trim() {
        "" => Err("names an empty file".to_owned()),
        _ if text.len() as u64 > BYTES_MAX => Err("names a file of more than 64 KB".to_owned()),
        text => Ok(text.to_owned()),
    }
}
