//! Base62 with the digits `0-9A-Za-z`.

use rand::CryptoRng;

pub(crate) const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// `length` uniformly random digits.
pub(crate) fn random(length: usize, random: &mut impl CryptoRng) -> String {
    // 248 is the largest multiple of 62 in a byte. Higher bytes are skipped: they would make some digits more likely.
    const LIMIT: u8 = 248;
    let mut text = String::with_capacity(length);
    let mut bytes = [0u8; 64];
    while text.len() < length {
        random.fill_bytes(&mut bytes);
        for byte in bytes {
            if byte < LIMIT && text.len() < length {
                text.push(char::from(DIGITS[usize::from(byte % 62)]));
            }
        }
    }
    text
}

/// `number` as exactly six digits. 62⁶ is more than 2³², so every CRC-32 fits.
pub(crate) fn six_digits(mut number: u32) -> [u8; 6] {
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    digits
}
