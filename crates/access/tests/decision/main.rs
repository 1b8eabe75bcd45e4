//! The order of decisions: whatever is wrong with a request, the caller is told what comes first in it.

mod doubles;
mod order;
mod stale;
mod traffic;
