import { z } from 'zod';
import { createShopDto, HEADER_FIELDS, type ShopDetails } from '../../../contract/shop-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { shopTypeOf } from '../../law/audit-codes.ts';
import { addMonths } from '../../law/calendar.ts';
import type { AuditHeader } from '../audit-file.ts';
import type { HeaderChange, SummaryShop } from '../summary/month-summary.ts';
import { THE_MONTH } from './month-state.ts';
import { readOutstanding } from './outstanding.ts';

/** The details of a shop that its files need; a test shop has none. */
export type AuditShop = {
  id: string;
  details: ShopDetails;
  test: boolean;
  headers: ShopHeaders;
  /** The month in which it was created here ("2026-10"). */
  since: string;
};

const { nraNumber, domain, companyUic, companyName, companyAddress } = createShopDto.shape;

/** What the agency has of a shop. A file bears all but the company's name and address. */
export const shopHeader = z.object({
  ...{ nraNumber, domain, companyUic, companyName, companyAddress },
  eShopType: z.union([z.literal(1), z.literal(2)]).nullable(),
});

/** The same, of the months before `before` ("2026-11"). The kind of shop is always that of now. */
export const earlierHeader = shopHeader.omit({ eShopType: true }).extend({ before: z.string() });

const auditShops = rowsOf(
  'compliance.shops',
  z.object({
    id: z.string(),
    details: createShopDto,
    test: z.boolean(),
    eShopType: shopHeader.shape.eShopType,
    since: z.string(),
    earlier: z.array(earlierHeader),
  }),
);

/** Null if there is no such shop (any more). */
export async function readAuditShop(db: Queryable, shopId: string): Promise<AuditShop | null> {
  const [shop = null] = await readAuditShops(db, [shopId]);
  return shop;
}

/** Those of these that there are, in any order. */
export async function readAuditShops(db: Queryable, ids: readonly string[]): Promise<AuditShop[]> {
  const found = await readRows(db, auditShops, {
    text: `select id, details, test, e_shop_type as "eShopType", to_char(created_at at time zone 'Europe/Sofia', 'YYYY-MM') as since, earlier_headers as earlier
     from compliance.shops where id = any($1)`,
    values: [ids],
  });
  return found.map(({ eShopType, earlier, ...shop }) => ({ ...shop, headers: { now: shopHeader.parse({ ...shop.details, eShopType }), earlier } }));
}

export function auditHeader(header: ShopHeader, { month, createdOn }: { month: string; createdOn: string }): AuditHeader {
  const { companyUic, nraNumber, domain, eShopType } = header;
  return { companyId: companyUic, shopNumber: nraNumber, domain, shopType: shopTypeOf(domain, eShopType), createdOn, month };
}

/** As a month's page names it. `filed`: the header of the version that is filed; null: none is. */
export function summaryShop({ id, details, headers }: AuditShop, month: string, filed: ShopHeader | null): SummaryShop {
  const { companyName, companyUic, nraNumber, domain, validFrom, validUntil }: HeaderOfMonth = filed ?? headerIn(headers, month);
  return {
    ...{ id, name: details.name, companyName, companyId: companyUic, shopNumber: nraNumber, domain },
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
  };
}

export type ShopHeader = z.output<typeof shopHeader>;
export type EarlierHeader = z.output<typeof earlierHeader>;

/** Of a month; `validFrom`, `validUntil`: the first and the last month that it counts for, if others count before or after. */
type HeaderOfMonth = ShopHeader & { validFrom?: string; validUntil?: string };

/** By month: `earlier`, the oldest first, then `now`. */
export type ShopHeaders = { now: ShopHeader; earlier: readonly EarlierHeader[] };

export function headerIn({ now, earlier }: ShopHeaders, month: string): HeaderOfMonth {
  const at = earlier.findIndex(({ before }) => month < before);
  const { before: end, ...found } = { before: null, ...earlier[at] };
  const start = at === -1 ? earlier.at(-1) : earlier[at - 1];
  return { ...now, ...found, ...(start && { validFrom: start.before }), ...(end !== null && { validUntil: addMonths(end, -1) }) };
}

type Patch = { readonly [Field in (typeof HEADER_FIELDS)[number]]?: string | undefined };

/** What counted before, after a change from a month on; `validFrom` null: a correction, which replaces the wrong value in all months that bear it. */
export function earlierAfter({ now, earlier }: ShopHeaders, patch: Patch, validFrom: string | null): EarlierHeader[] {
  const given = HEADER_FIELDS.filter((field) => patch[field] !== undefined);
  const changed = <Header extends EarlierHeader | ShopHeader>(header: Header, fields: readonly (keyof Patch)[] = given): Header => ({
    ...header,
    ...Object.fromEntries(fields.map((field) => [field, patch[field]])),
  });
  const corrected = (one: EarlierHeader) =>
    changed(
      one,
      given.filter((field) => one[field] === now[field]),
    );
  if (validFrom === null) return withoutRepeats(earlier.map(corrected), changed(now));
  const last = earlierHeader.parse({ ...headerIn({ now, earlier }, addMonths(validFrom, -1)), before: validFrom });
  const later = earlier.filter(({ before }) => before > validFrom).map((one) => changed(one));
  return withoutRepeats([...earlier.filter(({ before }) => before < validFrom), last, ...later], changed(now));
}

function withoutRepeats(earlier: readonly EarlierHeader[], now: ShopHeader): EarlierHeader[] {
  return earlier.filter((one, i) => HEADER_FIELDS.some((field) => one[field] !== (earlier[i + 1] ?? now)[field]));
}

/** " (nraNumber RF8888888, now RF9999991)", in the names of the interface; nothing if there are none. */
export function headerWords(changes: readonly HeaderChange[]): string {
  return changes.length === 0 ? '' : ` (${changes.map(({ field, from, to }) => `${field} ${from}, now ${to}`).join('; ')})`;
}

/** What a file with the one header would bear otherwise with the other. */
export function headerChanges(from: ShopHeader, to: ShopHeader): HeaderChange[] {
  const [before, after] = [borne(from), borne(to)];
  return (['companyUic', 'nraNumber', 'domain', 'eShopType'] as const).flatMap((field) =>
    before[field] === after[field] ? [] : [{ change: 'header', field, from: before[field], to: after[field] }],
  );
}

function borne({ companyUic: uic, nraNumber: number, domain: address, eShopType }: ShopHeader): Record<HeaderChange['field'], string> {
  return { companyUic: uic, nraNumber: number, domain: address, eShopType: String(shopTypeOf(address, eShopType)) };
}

const known = rowsOf('compliance.shops', z.object({ isKnown: z.boolean() }));
const KEPT = ['orders', 'filed_sales', 'returns', 'audit_files'].map((table) => `exists (select from compliance.${table} where ${THE_MONTH})`).join(' or ');

/** Is a month the shop's here: since it exists, or because something is known of it? */
export async function isOurs(db: Queryable, { id: shopId, since, month }: Pick<AuditShop, 'id' | 'since'> & { month: string }, now: Date): Promise<boolean> {
  if (month >= since) return true;
  const { isKnown } = await readOne(db, known, { text: `select ${KEPT} as "isKnown"`, values: [shopId, month] });
  return isKnown || (await readOutstanding(db, { shopId, month }, now)) !== undefined;
}
