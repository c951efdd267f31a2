//! Scheduled jobs: settlements and terminal rentals.

mod rentals;
mod settlement;
