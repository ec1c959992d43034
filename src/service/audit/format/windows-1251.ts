import { isAscii, isUtf8 } from 'node:buffer';
import type { FindingList } from './finding-list.ts';

/** The encoding of the agency's own schema and sample, as an XML declaration names it. */
export const ENCODING = 'windows-1251';

/** The characters of the bytes from 0x80; 0x98 has none. */
const UPPER = new TextDecoder(ENCODING).decode(Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i));
const HIGH = UPPER.replace(/[\uFFFD\u0098]/g, '');

// Units, not characters, are enough to test, and faster.
const unusual = new RegExp(`[^\\t\\n\\x20-\\x25\\x27-\\x3B\\x3D\\x3F-\\x7E${HIGH}]`);
const everyUnusual = new RegExp(unusual.source, 'gu');
// Control characters, half surrogate pairs and two non-characters: XML 1.0 has no way to write them.
const illegal = /[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r\x7F-\x9F])\p{Cc}/u;
const everyIllegal = new RegExp(illegal.source, 'gu');

/** Text with only the characters that XML 1.0 allows, of at most `limit` characters as a schema counts them: by code point. */
export function fitText(text: string, limit: number): string {
  if (text.length <= limit && !unusual.test(text)) return text;
  const legal = illegal.test(text) ? text.replace(everyIllegal, '') : text;
  return legal.length <= limit ? legal : Array.from(legal).slice(0, limit).join('');
}

/** XML content in windows-1251: characters outside the code page become decimal character references. The text must be legal (`fitText`). */
export function escapeText(text: string): string {
  return unusual.test(text) ? text.replace(everyUnusual, reference) : text;
}

function reference(character: string): string {
  if (character === '&') return '&amp;';
  if (character === '<') return '&lt;';
  if (character === '>') return '&gt;';
  return `&#${character.codePointAt(0)};`;
}

/** The byte of each UTF-16 unit: "?" for what the code page does not have. */
const BYTES = bytesOfUnits();

function bytesOfUnits(): Uint8Array {
  const bytes = new Uint8Array(0x1_0000).fill(0x3f);
  for (let byte = 0; byte < 0x80; byte += 1) bytes[byte] = byte;
  for (const character of HIGH) bytes[character.charCodeAt(0)] = 0x80 + UPPER.indexOf(character);
  return bytes;
}

/** Escaped text as bytes of windows-1251. A table of our own is ten times as fast as that of iconv-lite, which the tests compare it with. */
export function encodeText(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = BYTES[text.charCodeAt(i)] ?? 0x3f;
  return bytes;
}

/** The XML declaration must be within this many bytes. */
const HEAD = 1024;

/**
 * Turns the bytes of a file of any origin into text, piece by piece, in their actual encoding, and reports where that is not the declared one.
 * Bytes that declare windows-1251 but are UTF-8 are read as UTF-8, and the other way round, so that everything else can be checked too.
 */
export class FileDecoder {
  readonly #findings: FindingList;
  #head: Buffer | null = Buffer.alloc(0);
  #declared = ENCODING;
  #decoder = new TextDecoder(ENCODING);
  /** Whether bytes outside ASCII have shown the encoding. */
  #decided = false;
  /** The first bytes of an incomplete UTF-8 character. */
  #rest = Buffer.alloc(0);

  constructor(findings: FindingList) {
    this.#findings = findings;
  }

  push(bytes: Uint8Array): string {
    if (this.#head === null) return this.#decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#head.length < HEAD ? '' : this.#begin(this.#head);
  }

  end(): string {
    const text = this.#head === null ? '' : this.#begin(this.#head);
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return text + this.#read(rest) + this.#decoder.decode();
  }

  #begin(head: Buffer): string {
    this.#head = null;
    const mark = markOf(head);
    const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']/.exec(
      head.toString('latin1', mark === null ? 0 : mark.length, HEAD).replaceAll('\0', ''),
    )?.[1];
    this.#declared = (declared ?? 'UTF-8').trim();
    if (mark !== null) {
      this.#use(mark.encoding);
      this.#decided = true;
      this.#reportMark(mark.encoding);
    } else this.#useDeclared();
    return this.#decode(head);
  }

  #useDeclared(): void {
    try {
      this.#use(this.#declared);
    } catch {
      this.#findings.add('encoding.unknown', { words: `the declared encoding is "${this.#declared.slice(0, 50)}"`, line: 1 });
      this.#use('utf-8');
    }
    if (this.#decoder.encoding !== ENCODING) this.#reportOther(this.#declared);
  }

  #reportMark(encoding: string): void {
    this.#findings.add('encoding.byte-order-mark', { words: `the file begins with the byte order mark of ${encoding}`, line: 1 });
    if (labelOf(this.#declared) === encoding || labelOf(this.#declared) === 'utf-16le') this.#reportOther(encoding);
    else this.#mismatch(encoding);
  }

  #reportOther(encoding: string): void {
    this.#findings.add('encoding.not-windows-1251', { words: `the file is in ${encoding.slice(0, 50)}`, line: 1 });
  }

  #mismatch(actual: string): void {
    if (!this.#findings.has('encoding.mismatch'))
      this.#findings.add('encoding.mismatch', { words: `the first line means ${this.#declared.slice(0, 50)}, but the bytes are ${actual}`, line: 1 });
  }

  #use(encoding: string): void {
    this.#decoder = new TextDecoder(encoding);
  }

  #decode(bytes: Buffer): string {
    const piece = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const cut = this.#decoder.encoding.startsWith('utf-16') ? piece.length : wholeCharacters(piece);
    this.#rest = Buffer.from(piece.subarray(cut));
    return this.#read(piece.subarray(0, cut));
  }

  #read(piece: Buffer): string {
    if (!this.#decoder.encoding.startsWith('utf-16') && !isAscii(piece)) this.#examine(isUtf8(piece));
    return this.#decoder.decode(piece, { stream: true });
  }

  /** Text in windows-1251 is practically never valid UTF-8, so the first letters outside ASCII show the encoding. */
  #examine(utf8: boolean): void {
    const used = this.#decoder.encoding;
    if (!this.#decided && utf8 && used === ENCODING) this.#switchTo('utf-8', 'UTF-8');
    else if (!this.#decided && !utf8 && used === 'utf-8') this.#switchTo(ENCODING, 'not UTF-8');
    else if (!utf8 && used === 'utf-8') this.#mismatch('not all UTF-8');
    this.#decided = true;
  }

  #switchTo(encoding: string, words: string): void {
    this.#use(encoding);
    if (!this.#findings.has('encoding.unknown')) this.#mismatch(words);
  }
}

function markOf(head: Buffer): { encoding: string; length: number } | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

function labelOf(encoding: string): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    return encoding;
  }
}

/** The length of the whole UTF-8 characters of a piece: one that begins in the last three bytes may continue in the next piece. */
function wholeCharacters(piece: Buffer): number {
  for (let back = 1; back <= Math.min(3, piece.length); back += 1) {
    const byte = piece[piece.length - back] ?? 0;
    if (byte < 0x80) return piece.length;
    if (byte >= 0xc0) return lengthOf(byte) > back ? piece.length - back : piece.length;
  }
  return piece.length;
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
