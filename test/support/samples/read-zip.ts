import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The files of an archive by its central directory, as Windows reads them; throws if one is not whole. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('this is no archive');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error('the directory of the archive is broken');
    const names = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = names;
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    files.set(
      name,
      contentAt(zip, { at: zip.readUInt32LE(at + 42), size: zip.readUInt32LE(at + 20), crc: zip.readUInt32LE(at + 16), plain: zip.readUInt32LE(at + 24) }),
    );
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

function contentAt(zip: Buffer, { at, size, crc, plain }: { at: number; size: number; crc: number; plain: number }): Buffer {
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const content = inflateRawSync(zip.subarray(start, start + size));
  if (content.byteLength !== plain || crc32(content) !== crc) throw new Error('a file of the archive is broken');
  return content;
}
