//! With the feature `panels` the built panels are compiled into the program. Cargo sees by this script that a file of
//! them was added.

use std::path::Path;

const BUILT: &str = "../ui/dist";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_PANELS").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed={BUILT}");
    if !Path::new(BUILT).join("index.html").exists() {
        println!("cargo::error=the panels are not built: `npm run just ui` builds them into ui/dist");
    }
}
