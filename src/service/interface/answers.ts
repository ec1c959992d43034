import { z } from 'zod';
import { createOrderDto } from '../../contract/order-dto.ts';
import { createShopDto } from '../../contract/shop-dto.ts';
import { storedFinding, storedSums } from '../audit/month/read-versions.ts';
import { shopHeader } from '../audit/month/shop-of-month.ts';
import { problems } from '../http/http-problem.ts';
import { storedRate } from '../rates/exchange-rate.ts';
import { auditFile } from '../reading/read-audit-files.ts';
import { shopOptions } from '../shops/shop-dto.ts';

/** The shapes of answers, for the document; a test compares them with what the service returns. */
const id = z.uuid().describe('Identifier, used as {id} in paths.');
const time = z.iso.datetime().describe('ISO 8601 in UTC.');
const amount = z.number().describe('In the unit of the API key.');
/** VAT is said to the last decimal of the currency, also where the order has fewer: then it is no whole number of minor units. */
const ofVat = (words: string) => amount.describe(`${words} To the last decimal of the currency, whatever the precision.`);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const month = z.string().regex(/^\d{4}-\d\d$/);
const documentNumber = z.string().regex(/^\d{10}$/);
const fieldError = z.strictObject({ path: z.string().describe('The field, such as lineItems[0].price.'), message: z.string() });

/** Fields of an answer have no defaults. */
const shopFields = Object.fromEntries(
  Object.entries(createShopDto.shape).map(([name, field]) => [name, field instanceof z.ZodDefault ? field.unwrap() : field]),
);

const test = z.literal(true).optional();
const testDocument = test.describe('Of a test shop: no real document.');

export const shopAnswer = z.strictObject({
  id,
  ...shopFields,
  test: test.describe('Made with a test key: its documents are marked, its numbers are its own, and no file lists its orders.'),
  createdAt: time,
  updatedAt: time,
  warnings: z.array(fieldError).describe('Accepted values that look wrong.'),
});

const { eShopType: _, ...headerFields } = shopHeader.shape;

export const readShopAnswer = shopAnswer.extend({
  ...shopOptions.shape,
  earlier: z
    .array(z.strictObject({ ...headerFields, before: month.describe('The first month that it does not count for.') }))
    .describe('What files of earlier months bear, the oldest first; of now are the fields of the shop.'),
});

export const deletedShopAnswer = z.strictObject({
  id,
  name: z.string(),
  deletedAt: time,
  deletedOrders: z.int().describe('How many orders went with it.'),
  warnings: z.array(fieldError).describe('Months whose file was made and not marked as filed.'),
});

const { lineItems, ...orderFields } = createOrderDto.shape;

const lineAnswer = z.strictObject({
  ...lineItems.element.shape,
  netPrice: ofVat('Price of one without VAT.'),
  subtotalNet: ofVat('The line without VAT, before the discount.'),
  priceVat: ofVat('VAT in the price of one.'),
  subtotalVat: ofVat('The line’s share of the order’s VAT, after the discount.'),
  subtotal: amount.describe('The line with VAT, after the discount.'),
});

export const orderAnswer = z.strictObject({
  id,
  ...orderFields,
  lineItems: z.array(lineAnswer),
  total: amount.describe('Sum of the subtotals.'),
  netTotal: ofVat('Total less total VAT.'),
  totalVat: ofVat('VAT of each rate, computed once; it is split over the lines.'),
  totalDiscount: amount.describe('Sum of the discounts.'),
  test: testDocument,
  documentNumber: documentNumber.nullable().describe('Number of the sale’s document: ten digits, one sequence per merchant.'),
  createdAt: time,
  updatedAt: time.describe('The same as createdAt: an order can’t be changed.'),
  warnings: z.array(fieldError).describe('Accepted values that look wrong.'),
});

export const deletedOrderAnswer = z.strictObject({ id, deletedAt: time });

const exchange = z.strictObject({ ...storedRate.shape, publishedOn: day });

export const readOrderAnswer = orderAnswer.extend({
  documentNumber: documentNumber.describe('Number of the sale’s document: ten digits, one sequence per merchant.'),
  documentDate: day.describe('Day in Bulgaria on which the number was given.'),
  edition: z.int().describe('1; a replacement of a deleted order with the same internalId is the next one.'),
  month: month.nullable().describe('Month whose audit file lists it; null for a replacement within a sale that a closed month lists.'),
  deliveredAt: z.string().nullable().describe('When it was delivered, as the caller said it; null if nobody did.'),
  accountingCurrency: z.enum(['EUR', 'BGN']),
  accountingTotal: amount.nullable().describe('The total in the accounting currency; null while the exchange rate is missing.'),
  accountingVat: amount.nullable().describe('Null as accountingTotal is.'),
  exchange: exchange.nullable().describe('The rate that was used: an amount × multiply ÷ divide; null for EUR and BGN, and while the rate is missing.'),
  unreadable: z.literal('customer').exactOptional().describe('The buyer is kept, and can’t be decrypted.'),
});

export const deliveredOrderAnswer = readOrderAnswer.extend({
  inMonthOfDelivery: z.boolean().describe('Whether `month` is the month of the delivery; false if the order stays in a month that is closed.'),
});

export const receiptAnswer = z.strictObject({
  id,
  orderId: z.uuid(),
  shopId: z.uuid(),
  test: testDocument,
  documentNumber,
  documentDate: day,
  edition: z.int().describe('Above 1 if an earlier order with the same number was deleted.'),
  issuedAt: time,
  total: amount,
  currency: z.string(),
  emailed: z.enum(['no-address', 'queued', 'sent', 'failed']).describe('What became of the mail to the buyer.'),
});

const sums = z.strictObject(storedSums.shape);
const finding = z.strictObject(storedFinding.shape);

export const auditFileAnswer = z.strictObject({
  ...auditFile.shape,
  id,
  shopId: z.uuid(),
  month,
  createdAt: time,
  cutAt: time.describe('Orders recorded until then are in it.'),
  sums: sums.describe('Decimal text in the accounting currency of the month.'),
  findings: z.array(finding).describe('What is wrong, or looks wrong, with the file.'),
});

/** One part of a list of these. */
export function pageAnswer(item: z.ZodType) {
  return z.strictObject({ items: z.array(item), next: z.string().nullable().describe('The `after` of the next part; null at the end.') });
}

export const problemAnswer = z.strictObject({
  type: z.enum(Object.keys(problems).map((code) => `urn:compliance-service:problem:${code}`)),
  code: z.enum(Object.keys(problems)).describe('The end of `type`: what programs branch on.'),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('What happened and what to do, in words.'),
  errors: z.array(fieldError).optional().describe('With body-invalid, and with request-invalid for the parameters of a list: every bad field at once.'),
  id: z.uuid().optional().describe('With order-exists: of the recorded order.'),
});

/** The shapes of a month. Fields that are added to its figures and lists are read as they are. */

const money = z.string().describe('Decimal text.');
const listOf = (row: z.ZodType) => z.strictObject({ count: z.int().describe('How many there are; rows has the first of them.'), rows: z.array(row) });

const kinds = ['open', 'generated', 'filed', 'rejected', 'blocked', 'empty', 'returns-only', 'nothing', 'not-ours', 'test'] as const;
const situationKind = z
  .enum(kinds)
  .describe(
    'open: no file yet. generated: it waits to be filed. blocked: errors or missing rates. empty: no order for a file. returns-only: none, but returns, which no file can include; it stays until it is settled with a note. nothing: settled as empty. not-ours: before the shop existed here. test: of a test shop, which has no files.',
  );
const monthState = auditFileAnswer.shape.monthState;

const outstanding = z
  .strictObject({
    at: time,
    orders: z.int(),
    totals: z.array(z.strictObject({ currency: z.string(), total: money })),
    oldest: time,
    codes: z.array(z.strictObject({ code: z.string(), orders: z.int() })),
  })
  .describe('Paid orders that are not recorded.');

export const listedMonthAnswer = z.strictObject({
  month,
  state: monthState,
  situation: situationKind,
  orders: z.int().describe('Recorded in the month.'),
  version: z.int().nullable().describe('The last version of its file.'),
  filedVersion: z.int().nullable(),
  deadline: day.describe('The last day on which its file may be filed.'),
  overdue: z.literal(true).optional().describe('The day on which its file was to be made has passed without one.'),
  lacks: z.int().optional().describe('How many changes the last version lacks: generate another before filing.'),
  outstanding: outstanding.optional(),
  filedWithout: outstanding.optional(),
});

const situation = z.looseObject({
  kind: situationKind,
  generatesOn: day.optional().describe('open: the day on which its file is made.'),
  file: z
    .looseObject({ version: z.int(), name: z.string(), createdAt: time, sha256: z.string(), bytes: z.int() })
    .optional()
    .describe('generated, filed, rejected: the version.'),
  filedOn: day.optional().describe('filed: the day on which it was filed.'),
  incomingNumber: z.string().optional().describe('filed: the agency’s number, if somebody said it.'),
  words: z.string().optional().describe('rejected: what the agency says, if somebody said it.'),
  errors: auditFileAnswer.shape.findings.optional().describe('blocked: what is wrong, with what to do.'),
  missingRates: z
    .array(z.looseObject({ currency: z.string(), day, orders: z.int(), never: z.literal(true).optional() }))
    .optional()
    .describe('blocked: exchange rates that are not known; `never`: the bank will publish none.'),
  others: z.array(month).optional().describe('empty: further months without orders that are not settled.'),
  outdated: z.int().optional().describe('empty, returns-only: a version made before, which is not to be filed.'),
  note: z.string().optional().describe('nothing: what was agreed.'),
  returns: z.int().optional().describe('nothing: how many returns the note settles as well.'),
  settledOn: day.optional().describe('nothing: when it was said.'),
  since: month.optional().describe('not-ours: the first month of the shop here.'),
});

export const monthAnswer = z.strictObject({
  shop: z
    .looseObject({ id: z.uuid(), name: z.string(), shopNumber: z.string(), domain: z.string(), validFrom: month.optional(), validUntil: month.optional() })
    .describe('As the file of the month bears it. validFrom, validUntil: the first and the last such month, where others bear something else.'),
  month,
  currency: z.enum(['BGN', 'EUR']).describe('Of all sums of the month.'),
  deadline: day.describe('The last day on which its file may be filed.'),
  writtenAt: time,
  situation,
  monthState,
  beingMade: z.boolean().describe('Is a version being made at this moment?'),
  figures: z.looseObject({
    orders: z.int(),
    withoutRate: z.int().optional().describe('How many of the orders are in no sum, because their exchange rate is missing; absent if there is none.'),
    net: money,
    vat: money,
    total: money,
    discount: money,
    returns: z.int(),
    returned: money,
  }),
  returns: listOf(z.looseObject({ number: z.string(), amount: money, returnedOn: day })).describe('Money given back for orders of earlier files.'),
  voided: listOf(z.looseObject({ documentNumber: z.string(), voidedOn: day })),
  foreign: listOf(z.looseObject({ number: z.string(), total: money, accountingTotal: money })),
  leftOut: z.looseObject({ orders: z.int(), total: money }).describe('Orders that the shop leaves out of its files.'),
  changes: listOf(
    z.union([
      z.looseObject({ documentNumber: z.string(), change: z.enum(['added', 'replaced', 'removed']) }),
      z.strictObject({ change: z.literal('header'), field: z.enum(['companyUic', 'nraNumber', 'domain', 'eShopType']), from: z.string(), to: z.string() }),
    ]),
  ).describe('What the version lacks: changes of orders since it was made, and fields of its header that are not the month’s (header).'),
  warnings: auditFileAnswer.shape.findings,
  outstanding: outstanding.optional(),
  filedWithout: outstanding.optional().describe('Those without which it was filed.'),
  receipts: z
    .strictObject({ missing: z.int(), unmailed: z.int() })
    .optional()
    .describe('Orders by card or through a provider without a receipt, and receipts that no buyer was mailed; absent if there are neither.'),
  questionable: z
    .array(
      z.strictObject({
        why: z.enum(['currency-ended', 'transaction-missing', 'transaction-shared']),
        currency: z.string().nullable().describe('currency-ended: which.'),
        orders: z.int(),
        numbers: z.array(z.string()).describe('internalNumber of the first twenty.'),
      }),
    )
    .optional()
    .describe(
      'Orders that look wrong: in a currency that had ended when they were made, through a provider without a transactionId, or with the transactionId of another order of the shop; absent if there is none.',
    ),
  skipped: listOf(z.looseObject({ from: z.string(), to: z.string(), skippedOn: day, why: z.string() }))
    .optional()
    .describe('Numbers that nobody gets, between those of the month or skipped in its days; absent if there is none.'),
  unreported: z
    .array(z.strictObject({ month, returns: z.int(), total: money, currency: z.enum(['BGN', 'EUR']) }))
    .optional()
    .describe('Returns of earlier months that no file tells and nobody settled; absent if there are none.'),
  versions: z.array(auditFileAnswer).describe('Of its file, oldest first.'),
});

export const monthBeingMadeAnswer = z.strictObject({ shopId: z.uuid(), month, beingMade: z.literal(true) });
