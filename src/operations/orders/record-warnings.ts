import { endedBy } from '../../contract/ended-currencies.ts';
import { LEVA_PER_EURO } from '../../contract/fixed-rate.ts';
import { isTied } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Said } from '../../contract/said.ts';

const DAY_MS = 24 * 60 * 60_000;
const YEAR_MS = 366 * DAY_MS;

/** `paidAt` and `recordedAt`: ISO instants; null: not known. */
type Recorded = { record: TaxRecord; paidAt: string | null; recordedAt: string | null };

/** What is recorded and looks wrong, for people: whichever service has it. */
export function recordWarnings({ record, paidAt, recordedAt }: Recorded): Said[] {
  const { currency, internalCreatedAt, paymentType, transactionId } = record;
  const lastDay = endedBy(currency, internalCreatedAt);
  const hasNoReference = paymentType === 'PAYMENT_PROCESSOR' && transactionId === null;
  return [
    ...(lastDay === null ? [] : [endedWords(currency, lastDay)]),
    ...(hasNoReference ? [NO_REFERENCE] : []),
    ...(recordedAt === null ? [] : dateWarnings([internalCreatedAt, ...(paidAt === null ? [] : [paidAt])], Date.parse(recordedAt))),
  ];
}

function endedWords(currency: string, lastDay: string): Said {
  const then = isTied(currency)
    ? { en: `it is declared at ${LEVA_PER_EURO}`, bg: `отчита се по ${LEVA_PER_EURO}` }
    : { en: 'no rate of it will ever come', bg: 'за нея няма да има курс' };
  return {
    en: `It is in ${currency}, which ended on ${lastDay}, before the order was made: ${then.en}. See which currency was paid.`,
    bg: `Във валута ${currency} е, с която не се плаща след ${lastDay}: ${then.bg}. Проверете в коя валута е платено.`,
  };
}

const NO_REFERENCE: Said = {
  en: 'It is recorded without the payment’s reference, which the sale document must bear.',
  bg: 'Записана е без номер на плащането, който документът за продажбата трябва да съдържа.',
};

function dateWarnings(times: readonly string[], recordedAt: number): Said[] {
  const ahead = times.find((time) => Date.parse(time) > recordedAt + DAY_MS);
  if (ahead !== undefined)
    return [
      {
        en: `It says ${ahead}, more than a day after it was recorded: see whether the store’s clock is right.`,
        bg: `Посочва ${ahead}, повече от ден след записването: проверете часовника на магазина.`,
      },
    ];
  const old = times.find((time) => Date.parse(time) < recordedAt - YEAR_MS);
  if (old === undefined) return [];
  return [
    {
      en: `It says ${old}, more than a year before it was recorded: see whether it is this sale’s date.`,
      bg: `Посочва ${old}, повече от година преди записването: проверете дали това е датата на продажбата.`,
    },
  ];
}
