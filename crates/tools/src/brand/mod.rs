//! The brand: what an agent should know before it does anything else.

mod get_brand;

pub use get_brand::GetBrand;
