import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

type Content = AsyncIterable<Uint8Array>;
/** A file of an archive; its content is read once. */
export type ZippedFile = { name: string; content: Content };

/** An archive (.zip) of files, in pieces: one of them is in memory at a time. */
export async function* zipped(files: readonly ZippedFile[], at: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const sources = files.map(({ name, content }) => ({ name, source: Readable.from(content, { objectMode: false }) }));
  for (const { name, source } of sources) zip.addReadStream(source, name, { mtime: at });
  const output = Readable.from(zip.outputStream, { objectMode: false });
  zip.on('error', (err: Error) => output.destroy(err));
  zip.end();
  try {
    yield* output;
  } finally {
    for (const { source } of sources) source.destroy();
  }
}

/** The same whole; null if it would be larger than `limit` bytes. */
export function zipWithin(files: readonly ZippedFile[], { limit, at }: { limit: number; at: Date }): Promise<Buffer | null> {
  return readWithin(zipped(files, at), limit);
}

/** All of the content; null if it is more than `limit` bytes, which are not read on. */
export async function readWithin(content: Content, limit: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.byteLength;
    if (bytes > limit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
