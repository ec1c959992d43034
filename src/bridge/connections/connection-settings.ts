import { z } from 'zod';
import { hasUsualOffset } from '../../contract/day.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../contract/order-dto.ts';
import { plainWordsIn, problemSentences } from '../../contract/plain-words.ts';
import { curedBySettings } from '../order/facts/failure.ts';
import { settingPath } from './setting-path.ts';

const paymentMapping = z.strictObject({
  paymentType: z.string().min(1).max(64),
  paymentProcessorName: z.string().min(1).max(200).optional(),
});

/** The one text of settings that has a pattern: `whatIsWrong` says so. */
const rate = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/);

/** A connection's settings as a merchant writes them: every key optional, unknown keys refused. */
export const connectionSettings = z.strictObject({
  vatGroups: z
    .record(rate, z.string().min(1).max(64))
    .optional()
    .meta({ description: 'The compliance service’s VAT group of each rate in percent. 20 is GROUP_B unless it says otherwise.' }),
  payments: z
    .record(z.string().min(1), paymentMapping)
    .optional()
    .meta({ description: 'How each payment method of the storefront, by its gateway id, is recorded. Well-known online gateways have an entry already.' }),
  recordFrom: z.iso
    .datetime({ offset: true })
    .check(({ value, issues }) => {
      if (!hasUsualOffset(value)) issues.push({ code: 'invalid_format', format: 'datetime', input: value });
    })
    .optional()
    .meta({ description: 'Orders paid before it are ignored. If left out: when the store was connected.' }),
  quietSeconds: z
    .number()
    .min(0)
    .max(3600)
    .optional()
    .meta({ description: 'Quiet time: how long after the first webhook of a change the order is submitted. If left out: QUIET_SECONDS.' }),
  ratePerSecond: z
    .number()
    .min(1)
    .max(10_000)
    .default(50)
    .meta({ description: 'Deliveries a second that are taken from a sender that repeats refused ones; bursts of up to 5,000 are. More are answered 429.' }),
  transactionWaitSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(60)
    .meta({ description: 'How long to wait for the transaction id of an online payment; then the order is recorded without it.' }),
  unknownOutcome: z
    .enum(['ask', 'resend'])
    .default('ask')
    .meta({ description: 'After a create whose reply was lost, at a service that ignores Idempotency-Key: ask a person, or send it again.' }),
  removeWithoutRefund: z
    .enum(['review', 'remove', 'keep'])
    .default('review')
    .meta({ description: 'What happens to the record if a paid order is cancelled, trashed or deleted and no refund is seen.' }),
  codCancelled: z.enum(['review', 'remove']).default('review').meta({
    description:
      'What happens to the record of an order with cash on delivery that was marked as paid without a charge, and is then cancelled or fails: most parcels that come back.',
  }),
  giftCards: z.enum(['review', 'ignore', 'record']).default('review').meta({
    description:
      'The sale of a gift card: ask a person, leave the card out of the record (what is bought with it is recorded), or record the card as a sale (what is paid with it later is taken off that order).',
  }),
  freeOrders: z.enum(['ignore', 'record']).default('ignore').meta({ description: 'Orders whose total is zero.' }),
  codPaidWhen: z.enum(['completed', 'processing']).default('completed').meta({ description: 'At which status an order with cash on delivery counts as paid.' }),
  codGateways: z
    .array(z.string().min(1).max(100))
    .max(100)
    .default(['cod'])
    .meta({ description: 'Ids of the gateways whose orders are paid on delivery, where the platform itself does not say so.' }),
  paidStatuses: z
    .array(z.string().min(1).max(100))
    .max(100)
    .default([])
    .meta({ description: 'Further statuses of the store in which an order counts as paid, such as that of a courier’s plugin for delivered orders.' }),
  pricesContainVat: rate.nullable().default(null).meta({
    description: 'The VAT rate that the prices contain, for a store that reckons no taxes at all. It is used for orders in which nothing bears a tax.',
  }),
  convertTo: z.enum(['BGN', 'EUR']).nullable().default(null).meta({ description: 'Convert amounts between EUR and BGN at 1.95583 before they are recorded.' }),
  refuseEndedCurrencies: z.boolean().default(false).meta({
    description:
      'An order in a currency that had ended when it was made, such as leva after 2026-01-31: wait for a person (`currency.ended`) instead of recording it, before anything of it is deleted. Set it where the shop at the compliance service refuses such orders (its own `refuseEndedCurrencies`).',
  }),
  monthBy: z.enum(['order', 'delivery']).default('order').meta({
    description:
      'What decides whose month’s file lists an order: when it was placed, or when it was delivered, as far as its month is open. For delivery the store must say it (a completed or fulfilled order, `deliveredAt` of an own shop), and the compliance service must take it (`COMPLIANCE_DELIVERED`).',
  }),
  receipts: z.boolean().default(false).meta({
    description:
      'Request a receipt from the compliance service for each record that is made from now on and paid by card or through a provider; others have none.',
  }),
  notes: z.boolean().default(false).meta({
    description:
      'Write what became of an order as a private note to it in the store, one for each change (where the platform has such notes, with a key that may write). If the key may not, it is switched off.',
  }),
});

export type SettingsInput = z.input<typeof connectionSettings>;
export type ConnectionSettings = z.output<typeof connectionSettings>;

/** Reads settings from JSON; every problem with its path. */
export function readSettings(value: unknown): { ok: true; settings: SettingsInput } | { ok: false; problems: LocalizedText[] } {
  const english = whatIsWrong(value, { words: plainWordsIn('en'), rate: 'must be a VAT rate in percent, such as "20"', whole: 'it' });
  if (english.length === 0) return { ok: true, settings: value as SettingsInput };
  const bulgarian = whatIsWrong(value, { words: plainWordsIn('bg'), rate: 'трябва да е ставка на ДДС в проценти, например "20"', whole: 'съдържанието' });
  return { ok: false, problems: english.map((en, at) => ({ en, bg: bulgarian[at] ?? en })) };
}

function whatIsWrong(value: unknown, { words, rate: ofRate, whole }: { words: z.core.$ZodErrorMap; rate: string; whole: string }): string[] {
  const error: z.core.$ZodErrorMap = (issue) => (issue.code === 'invalid_format' && issue.format === 'regex' ? ofRate : words(issue));
  const parsed = connectionSettings.safeParse(value, { error });
  return parsed.success ? [] : problemSentences(parsed.error, whole);
}

/** A value that our compliance service refuses in each record that it is in. `words` begin with the path. */
export type UnknownValue = { path: string; words: LocalizedText };

/** Payment types and VAT groups that our service does not have, and processors without a name. */
export function unknownValues({ vatGroups = {}, payments = {} }: Pick<SettingsInput, 'vatGroups' | 'payments'>): UnknownValue[] {
  const groups = Object.entries(vatGroups).flatMap(([rate, group]) => misnamed(['vatGroups', rate], group, VAT_GROUPS));
  const types = Object.entries(payments).flatMap(([gateway, { paymentType, paymentProcessorName }]) => [
    ...misnamed(['payments', gateway, 'paymentType'], paymentType, PAYMENT_TYPES),
    ...(paymentType === 'PAYMENT_PROCESSOR' && paymentProcessorName === undefined ? [nameless(gateway)] : []),
  ]);
  return [...groups, ...types];
}

function misnamed(keys: readonly string[], value: string, known: readonly string[]): UnknownValue[] {
  if (known.includes(value)) return [];
  const path = settingPath(keys);
  const words = {
    en: `${path} is ${value}, which is none of ${known.join(', ')}${didYouMean(value, known)}`,
    bg: `${path} е ${value}, а може да е само ${known.join(', ')}${didYouMean(value, known, 'bg')}`,
  };
  return [{ path, words }];
}

function nameless(gateway: string): UnknownValue {
  const path = settingPath(['payments', gateway, 'paymentProcessorName']);
  const words = {
    en: `${path} is missing: with PAYMENT_PROCESSOR the name of the processor must be given`,
    bg: `${path} липсва: при PAYMENT_PROCESSOR трябва да е дадено името на доставчика`,
  };
  return { path, words };
}

/** The codes of orders in review that these settings may cure; of refused ones, those whose record changes with them. */
export function curedCodes({ removeWithoutRefund = 'review', codCancelled = 'review', paidStatuses = [] }: SettingsInput): readonly string[] {
  const removes = removeWithoutRefund !== 'review' || codCancelled !== 'review';
  const closes = codCancelled !== 'review' || removeWithoutRefund === 'remove' || paidStatuses.length > 0;
  return [...curedBySettings, 'compliance.refused', ...(removes ? ['removal.unproven'] : []), ...(closes ? ['payment.outstanding'] : [])];
}
