//! The brand itself: what an agent should know before it does anything.

mod get_brand;

pub use get_brand::GetBrand;
