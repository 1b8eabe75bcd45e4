//! The real binary as its users meet it: killed and started again, watched for secrets, asked from a shell, and
//! visited by clients that do not behave.

mod canary;
mod command_line;
mod kill;
mod manners;
mod publish;
mod support;
