//! What is in force, for `razao config check` and for a reload: each variable that was read, with its source.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use super::secret_files::is_secret;

/// By the name of the variable.
#[derive(Clone, Default)]
pub struct Settings(pub(super) BTreeMap<String, Setting>);

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub text: Option<String>,
    pub source: Source,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Source {
    Environment,
    /// The path of the file.
    File(String),
    /// What stands for it, if the default does not depend on others.
    Default(Option<String>),
}

impl Setting {
    pub const fn new(text: Option<String>, source: Source) -> Self {
        Self { text, source }
    }
}

impl Settings {
    /// The files with secrets, by their variables.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, setting)| match &setting.source {
            Source::File(path) => Some((name.as_str(), path.as_str())),
            Source::Environment | Source::Default(_) => None,
        })
    }

    /// The variables that have another value now.
    pub(super) fn changed<'a>(&'a self, fresh: &'a Self) -> impl Iterator<Item = &'a str> {
        let names = self
            .0
            .keys()
            .chain(fresh.0.keys().filter(|name| !self.0.contains_key(*name)));
        let text = |settings: &'a Self, name: &String| {
            settings.0.get(name).and_then(|setting| setting.text.as_ref())
        };
        names
            .filter(move |name| text(self, name) != text(fresh, name))
            .map(String::as_str)
    }
}

/// Secrets have no text in a log.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A line for each variable. Of a secret it has a mark by which two processes can be compared, if guesses of the secret
/// cannot be tried on the mark.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, Setting { text, source }) in &self.0 {
            match (text, source) {
                (None, Source::Default(Some(default))) => writeln!(f, "{name} = {default} (default)")?,
                (None, _) => writeln!(f, "{name} is not set")?,
                (Some(text), Source::File(path)) => {
                    writeln!(f, "{name} = {} (from {path})", shown(name, text))?
                }
                (Some(text), _) => writeln!(f, "{name} = {}", shown(name, text))?,
            }
        }
        Ok(())
    }
}

fn shown(name: &str, text: &str) -> String {
    if !is_secret(name) {
        return text.to_owned();
    }
    if name.ends_with("_URL") {
        return without_password(text);
    }
    if name.starts_with("RAZAO_KEY_") {
        // 256 bits, or the 122 of a UUID: nobody guesses them.
        return format!("(secret, mark {})", hex::encode(&Sha256::digest(text)[..4]));
    }
    "(secret)".to_owned()
}

/// The address with `***` in the place of its password and its parameters. The form `host=… password=…` is not shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return "(secret)".to_owned();
    };
    // A password may contain signs that nobody encoded.
    let (user, place) = match rest.rsplit_once('@') {
        Some((user, place)) => (user.split(':').next(), place),
        None => (None, rest),
    };
    let user = user.map(|user| format!("{user}:***@")).unwrap_or_default();
    let place = match place.split_once('?') {
        Some((place, _)) => format!("{place}?***"),
        None => place.to_owned(),
    };
    format!("{scheme}://{user}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, expected) in [
            (
                "postgres://razao:p@ss/w@db-1,db-2/razao",
                "postgres://razao:***@db-1,db-2/razao",
            ),
            ("postgres://db/razao", "postgres://db/razao"),
            ("postgres://db/razao?user=a&password=b", "postgres://db/razao?***"),
            ("postgres://a:b?c@db/razao", "postgres://a:***@db/razao"),
            (
                "postgres://a:b@db/razao?sslrootcert=/etc/a@b",
                "postgres://a:***@b",
            ),
            (
                "smtps://ana:s3cret@mail.example:465",
                "smtps://ana:***@mail.example:465",
            ),
            ("host=db password=s3cret", "(secret)"),
        ] {
            assert_eq!(without_password(url), expected, "{url}");
        }
    }
}
