use std::{borrow::Cow, io::Read};

use flate2::read::MultiGzDecoder;

use super::Unpacked;

/// The most that the protocol allows in one file, unpacked.
const LARGEST: u64 = 50 * 1024 * 1024;

/// A file without its compression, if it has one. A small file can unpack to any size, so that is bounded; of one
/// that is damaged, what comes before the damage is kept.
pub(super) fn unpacked(file: &[u8]) -> Unpacked<'_> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return (Cow::Borrowed(file), false);
    }
    let mut bytes = Vec::new();
    let mut reader = MultiGzDecoder::new(file).take(LARGEST + 1);
    let mut cut = reader.read_to_end(&mut bytes).is_err();
    if bytes.len() as u64 > LARGEST {
        bytes.pop();
        cut = true;
    }
    (Cow::Owned(bytes), cut)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(write: impl FnOnce(&mut GzEncoder<Vec<u8>>)) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        write(&mut encoder);
        encoder.finish().unwrap()
    }

    #[test]
    fn a_bomb_unpacks_to_the_limit_and_no_further() {
        let zeros = vec![b'\n'; 1 << 20];
        let bomb = packed(|encoder| (0..60).for_each(|_| encoder.write_all(&zeros).unwrap()));
        assert!(bomb.len() < 1 << 20);
        let (bytes, cut) = unpacked(&bomb);
        assert!(cut);
        assert_eq!(bytes.len() as u64, LARGEST);
    }

    #[test]
    fn of_a_damaged_file_the_beginning_is_kept() {
        let lines: String = (0..20_000).map(|n| format!("https://a.test/{n}\n")).collect::<Vec<_>>().concat();
        let whole = packed(|encoder| encoder.write_all(lines.as_bytes()).unwrap());
        assert_eq!(unpacked(&whole), (Cow::Borrowed(lines.as_bytes()), false));
        let (bytes, cut) = unpacked(&whole[..whole.len() / 2]);
        assert!(cut && lines.as_bytes().starts_with(&bytes) && bytes.len() > 10_000);
    }
}
