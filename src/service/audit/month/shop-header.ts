import { z } from 'zod';
import { createShopDto, HEADER_FIELDS } from '../../../contract/shop-dto.ts';
import { addMonths } from '../../law/months.ts';
import { shopTypeOf } from '../../law/shop-type.ts';
import type { HeaderChange } from '../summary/month-summary.ts';

const { nraNumber, domain, companyUic, companyName, companyAddress } = createShopDto.shape;

/** What the agency has of a shop. A file bears all but the company's name and address. */
export const shopHeader = z.object({
  ...{ nraNumber, domain, companyUic, companyName, companyAddress },
  eShopType: z.union([z.literal(1), z.literal(2)]).nullable(),
});

/** The same, of the months before `before` ("2026-11"). The kind of shop is always that of now. */
export const earlierHeader = shopHeader.omit({ eShopType: true }).extend({ before: z.string() });

export type ShopHeader = z.output<typeof shopHeader>;
export type EarlierHeader = z.output<typeof earlierHeader>;

/** Of a month; `validFrom`, `validUntil`: the first and the last month that it counts for, if others count before or after. */
export type HeaderOfMonth = ShopHeader & { validFrom?: string; validUntil?: string };

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
