//! The program `razao`. `gateway::cli` implements it. Here is what changes with each commit or with the panels.

use std::process::ExitCode;

use gateway_environment::build::{Build, Panels};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // `just release` sets it. A time would make each build another one.
    let commit = option_env!("RAZAO_BUILD");
    gateway::cli::run(Build::of(env!("CARGO_PKG_VERSION"), commit, panels()))
}

#[cfg(feature = "panels")]
fn panels() -> Option<Panels> {
    use gateway_environment::build::PanelFile;
    use rust_embed::Embed;

    #[derive(Embed)]
    #[folder = "../ui/dist"]
    struct Built;

    Some(|path| {
        let file = Built::get(path)?;
        Some(PanelFile {
            sha256: file.metadata.sha256_hash(),
            content: file.data,
        })
    })
}

#[cfg(not(feature = "panels"))]
const fn panels() -> Option<Panels> {
    None
}
