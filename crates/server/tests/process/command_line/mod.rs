//! The command line: what it prints, what it refuses, and what a running service makes of it.

mod admin;
mod demo;
mod help;
mod jwks;
mod notice;
mod reveal;
mod start;
mod token;
