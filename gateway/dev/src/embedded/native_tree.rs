//! The PostgreSQL tree of the npm package. A package contains no symbolic links, so this module creates them from the
//! package's list. It also copies the tree for a server's user who cannot reach the checkout.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::cluster_paths;
use super::error::EmbeddedError;

/// An entry of the package's list. `target` is the path of the link itself, `source` the file that it points to.
#[derive(Deserialize)]
struct Link {
    source: PathBuf,
    target: PathBuf,
}

/// Creates the missing links. A rename places each link, because it also replaces a broken link or the link of a
/// concurrent process.
pub fn create_links(native: &Path) -> io::Result<()> {
    let list = match fs::read(native.join("pg-symlinks.json")) {
        Ok(list) => list,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let links: Vec<Link> = serde_json::from_slice(&list)?;
    for link in &links {
        let (Some(source), Some(target)) = (inside(native, &link.source), inside(native, &link.target))
        else {
            continue;
        };
        if target.exists() {
            continue;
        }
        let points_to = match (source.file_name(), source.parent() == target.parent()) {
            (Some(name), true) => PathBuf::from(name),
            _ => source,
        };
        let mut unfinished = target.clone().into_os_string();
        unfinished.push(format!(".{:08x}", rand::random::<u32>()));
        symlink(points_to, &unfinished)?;
        fs::rename(&unfinished, &target)?;
    }
    Ok(())
}

/// Paths in the list start at the package (`native/lib/…`). Paths that leave the tree are ignored.
fn inside(native: &Path, listed: &Path) -> Option<PathBuf> {
    let below = listed.strip_prefix("native").ok()?;
    below
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
        .then(|| native.join(below))
}

/// Makes a copy that every user can read, once per installed package. Returns its `bin` folder.
pub fn copy_for_all_users(native: &Path) -> Result<PathBuf, EmbeddedError> {
    let server = native.join("bin/postgres");
    let metadata = fs::metadata(&server).map_err(EmbeddedError::io("read", &server))?;
    let stamp = format!("{} {}", metadata.len(), metadata.mtime());
    let staged = cluster_paths::staging_dir(
        "postgresql",
        [native.as_os_str(), OsStr::from_bytes(stamp.as_bytes())],
    )?;
    if staged.is_dir() {
        return Ok(staged.join("bin"));
    }
    let mut unfinished = staged.clone().into_os_string();
    unfinished.push(format!(".{:08x}", rand::random::<u32>()));
    let unfinished = PathBuf::from(unfinished);
    copy_tree(native, &unfinished)?;
    create_links(&unfinished).map_err(EmbeddedError::io("link the libraries in", &unfinished))?;

    if let Err(error) = fs::rename(&unfinished, &staged) {
        // Another process may have been first; its copy is equivalent.
        let _ = fs::remove_dir_all(&unfinished);
        if !staged.is_dir() {
            return Err(EmbeddedError::io("move the copy to", &staged)(error));
        }
    }
    tracing::info!("the PostgreSQL binaries were copied to {}", staged.display());
    Ok(staged.join("bin"))
}

/// Copies folders and files. Links are left out: `create_links` makes them again.
fn copy_tree(from: &Path, to: &Path) -> Result<(), EmbeddedError> {
    cluster_paths::create_open_dir(to)?;
    for entry in fs::read_dir(from).map_err(EmbeddedError::io("read", from))? {
        let entry = entry.map_err(EmbeddedError::io("read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let metadata = entry.metadata().map_err(EmbeddedError::io("read", &source))?;
        if metadata.is_dir() {
            copy_tree(&source, &target)?;
        } else if metadata.is_file() {
            let mode = if metadata.mode() & 0o111 == 0 {
                0o644
            } else {
                0o755
            };
            fs::copy(&source, &target)
                .and_then(|_| fs::set_permissions(&target, fs::Permissions::from_mode(mode)))
                .map_err(EmbeddedError::io("copy to", &target))?;
        }
    }
    Ok(())
}
