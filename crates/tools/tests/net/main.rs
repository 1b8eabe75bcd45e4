//! The guarded client against real servers on this machine, which it is told to let through, and against addresses
//! and names that it must not.

mod redirects;
mod servers;
