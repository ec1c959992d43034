import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { encodeAmount } from '../../contract/encode-order.ts';
import { customer, taxRecord } from '../../contract/record.ts';
import { orderDoubts } from '../orders/order-doubts.ts';
import { type OrderDto, orderDto, recordTotals } from '../orders/order-dto.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';
import { storedRate } from '../rates/stored-rate.ts';

/**
 * Fields that the list adds to an `OrderDto`: the document's number and day, the month whose file lists it, when it was delivered (ISO 8601, as it was
 * said; null: nobody said so), and its amounts in the accounting currency.
 */
export type ReadOrder = OrderDto & {
  documentNumber: string;
  documentDate: string;
  edition: number;
  month: string | null;
  deliveredAt: string | null;
  accountingCurrency: string;
  accountingTotal: number | null;
  accountingVat: number | null;
  exchange: ExchangeRate | null;
};

/** An order as it is stored. */
export const listedOrder = z.object({
  id: z.string(),
  shopId: z.string(),
  test: z.boolean(),
  createdAt: z.string(),
  customer: customer.nullable(),
  record: taxRecord,
  documentNumber: z.string(),
  documentDate: z.string(),
  edition: z.int(),
  month: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  accountingCurrency: z.string(),
  accountingTotal: z.string().nullable(),
  accountingVat: z.string().nullable(),
  exchange: storedRate.nullable(),
  doubts: orderDoubts,
});

/** Accounting amounts have two decimals. */
const ACCOUNTING_DECIMALS = 2;

/** Amounts in the unit of a dialect. */
export function readOrderDto(stored: z.output<typeof listedOrder>, dialect: Dialect): ReadOrder {
  const {
    id,
    shopId,
    test,
    createdAt,
    customer: buyer,
    record,
    documentNumber,
    documentDate,
    edition,
    month,
    deliveredAt,
    accountingCurrency,
    exchange,
    doubts,
  } = stored;
  const amount = (value: string | null) => (value === null ? null : encodeAmount(value, ACCOUNTING_DECIMALS, dialect.amounts));
  return {
    ...orderDto({ record, customer: buyer, shopId, totals: recordTotals(record), id, test, createdAt, documentNumber, doubts, dialect }),
    documentNumber,
    documentDate,
    edition,
    month,
    deliveredAt,
    accountingCurrency,
    accountingTotal: amount(stored.accountingTotal),
    accountingVat: amount(stored.accountingVat),
    exchange,
  };
}
