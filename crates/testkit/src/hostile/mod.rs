//! One brand attacks a service with all that it has, while a neighbour uses the same service.

mod attack;
mod database;
mod installation;
mod neighbour;
mod requests;
mod rows;
mod site;
mod slow_body;
mod target;

pub use attack::{Attack, ResponseCounts};
pub use installation::{Engine, Installation, InstallationOptions};
pub use neighbour::Neighbour;
pub use rows::RowCount;
pub use site::HostileSite;
pub use target::{AttackKind, Target};
