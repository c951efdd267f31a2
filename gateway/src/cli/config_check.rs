//! Prints the configuration that a start would have.

use ed25519_dalek::SigningKey;
use gateway_environment::config::Config;

use super::{Ending, print_line};

pub fn check(config: &Config) -> Ending {
    print_line(config.settings.get().to_string().trim_end());
    let keys = config.keys.checkpoint.get();
    if let Some(seed) = keys.ring.present() {
        let public = SigningKey::from_bytes(seed).verifying_key();
        print_line(&format!(
            "The public half of RAZAO_KEY_CHECKPOINT, for RAZAO_CHECKPOINT_PUBLIC_KEYS of an audit: {}",
            hex::encode(public.as_bytes())
        ));
    }
    Ending::Done
}
