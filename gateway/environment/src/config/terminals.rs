//! The provider that activates card machines.

use std::time::Duration;

use super::Variables;

/// The adapter that activates card machines, by its name in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalProvider {
    Sandbox,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalsConfig {
    /// `RAZAO_TERMINALS`: `sandbox` (the default in development, not allowed in production) or `none` (the default in
    /// production). With `none`, no terminal can be enabled.
    pub provider: Option<TerminalProvider>,
    /// `RAZAO_TERMINAL_TIMEOUT_MS`, default 10000: how long to wait for the provider's answer to an activation. The
    /// user is then asked to repeat it.
    pub timeout: Duration,
}

impl TerminalsConfig {
    pub(super) fn read(variables: &mut Variables<'_>) -> Self {
        Self {
            provider: variables.sandbox_or_none("RAZAO_TERMINALS", TerminalProvider::Sandbox),
            timeout: variables.timeout("RAZAO_TERMINAL_TIMEOUT_MS"),
        }
    }
}
