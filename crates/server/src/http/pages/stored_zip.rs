//! A ZIP archive without compression. Times and modes are fixed, so the same files give the same bytes.
//!
//! The format: <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>, sections 4.3.7, 4.3.12 and 4.3.16.

const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END_OF_CENTRAL_DIRECTORY: u32 = 0x0605_4b50;
/// Version 1.0 of the format is enough for stored files.
const VERSION_NEEDED: u16 = 10;
/// On Unix, so that the mode counts.
const VERSION_MADE_BY: u16 = 3 << 8 | VERSION_NEEDED;
/// 1 January 1980, the first date that ZIP has.
const DATE: u16 = 1 << 5 | 1;
/// A file that everybody may read.
const ATTRIBUTES: u32 = 0o100_644 << 16;

/// The files in this order, each with its name.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let offset = long(zip.len());
        let about = about(name, content);
        put_long(&mut zip, LOCAL_HEADER);
        zip.extend_from_slice(&about);
        zip.extend_from_slice(name.as_bytes());
        zip.extend_from_slice(content);

        put_long(&mut directory, CENTRAL_HEADER);
        put_short(&mut directory, VERSION_MADE_BY);
        directory.extend_from_slice(&about);
        for _comment_disk_and_internal_attributes in 0..3 {
            put_short(&mut directory, 0);
        }
        put_long(&mut directory, ATTRIBUTES);
        put_long(&mut directory, offset);
        directory.extend_from_slice(name.as_bytes());
    }
    let (start, size, count) = (long(zip.len()), long(directory.len()), short(files.len()));
    zip.append(&mut directory);
    put_long(&mut zip, END_OF_CENTRAL_DIRECTORY);
    put_long(&mut zip, 0); // the numbers of the disks
    put_short(&mut zip, count); // on this disk
    put_short(&mut zip, count);
    put_long(&mut zip, size);
    put_long(&mut zip, start);
    put_short(&mut zip, 0); // no comment
    zip
}

/// What both headers of a file have in common.
fn about(name: &str, content: &[u8]) -> Vec<u8> {
    let mut about = Vec::with_capacity(26);
    put_short(&mut about, VERSION_NEEDED);
    for _flags_method_and_time in 0..3 {
        put_short(&mut about, 0);
    }
    put_short(&mut about, DATE);
    put_long(&mut about, crc32fast::hash(content));
    for _compressed_and_plain in 0..2 {
        put_long(&mut about, long(content.len()));
    }
    put_short(&mut about, short(name.len()));
    put_short(&mut about, 0); // no extra field
    about
}

fn put_short(bytes: &mut Vec<u8>, number: u16) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn put_long(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn short(number: usize) -> u16 {
    u16::try_from(number).expect("names are short and files are few")
}

fn long(number: usize) -> u32 {
    u32::try_from(number).expect("files are smaller than 4 GiB")
}
