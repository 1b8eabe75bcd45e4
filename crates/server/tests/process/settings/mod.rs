//! The settings: where they come from, what is refused, and what a signal reads again.

mod check;
mod generated;
mod reload;
mod sources;
mod summary;
mod wrong;
