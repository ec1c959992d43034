import { holdsProgram, isAddress, safeAddress } from './attribute-rules.ts';
import { escaped } from './escaped.ts';

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
