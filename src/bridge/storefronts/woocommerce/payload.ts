import { z } from 'zod';
import { DECIMAL } from '../amounts.ts';

/** The fields of WooCommerce's REST API v3 that are used here; everything else in a body is ignored. Money is net text, dates are UTC without a zone. */
const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');

const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo ' +
  'frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve ' +
  'Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Of the names that WordPress keeps as they were typed: the letters of Latin 1, and what stands in names of goods and companies. */
const NAMED = new Map([
  ...LATIN.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
    ...{ lsaquo: '‹', rsaquo: '›', hellip: '…', bull: '•', euro: '€', trade: '™', permil: '‰', prime: '′', Prime: '″', minus: '−', le: '≤', ge: '≥' },
    ...{ OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ' },
  }),
]);

/** What people read. */
const shown = text.transform(decodeEntities);

/** Whole numbers above zero; parsed JSON has those beyond 2^53 as text. */
const id = z.union([z.int().positive().transform(String), z.string().regex(/^[1-9]\d{0,19}$/)], { error: 'is not an id (a whole number above zero)' });

const key = z.union([z.int().transform(String), z.string()], { error: 'is neither a whole number nor text' });

const amount = z.union([z.string(), z.number().transform(String)], { error: 'is not an amount' }).pipe(z.string().regex(DECIMAL, 'is not an amount'));

// What does not apply is "" or absent.
const amountOrNothing = z.preprocess((given) => (given === '' ? null : given), amount.nullish());
const amountOrZero = amountOrNothing.transform((given) => given ?? '0');

const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, 'is not a date and time without a zone')
  .refine((given) => Date.parse(`${given}Z`) >= 0, 'is no date after 1970');

const tax = z.object({ id: key, total: amountOrNothing, subtotal: amountOrZero });

/** Items, shipping and fees alike: WooCommerce numbers them in one series. */
const line = z.object({
  id,
  name: shown,
  method_title: shown,
  sku: text,
  quantity: amount.nullish(),
  subtotal: amountOrNothing,
  subtotal_tax: amountOrZero,
  total: amount,
  total_tax: amountOrZero,
  taxes: z.array(tax).nullish(),
});

const lines = z
  .array(line)
  .nullish()
  .transform((given) => given ?? []);

// A buyer that can't be read is no reason to leave a sale unrecorded.
const billing = z.object({ email: shown, phone: shown, first_name: shown, last_name: shown }).nullish().catch(null);

const taxLines = z
  .array(z.object({ rate_id: key, rate_percent: amountOrNothing }))
  .nullish()
  .transform((given) => given ?? []);

export const wooOrder = z.object({
  id,
  number: key.nullish(),
  order_key: text,
  status: z.string().min(1, 'is empty'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'is not a currency code of three capital letters'),
  date_created_gmt: instant,
  date_modified_gmt: instant.nullish(),
  date_paid_gmt: instant.nullish(),
  // A moment that can't be read is no reason to leave a sale unrecorded.
  date_completed_gmt: instant.nullish().catch(null),
  total: amount,
  payment_method: text,
  transaction_id: text,
  billing,
  line_items: lines,
  shipping_lines: lines,
  fee_lines: lines,
  total_tax: amountOrZero,
  tax_lines: taxLines,
  refunds: z.array(z.object({ id, total: amount })).nullish(),
});

/** What a list is asked for, to see which orders changed. */
export const wooSummary = wooOrder.pick({
  id: true,
  number: true,
  status: true,
  currency: true,
  date_created_gmt: true,
  date_modified_gmt: true,
  date_paid_gmt: true,
  total: true,
  refunds: true,
});

const dateOrNone = instant.nullish().catch(null);

/** An order of which no more than this can be read. */
export const wooPlaced = wooOrder.pick({ id: true }).extend({ date_created_gmt: dateOrNone, date_modified_gmt: dateOrNone });

export const wooStatus = z.object({ status: z.string() });

export const wooDeletion = z.object({ id });

/** The body of a custom topic: WordPress' hook and its first argument, here an id. */
export const wooAction = z.object({ action: z.string(), arg: id });

/** The error that the REST API answers in place of an order; WooCommerce signs and delivers it all the same. */
export const wooError = z.object({ code: z.string(), message: z.string(), id: z.undefined().optional() });

const coded = z.object({ code: z.string().max(200) });

/** The code of an error of WordPress' REST API; null: the body is no such error. */
export function wooCode(body: unknown): string | null {
  const error = coded.safeParse(body);
  return error.success ? error.data.code : null;
}

const refundLine = z.object({
  quantity: amount.nullish(),
  total: amount,
  total_tax: amountOrZero,
  // Taxes that can't be read are no reason to overlook a refund.
  taxes: z.array(tax).nullish().catch(null),
  meta_data: z
    .array(z.object({ key: z.string(), value: z.unknown() }))
    .nullish()
    .transform((given) => given ?? []),
});

const refundLines = z
  .array(refundLine)
  .nullish()
  .transform((given) => given ?? []);

export const wooRefund = z.object({
  id,
  date_created_gmt: instant,
  amount,
  line_items: refundLines,
  shipping_lines: refundLines,
  fee_lines: refundLines,
  tax_lines: taxLines.catch([]),
});

export const wooRefunds = z.array(wooRefund);

/** A status that is not known is a person's or a plugin's doing, as a pause is. */
export const wooWebhook = z.object({
  id,
  topic: text,
  delivery_url: text,
  status: z.enum(['active', 'paused', 'disabled']).catch('paused'),
  date_modified_gmt: instant.nullish().catch(null),
});

export type WooOrder = z.output<typeof wooOrder>;
export type WooSummary = z.output<typeof wooSummary>;
export type WooPlaced = z.output<typeof wooPlaced>;
export type WooLine = z.output<typeof line>;
export type WooTaxLine = z.output<typeof taxLines>[number];
export type WooRefund = z.output<typeof wooRefund>;
export type WooRefundLine = z.output<typeof refundLine>;

/** A text as a page of the store shows it: WordPress stores titles and names with HTML entities. Each is decoded once; one that is none, or not known, stays. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w{1,8});/g, (entity, body: string) => (body.startsWith('#') ? numbered(body.slice(1)) : NAMED.get(body)) ?? entity);
}

/** By its code point, such as `8211` or `x2013`; undefined: it is no character of a text. */
function numbered(digits: string): string | undefined {
  if (!/^(\d+|x[\da-f]+)$/i.test(digits)) return undefined;
  const code = Number(/^x/i.test(digits) ? `0${digits}` : digits);
  const isControl = code < 32 || (code > 126 && code < 160);
  const isSurrogate = code > 0xd7ff && code < 0xe000;
  return isControl || isSurrogate || code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
