import { ORDER_STATES, type OrderState, orderStates } from '../bridge/order/decisions/order-state.ts';
import { failures, failureWords } from '../bridge/order/facts/failure.ts';
import type { Lang, LocalizedText } from '../contract/messages.ts';

/** What a code of a failure means, and what to do about it. */
export function codeWords(code: string, lang: Lang): { means: string; todo: string } {
  return failureWords(code, lang);
}

/** What a code of a failure means, in a sentence. */
export function codeMeans(code: string, lang: Lang = 'en'): string {
  return codeWords(code, lang).means;
}

/** Of webhooks, which no order is known of yet. */
const OF_WEBHOOKS: readonly string[] = ['payload.unreadable', 'delivery.unrecordable', 'store.other'];

/** The codes with which orders wait for a person, and what each means. */
export function reviewCodes(lang: Lang = 'en'): { code: string; means: string }[] {
  const reviewOf = Object.entries(failures).filter(([code, { disposition }]) => disposition === 'review' && !OF_WEBHOOKS.includes(code));
  return reviewOf.map(([code]) => ({ code, means: codeMeans(code, lang) }));
}

/** The words of a failure, "code: detail": in Bulgarian what its code means comes before them, and they stay as they are. */
export function quotedFailure(words: string): LocalizedText {
  const code = /^[a-z]+(?:\.[a-z-]+)+(?=: )/.exec(words)?.[0];
  if (code === undefined) return { en: words, bg: `„${words}“` };
  return { en: words, bg: `${codeWords(code, 'bg').means.replace(/\.$/, '')} (${words})` };
}

/**
 * The sentences of problems that the ledger keeps, which are English, by what they name. They are kept as sentences, since SQL groups orders in review and
 * issues by them (`review_orders.pattern`).
 */
const patterns: readonly (readonly [pattern: RegExp, words: (...parts: string[]) => string])[] = [
  [/^The payment method “([^”]*)” has no type\.$/, (gateway) => `Начинът на плащане „${gateway}“ няма вид.`],
  [/^The order names no payment method\.$/, () => 'Поръчката не посочва начин на плащане.'],
  [/^Paid by (.+)\.$/, (gateways) => `Платена е чрез ${gateways?.replaceAll(' and ', ' и ')}.`],
  [/^The VAT rate ([0-9.]+) % has no group\.$/, (rate) => `Ставката ${rate} % на ДДС няма данъчна група.`],
  [
    /^Nothing in it bears a tax, and the VAT rate ([0-9.]+) % has no group\. If/,
    (rate) =>
      `Нищо в поръчката не носи данък, а ставката ${rate} % на ДДС няма данъчна група. Ако магазинът не изчислява данъци, макар че цените му съдържат ДДС, задайте pricesContainVat и оставете ставката 0 % без група.`,
  ],
  [/^The lines add up to (.+), the order to (.+)\.$/, (lines, paid) => `Редовете дават ${lines}, а поръчката е за ${paid}.`],
  [
    /^Its (.+) seem to be paid in parts: at (\S+), and at (\S+)\.$/,
    (total, first, second) => `Изглежда, че нейните ${total} са платени на части: ${first} и ${second}.`,
  ],
  [/^Refund (\S+) of (.+) came beside the order, which is/, (id, amount) => `Връщането ${id} на ${amount} дойде с поръчката, която е по-нова и не го съдържа.`],
  [/^The amount (\S+) of .+ is not exact in (\w+)\.$/, (amount, currency) => `Сумата ${amount} не е точна във валутата ${currency}.`],
  [
    /^It was .+, but the refunds seen do not cover its (.+)\.$/,
    (total) => `Магазинът вече не я води като продажба, а видените връщания не покриват нейните ${total}.`,
  ],
  [
    /^The store says that a refund was deleted since it last sent the order\.$/,
    () => 'Магазинът съобщи, че след последното известие е изтрито връщане на пари.',
  ],
];

/** Codes whose detail repeats the words of a service or a store. */
const QUOTES = /^(compliance|replacement)\.(refused|conflict)$/;

/** Why an order waits, in Bulgarian: what its problem names, as far as that is known; else what its code means. */
function detailInBulgarian(code: string, detail: string): string {
  const { means } = codeWords(code, 'bg');
  if (QUOTES.test(code) && detail !== '') return `${means.replace(/\.$/, '')}: „${detail}“`;
  for (const [pattern, words] of patterns) {
    const found = pattern.exec(detail);
    if (found !== null) return words(...found.slice(1));
  }
  return means;
}

/** Why something waits, in words; `detail`: as the ledger keeps it, in English. */
export function problemWords({ code, detail }: { code: string; detail: string }, lang: Lang): string {
  if (lang === 'bg') return detailInBulgarian(code, detail);
  return detail === '' ? codeWords(code, lang).means : detail;
}

/** What people call a state. */
export function stateName(state: OrderState, lang: Lang): string {
  return orderStates[state].name[lang];
}

/** The same of a text that may be a state. */
export function stateNamed(text: string, lang: Lang): string {
  const state = ORDER_STATES.find((one) => one === text);
  return state === undefined ? text : stateName(state, lang);
}
