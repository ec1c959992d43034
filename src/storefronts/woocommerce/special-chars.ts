const decoded: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

const codes: Record<string, string> = { '34': '"', '38': '&', '39': "'", '60': '<', '62': '>', x22: '"', x26: '&', x27: "'" };

/** What WordPress's `wp_specialchars_decode($text, ENT_QUOTES)` gives: five characters, once, nothing else. */
export function decodeSpecialChars(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#0*(34|38|39|60|62|x0*2[267]));/gi, (entity, code: string | undefined) =>
    code === undefined ? (decoded[entity] ?? entity) : (codes[code.toLowerCase().replace(/^x0*/, 'x')] ?? entity),
  );
}
