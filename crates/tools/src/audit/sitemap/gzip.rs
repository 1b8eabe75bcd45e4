use std::{borrow::Cow, io::Read};

use flate2::read::MultiGzDecoder;

/// The limit of the sitemap protocol for one uncompressed file.
const MAX_DECOMPRESSED_BYTES: u64 = 50 * 1024 * 1024;

/// Decompresses a gzip file up to the limit, or returns another file unchanged. Of a damaged file, it returns the
/// readable beginning. The flag says whether the content is incomplete.
pub(super) fn decompress(file: &[u8]) -> (Cow<'_, [u8]>, bool) {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return (Cow::Borrowed(file), false);
    }
    let mut bytes = Vec::new();
    let mut reader = MultiGzDecoder::new(file).take(MAX_DECOMPRESSED_BYTES + 1);
    let mut truncated = reader.read_to_end(&mut bytes).is_err();
    if bytes.len() as u64 > MAX_DECOMPRESSED_BYTES {
        bytes.pop();
        truncated = true;
    }
    (Cow::Owned(bytes), truncated)
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
        let (bytes, truncated) = decompress(&bomb);
        assert!(truncated);
        assert_eq!(bytes.len() as u64, MAX_DECOMPRESSED_BYTES);
    }

    #[test]
    fn beginning_of_a_damaged_file_is_returned() {
        let lines: String = (0..20_000).map(|n| format!("https://a.test/{n}\n")).collect::<Vec<_>>().concat();
        let whole = compressed(|encoder| encoder.write_all(lines.as_bytes()).unwrap());
        assert_eq!(decompress(&whole), (Cow::Borrowed(lines.as_bytes()), false));
        let (bytes, truncated) = decompress(&whole[..whole.len() / 2]);
        assert!(truncated && lines.as_bytes().starts_with(&bytes) && bytes.len() > 10_000);
    }
}
