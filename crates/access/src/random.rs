//! The random source. The service passes in the operating system's source, tests a seeded one.

use std::{convert::Infallible, fmt, sync::Arc};

use rand::{TryCryptoRng, TryRng};

#[derive(Clone)]
pub struct Entropy(Arc<dyn Fn(&mut [u8]) + Send + Sync>);

impl Entropy {
    /// `fill` must be cryptographically secure: keys and nonces come from it.
    pub fn new(fill: impl Fn(&mut [u8]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(fill))
    }
}

impl TryRng for Entropy {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        (self.0)(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        (self.0)(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Entropy {}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entropy")
    }
}
