const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#x22;': '"',
  '&#38;': '&',
  '&#x26;': '&',
  '&#39;': "'",
  '&#x27;': "'",
  '&#60;': '<',
  '&#62;': '>',
};

/** What WordPress's `wp_specialchars_decode($text, ENT_QUOTES)` gives: five characters, once, nothing else. */
export function decodeSpecialChars(text: string): string {
  return text.replace(/&#?\w{1,20};/g, (entity) => characters[withoutPadding(entity)] ?? entity);
}

// Only numeric entities may be written with zeros in front, and with a large X.
function withoutPadding(entity: string): string {
  return entity.startsWith('&#') ? entity.toLowerCase().replace(/^&#(x?)0+/, '&#$1') : entity;
}
