import { z } from 'zod';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { rateAmounts } from '../../rates/declared-amounts.ts';
import { storedRate } from '../../rates/exchange-rate.ts';
import type { AuditSums, MonthReturn } from '../audit-file.ts';
import type { MonthCounts } from '../file/read-month.ts';
import type { FileVersion, MonthSummary } from '../summary/month-summary.ts';
import type { MonthFigures } from '../summary/month-tally.ts';
import { returnsByRate } from '../summary/returned-amounts.ts';
import type { MonthKey } from './month-state.ts';
import { shopHeader } from './shop-of-month.ts';

const money = z.string();
const excerptOf = <Row extends z.ZodType>(row: Row) => z.object({ count: z.int(), rows: z.array(row) });
const orderRow = z.object({
  number: z.string(),
  orderedOn: z.string(),
  documentNumber: z.string(),
  documentedOn: z.string(),
  net: money,
  discount: money,
  vat: money,
  total: money,
  payment: z.int(),
});
/** `AuditSums` as they are stored. */
export const storedSums = z.object({
  orders: z.int(),
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  returns: z.int(),
  returned: z.string(),
}) satisfies z.ZodType<AuditSums>;

const figures = z.object({
  orders: z.int(),
  withoutRate: z.int().exactOptional(),
  net: money,
  vat: money,
  total: money,
  discount: money,
  returns: z.int(),
  returned: money,
  byRate: z.array(z.object({ rate: z.number(), net: money, vat: money, total: money })),
  byPayment: z.array(z.object({ payment: z.int(), orders: z.int(), total: money })),
  byDay: z.array(z.object({ day: z.string(), orders: z.int(), vat: money, total: money })),
  list: z.array(orderRow).nullable(),
  returnsByRate: z.object({ rates: z.array(rateAmounts), unknown: z.object({ count: z.int(), total: money }) }),
});

/** As it is stored. */
export const versionSummary: z.ZodType<VersionSummary> = z.object({
  currency: z.enum(['BGN', 'EUR']),
  figures,
  returns: excerptOf(z.object({ number: z.string(), amount: money, returnedOn: z.string(), way: z.int(), byRate: z.array(rateAmounts).nullable() })),
  voided: excerptOf(z.object({ documentNumber: z.string(), voidedOn: z.string() })),
  foreign: excerptOf(z.object({ number: z.string(), total: money, accountingTotal: money, rate: storedRate })),
  leftOut: z.object({ orders: z.int(), total: money }),
});

export const storedFinding = z.object({
  level: z.enum(['error', 'warning']),
  rule: z.string(),
  line: z.int().nullable(),
  order: z.string().nullable(),
  words: z.string(),
  advice: z.string(),
});

const stored = z.object({
  id: z.string(),
  shopId: z.string(),
  month: z.string(),
  version: z.int(),
  createdAt: z.string(),
  cutAt: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  findings: z.array(storedFinding),
  summary: versionSummary,
  header: shopHeader,
  leftOut: z.array(z.string()),
});

const storedVersions = rowsOf('compliance.audit_files', stored);

/** A version of a month's file, without its content. */
export type StoredVersion = z.output<typeof stored>;

const SELECT = `select id, shop_id as "shopId", to_char(month, 'YYYY-MM') as month, version, ${isoText('created_at')} as "createdAt",
  to_char(cut_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cutAt", sha256, bytes::float8 as bytes, findings, summary, header, left_out as "leftOut" from compliance.audit_files`;

/** A version of a month, the last one if none is named; null if there is none. */
export async function readVersion(db: Queryable, { shopId, month }: MonthKey, version: number | null = null): Promise<StoredVersion | null> {
  return readRow(db, storedVersions, {
    text: `${SELECT} where shop_id = $1 and month = to_date($2, 'YYYY-MM') and ($3::int is null or version = $3) order by version desc limit 1`,
    values: [shopId, month, version],
  });
}

/** Null if it was deleted with its shop. */
export async function readVersionById(db: Queryable, id: string): Promise<StoredVersion | null> {
  return readRow(db, storedVersions, { text: `${SELECT} where id = $1`, values: [id] });
}

export function fileName({ month, version, header }: Pick<StoredVersion, 'month' | 'version' | 'header'>): string {
  return `audit_${header.nraNumber.replace(/[^A-Za-z0-9]/g, '_')}_${month}_v${version}.xml`;
}

export function fileVersion(file: StoredVersion): FileVersion {
  const { version, createdAt, sha256, bytes } = file;
  return { name: fileName(file), version, createdAt, sha256, bytes };
}

/** The stored summary of a version: bounded, without personal data, in the accounting currency. */
export type VersionSummary = Pick<MonthSummary, 'currency' | 'figures' | 'returns' | 'voided' | 'foreign' | 'leftOut'>;

/** The figures of a month without a file. */
export function noFigures({ orders, total, vat, withoutRate }: MonthCounts, returns: readonly MonthReturn[]): MonthFigures {
  return {
    orders,
    ...(withoutRate > 0 ? { withoutRate } : {}),
    net: formatMoney(exactMoney(total, 2) - exactMoney(vat, 2), 2),
    vat,
    total,
    discount: '0.00',
    returns: returns.length,
    returned: formatMoney(sum(returns.map(({ amount }) => exactMoney(amount, 2))), 2),
    byRate: [],
    byPayment: [],
    byDay: [],
    list: null,
    returnsByRate: returnsByRate(returns),
  };
}
