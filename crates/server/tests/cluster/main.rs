//! Three instances on PostgreSQL and Redis behind a load balancer, with failures of each part.
//!
//! Everything is real: the servers, the instances, and `HAProxy` with the settings of `deploy/`. Random moments come from a
//! seed that is printed.

mod balanced;
mod client_address;
mod events;
mod jobs;
mod limit;
mod operations;
mod overload;
mod postgres;
mod redis;
mod revocation;
mod rotation;
mod start;
mod stops;
mod stops_table;
