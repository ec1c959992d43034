/** Fields of one entry of `payments`. */
const OF_PAYMENT = ['paymentType', 'paymentProcessorName'];
/** What needs quotes in a path. */
const SPECIAL = /["=\s\\]|^$/;

/** A setting's keys as one text: `payments.cod.paymentType`; a gateway with dots keeps them, and is in quotes where it could be mistaken. */
export function settingPath([top = '', key, field]: readonly string[]): string {
  if (key === undefined) return top;
  const isUnclear = SPECIAL.test(key) || (top === 'payments' && field === undefined && OF_PAYMENT.some((name) => key.endsWith(`.${name}`)));
  return [top, isUnclear ? JSON.stringify(key) : key, ...(field === undefined ? [] : [field])].join('.');
}

/**
 * The keys of a path: `vatGroups.25.5` is the rate 25.5, `payments.a.b.paymentType` the type of the gateway a.b. A part in quotes is taken as it is.
 * Null: a quote is not closed.
 */
export function settingKeys(path: string): string[] | null {
  const parts = partsOf(path);
  if (parts === null) return null;
  const [top = '', ...rest] = parts;
  const last = rest.at(-1) ?? '';
  if (rest.length === 0) return [top];
  if (top === 'payments' && rest.length > 1 && OF_PAYMENT.includes(last)) return [top, rest.slice(0, -1).join('.'), last];
  return [top, rest.join('.')];
}

function partsOf(path: string): string[] | null {
  const parts = [...path.matchAll(/"((?:[^"\\]|\\.)*)"|([^."]+)|(\.)/g)];
  if (parts.reduce((length, [text]) => length + text.length, 0) !== path.length) return null;
  const read: string[] = [''];
  for (const [, quoted, plain, dot] of parts) {
    if (dot !== undefined) read.push('');
    else read.push(`${read.pop() ?? ''}${quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')}`);
  }
  return read;
}

/** `PATH=VALUE` in its two parts, at the first = outside of quotes; null: there is none. */
export function pathAndValue(text: string): { path: string; value: string } | null {
  const [, path, value] = /^((?:"(?:[^"\\]|\\.)*"|[^"=])+)=(.*)$/s.exec(text) ?? [];
  return path === undefined || value === undefined ? null : { path, value };
}
