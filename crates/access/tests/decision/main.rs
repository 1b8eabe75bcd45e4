//! The access decision: if several things are wrong with a request, the first check in the fixed order decides.

mod doubles;
mod order;
mod stale;
mod traffic;
