//! `razao-verify`: checks proof files with public keys alone, offline.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use ed25519_dalek::VerifyingKey;
use razao_verify::check::Shows;
use razao_verify::note::Witness;
use razao_verify::{Accounts, Checked, check};

#[derive(Debug, Parser)]
#[command(
    version,
    about = "Checks proofs of a Razão ledger with public keys alone, offline"
)]
#[command(after_help = "Exit code: 0 if every file is valid, 1 if one is not, 2 if one cannot be read.")]
struct Arguments {
    /// A public key of the ledger, in hexadecimal; take it from a source other than the file
    #[arg(long = "key", value_name = "HEX", value_parser = public_key, required = true)]
    keys: Vec<VerifyingKey>,
    /// A witness, as it names itself: name+key id+base64
    #[arg(long = "witness", value_name = "WITNESS")]
    witnesses: Vec<Witness>,
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

fn public_key(text: &str) -> Result<VerifyingKey, String> {
    let bytes = hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    key.ok_or_else(|| "not an Ed25519 public key of 64 hexadecimal characters".to_owned())
}

fn main() -> ExitCode {
    match run(&Arguments::parse(), &mut io::stdout().lock()) {
        Ok(code) => code,
        // Nobody reads the answer.
        Err(_) => ExitCode::from(2),
    }
}

fn run(arguments: &Arguments, out: &mut impl Write) -> io::Result<ExitCode> {
    let mut code = 0;
    for file in &arguments.files {
        let name = file.display();
        match fs::read_to_string(file) {
            Err(error) => {
                writeln!(out, "{name}: cannot be read: {error}")?;
                code = 2;
            }
            Ok(text) => match check(&text, &arguments.keys, &arguments.witnesses) {
                Ok(checked) => write!(out, "{name}: valid\n{}", description(&checked))?,
                Err(invalid) => {
                    writeln!(out, "{name}: NOT valid: {invalid}")?;
                    code = code.max(1);
                }
            },
        }
    }
    Ok(ExitCode::from(code))
}

fn description(checked: &Checked) -> String {
    let at = &checked.checkpoint;
    let mut lines = match &checked.shows {
        Shows::Sale {
            business_id,
            sale_id,
            events,
        } => vec![format!(
            "{events} events of sale {sale_id} of {business_id} are in the log"
        )],
        Shows::Company {
            business_id,
            events,
            accounts,
            period,
        } => {
            let mut lines = vec![
                format!("{business_id} has {events} events, and no others"),
                format!("balances: {}", balances(accounts)),
            ];
            lines.extend(period.iter().flat_map(|period| {
                [
                    format!(
                        "period, in microseconds since 1970: {} to {}",
                        period.from, period.to
                    ),
                    format!("opening: {}", balances(&period.opening)),
                    format!("closing: {}", balances(&period.closing)),
                    format!("the platform's fees: {} cents", period.fees),
                ]
            }));
            lines
        }
        Shows::Growth { from } => vec![format!(
            "everything up to position {} ({}) is unchanged",
            from.events.size, from.made_at
        )],
    };
    lines.push(format!(
        "checkpoint: {}, {} events, {}",
        at.origin, at.events.size, at.made_at
    ));
    lines.extend(
        checked
            .cosignatures
            .iter()
            .map(|cosignature| format!("seen by {} at {}", cosignature.witness, cosignature.at)),
    );
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

fn balances(accounts: &Accounts) -> String {
    let Accounts {
        receivable,
        available,
        in_transfer,
        held_by_staff,
        in_dispute,
        platform_fees,
        clearing,
    } = accounts;
    format!(
        "receivable {receivable}, available {available}, in_transfer {in_transfer}, held_by_staff {held_by_staff}, \
         in_dispute {in_dispute}, platform_fees {platform_fees}, clearing {clearing} cents"
    )
}
