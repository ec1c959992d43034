type Values = Readonly<Record<string, string | number | boolean | null>>;

const NAME = /^[a-z][a-z\d:-]*$/i;

/** Attributes of an element, each with the blank before it. */
export class Attributes {
  readonly #markup: string;

  constructor(values: Values) {
    this.#markup = Object.entries(values).map(attribute).join('');
  }

  get markup(): string {
    return this.#markup;
  }
}

/** Attributes that may be absent: `<td${attributes({ class: isNumber ? 'n' : null })}>`. Null and false leave one out, true has no value. */
export function attributes(values: Values): Attributes {
  return new Attributes(values);
}

function attribute([name, value]: [string, Values[string]]): string {
  if (!NAME.test(name) || holdsProgram(name)) throw new TypeError(`"${name}" can't be an interpolated attribute`);
  if (value === null || value === false) return '';
  if (value === true) return ` ${name}`;
  const text = String(value);
  return ` ${name}="${escaped(isAddress(name) ? safeAddress(text) : text)}"`;
}

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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it is written between tags and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
