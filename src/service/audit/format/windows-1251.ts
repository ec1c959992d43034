import iconv from 'iconv-lite';

/** The encoding of the agency's own schema and sample, as an XML declaration names it. */
export const ENCODING = 'windows-1251';

// Byte 0x98 has no character.
const HIGH = iconv.decode(Buffer.from(Array.from({ length: 128 }, (_, i) => 0x80 + i)), ENCODING).replace(/[\uFFFD\u0098]/g, '');

const unusual = new RegExp(`[^\\t\\n\\x20-\\x25\\x27-\\x3B\\x3D\\x3F-\\x7E${HIGH}]`, 'u');
const everyUnusual = new RegExp(unusual.source, 'gu');
// Control characters, half surrogate pairs and two non-characters: XML 1.0 has no way to write them.
const illegal = /[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r\x7F-\x9F])\p{Cc}/u;
const everyIllegal = new RegExp(illegal.source, 'gu');

/** Text with only the characters that XML 1.0 allows, of at most `limit` characters as a schema counts them: by code point. */
export function fitText(text: string, limit: number): string {
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

/** Escaped text as bytes of windows-1251. */
export function encodeText(text: string): Buffer {
  return iconv.encode(text, ENCODING);
}
