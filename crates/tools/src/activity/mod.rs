//! What a key has done.

mod list_activity;
mod records;

pub use list_activity::ListActivity;
pub use records::{ActivityRecords, KeyEvent};
