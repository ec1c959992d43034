import { z } from 'zod';
import { auditFileAnswer } from './answers.ts';

/** The shapes of a month. Fields that are added to its figures and lists are read as they are. */
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const month = z.string().regex(/^\d{4}-\d\d$/);
const time = z.iso.datetime().describe('ISO 8601 in UTC.');
const money = z.string().describe('Decimal text.');
const listOf = (row: z.ZodType) => z.strictObject({ count: z.int().describe('How many there are; rows has the first of them.'), rows: z.array(row) });

const kinds = ['open', 'generated', 'filed', 'rejected', 'blocked', 'empty', 'returns-only', 'nothing', 'not-ours', 'test'] as const;
const situationKind = z
  .enum(kinds)
  .describe(
    'open: no file yet. generated: it waits to be filed. blocked: errors or missing rates. empty: no order for a file. returns-only: none, but returns, which no file can tell; it stays until it is settled with a note. nothing: settled as empty. not-ours: before the shop existed here. test: of a test shop, which has no files.',
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
  doubtful: z
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
  untold: z
    .array(z.strictObject({ month, returns: z.int(), total: money, currency: z.enum(['BGN', 'EUR']) }))
    .optional()
    .describe('Returns of earlier months that no file tells and nobody settled; absent if there are none.'),
  versions: z.array(auditFileAnswer).describe('Of its file, oldest first.'),
});

export const monthBeingMadeAnswer = z.strictObject({ shopId: z.uuid(), month, beingMade: z.literal(true) });
