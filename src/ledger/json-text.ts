// PostgreSQL's jsonb refuses U+0000 and lone surrogates; both come in real order texts. Escaped backslashes are matched first and kept.
const UNSTORABLE = /\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** JSON text that jsonb takes: characters it can't hold become U+FFFD. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE, (match) => (match === '\\\\' ? match : '\\ufffd'));
}

/** Text as jsonb will give it back: what identifies an order must be the same before and after it was stored. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
