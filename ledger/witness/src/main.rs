//! `razao-witness`: cosigns checkpoints of ledgers over HTTP.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use ed25519_dalek::{SigningKey, VerifyingKey};
use razao_witness::{Ledger, Memory, Witness, router};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

#[derive(Debug, Parser)]
#[command(
    version,
    about = "Cosigns checkpoints of ledgers, if each continues the one before"
)]
#[command(
    after_help = "It serves plain HTTP: put a proxy with TLS before it. Without its folder it would accept a \
    forged history as a first one, so back the folder up, the key in it as well."
)]
struct Arguments {
    /// The witness's name in its cosignatures, such as witness.example.org
    #[arg(long, env = "RAZAO_WITNESS_NAME", value_parser = name)]
    name: String,
    /// A ledger's name and public key: razao.example.com=<64 hexadecimal characters>; repeated, or comma separated
    #[arg(long = "ledger", env = "RAZAO_WITNESS_LEDGERS", value_delimiter = ',', required = true, value_parser = ledger)]
    ledgers: Vec<Ledger>,
    /// What it has seen, and its key, which is made at the first start
    #[arg(long, env = "RAZAO_WITNESS_DATA", default_value = ".witness")]
    data: PathBuf,
    #[arg(long, env = "RAZAO_WITNESS_ADDR", default_value = "127.0.0.1:8090")]
    addr: SocketAddr,
}

fn name(text: &str) -> Result<String, String> {
    let is_valid = !text.is_empty() && !text.contains(|sign: char| sign.is_whitespace() || sign == '+');
    is_valid
        .then(|| text.to_owned())
        .ok_or_else(|| "has a space or a plus".to_owned())
}

fn ledger(text: &str) -> Result<Ledger, String> {
    let (name, key) = text.split_once('=').ok_or("is not name=key")?;
    let key = hex::decode(key).ok().and_then(|key| key.try_into().ok());
    let key = key.and_then(|key| VerifyingKey::from_bytes(&key).ok());
    Ok(Ledger {
        name: name.to_owned(),
        key: key.ok_or("has no Ed25519 public key of 64 hexadecimal characters")?,
    })
}

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .json()
        .with_writer(std::io::stderr)
        .init();
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the witness ends");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let memory = Memory::open(&arguments.data)?;
    let key = read_or_make_key(&arguments.data.join("key"))?;
    let witness = Witness::new(arguments.name, key, arguments.ledgers, memory);
    let listener = TcpListener::bind(arguments.addr).await?;
    tracing::info!(addr = %listener.local_addr()?, key = %witness.public_key(), "listening");
    let mut end = signal(SignalKind::terminate())?;
    let ended = async move {
        tokio::select! {
            _ = end.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    };
    axum::serve(listener, router(witness))
        .with_graceful_shutdown(ended)
        .await?;
    Ok(())
}

fn read_or_make_key(path: &Path) -> Result<SigningKey, Box<dyn Error>> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let seed = hex::decode(text.trim())
                .ok()
                .and_then(|seed| seed.try_into().ok());
            let seed = seed.ok_or_else(|| format!("{} is not 64 hexadecimal characters", path.display()))?;
            Ok(SigningKey::from_bytes(&seed))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let seed: [u8; 32] = rand::random();
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path)?;
            writeln!(file, "{}", hex::encode(seed))?;
            file.sync_all()?;
            Ok(SigningKey::from_bytes(&seed))
        }
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}
