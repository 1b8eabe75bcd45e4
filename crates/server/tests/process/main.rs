//! The real binary: killed and restarted, searched for secrets, run from a command line, and used by clients that
//! misbehave.

mod allocator;
mod audit_script;
mod canary;
mod command_line;
mod erasure;
mod hostile_neighbour;
mod kill;
mod observe;
mod publish;
mod settings;
mod sign_in;
mod support;
mod traces;
mod transport;
