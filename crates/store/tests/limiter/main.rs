//! The rate limit, in this process and over Redis: the same properties, against a model that is plain to see.

mod limited;
mod model;
mod properties;
mod redis_alone;
