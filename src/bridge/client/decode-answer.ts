import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The text of an answer, decompressed if needed; throws if that is more than `maxBytes`, broken, or compressed in a way we did not request. */
export function decodeAnswer(body: Uint8Array, encoding: string | undefined, maxBytes: number): string {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return Buffer.from(body).toString('utf8');
  const decode = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  if (decode === undefined) throw new Error(`the answer is compressed as ${encoding.slice(0, 20)}, which was not requested`);
  return decode(body, { maxOutputLength: maxBytes }).toString('utf8');
}
