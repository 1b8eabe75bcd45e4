use std::{borrow::Cow, io::Read};

use flate2::read::MultiGzDecoder;

use super::MAX_FILE_BYTES;
use crate::cpu_pool::checkpoint;

/// How much is decompressed between two checkpoints.
const CHUNK_BYTES: usize = 256 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decompressed<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// The file is damaged; these are the bytes before the damage.
    pub(super) is_damaged: bool,
    /// The file is longer than [`MAX_FILE_BYTES`]; these are its first bytes.
    pub(super) is_truncated: bool,
}

/// Decompresses a gzip file, or returns another file unchanged. Both are cut at the limit.
pub(super) fn decompress(file: &[u8]) -> Decompressed<'_> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        let bytes = Cow::Borrowed(&file[..file.len().min(MAX_FILE_BYTES)]);
        return Decompressed { bytes, is_damaged: false, is_truncated: file.len() > MAX_FILE_BYTES };
    }
    let mut bytes = Vec::new();
    let mut decoder = MultiGzDecoder::new(file);
    while bytes.len() <= MAX_FILE_BYTES {
        checkpoint();
        let before = bytes.len();
        let wanted = CHUNK_BYTES.min(MAX_FILE_BYTES + 1 - before);
        if (&mut decoder).take(wanted as u64).read_to_end(&mut bytes).is_err() {
            return Decompressed { bytes: Cow::Owned(bytes), is_damaged: true, is_truncated: false };
        }
        if bytes.len() == before {
            return Decompressed { bytes: Cow::Owned(bytes), is_damaged: false, is_truncated: false };
        }
    }
    bytes.truncate(MAX_FILE_BYTES);
    Decompressed { bytes: Cow::Owned(bytes), is_damaged: false, is_truncated: true }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn compressed(write: impl FnOnce(&mut GzEncoder<Vec<u8>>)) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        write(&mut encoder);
        encoder.finish().unwrap()
    }

    #[test]
    fn compression_bomb_is_cut_at_the_limit() {
        let zeros = vec![b'\n'; 1 << 20];
        let bomb = compressed(|encoder| (0..60).for_each(|_| encoder.write_all(&zeros).unwrap()));
        assert!(bomb.len() < 1 << 20);
        let decompressed = decompress(&bomb);
        assert!(decompressed.is_truncated && !decompressed.is_damaged);
        assert_eq!(decompressed.bytes.len(), MAX_FILE_BYTES);
        let exact = compressed(|encoder| encoder.write_all(&vec![b'x'; MAX_FILE_BYTES]).unwrap());
        let decompressed = decompress(&exact);
        assert_eq!((decompressed.bytes.len(), decompressed.is_truncated), (MAX_FILE_BYTES, false));
    }

    #[test]
    fn beginning_of_a_damaged_file_is_returned() {
        let lines: String = (0..20_000).map(|n| format!("https://a.test/{n}\n")).collect::<Vec<_>>().concat();
        let whole = compressed(|encoder| encoder.write_all(lines.as_bytes()).unwrap());
        let bytes = Cow::Borrowed(lines.as_bytes());
        assert_eq!(decompress(&whole), Decompressed { bytes, is_damaged: false, is_truncated: false });
        let half = decompress(&whole[..whole.len() / 2]);
        assert!(half.is_damaged && lines.as_bytes().starts_with(&half.bytes) && half.bytes.len() > 10_000);
    }
}
