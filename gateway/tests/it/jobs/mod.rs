//! Jobs that run once a day or at start: settlements and terminal rentals.

mod rentals;
mod settlement;
