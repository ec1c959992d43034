const ADDRESSES = new Set(['action', 'cite', 'data', 'formaction', 'href', 'ping', 'poster', 'src', 'xlink:href']);
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;

/** Attributes that contain an address: with a scheme such as `javascript:` it would be a program. */
export function isAddress(name: string): boolean {
  return ADDRESSES.has(name.toLowerCase());
}

/** Attributes that contain a program or a document, which escaping does not make safe. */
export function holdsProgram(name: string): boolean {
  return /^on|^srcdoc$/i.test(name);
}

/** The address, or `about:invalid` if its scheme is not allowed in links. */
export function safeAddress(address: string): string {
  // Browsers skip blanks and control characters before they look for a scheme.
  const seen = address.replace(/[\s\p{Cc}]/gu, '');
  return SCHEME.test(seen) && !SAFE_SCHEME.test(seen) ? 'about:invalid' : address;
}
