//! What the program was built of. The smallest crate of it knows the commit and has the panels, and passes both down: a
//! commit or a change of a panel compiles nothing else again.

use std::borrow::Cow;

#[derive(Debug, Clone, Copy)]
pub struct Build {
    /// The version, and the commit if it is known: `0.1.0+3f2a9c1b0d4e`.
    pub version: &'static str,
    /// The panels inside of the program.
    pub panels: Option<Panels>,
}

/// Finds a file by its path in the folder of the built panels, such as `assets/index-Ab12.js`.
pub type Panels = fn(&str) -> Option<PanelFile>;

#[derive(Debug, Clone)]
pub struct PanelFile {
    pub content: Cow<'static, [u8]>,
    pub sha256: [u8; 32],
}

impl Build {
    /// Called once, at the start.
    pub fn of(version: &'static str, commit: Option<&'static str>, panels: Option<Panels>) -> Self {
        let version = match commit.filter(|commit| !commit.is_empty()) {
            Some(commit) => Box::leak(format!("{version}+{commit}").into_boxed_str()),
            None => version,
        };
        Self { version, panels }
    }
}

/// Of a test: without a commit, and with the panels of a folder.
impl Default for Build {
    fn default() -> Self {
        Self::of(env!("CARGO_PKG_VERSION"), None, None)
    }
}
