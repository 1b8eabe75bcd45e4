//! The rate limit in this process and over Redis: both have the same properties and equal a simple model.

mod limited;
mod model;
mod properties;
mod redis_only;
mod rotation;
mod scale;
