//! Several instances on PostgreSQL and Redis behind a load balancer, and everything that may break underneath them.
//!
//! Everything here is real: the engines, `svc-mcp serve` three times over, and `haproxy` with the settings of `deploy/`.
//! Random moments come from a seed that is printed.

mod balanced;
mod jobs;
mod limit;
mod operations;
mod overload;
mod postgres;
mod redis;
mod revocation;
mod start;
