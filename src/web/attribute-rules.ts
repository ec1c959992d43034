const ADDRESSES = new Set(['action', 'cite', 'data', 'formaction', 'href', 'ping', 'poster', 'src', 'xlink:href']);
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;

/** Attributes that hold an address: a scheme such as `javascript:` would make it a program. */
export function isAddress(name: string): boolean {
  return ADDRESSES.has(name.toLowerCase());
}

/** Attributes that hold a program or a document of their own, which escaping does not make safe. */
export function holdsProgram(name: string): boolean {
  return /^on|^srcdoc$/i.test(name);
}

/** An address as it was given, or one that leads nowhere if its scheme is not one of a link. */
export function safeAddress(address: string): string {
  // Browsers skip blanks and control characters before they look for a scheme.
  const seen = address.replace(/[\s\p{Cc}]/gu, '');
  return SCHEME.test(seen) && !SAFE_SCHEME.test(seen) ? 'about:invalid' : address;
}
