import type { Lang } from '../../contract/said.ts';
import { codeWords } from './code-words.ts';

type Pattern = readonly [pattern: RegExp, words: (...parts: string[]) => string];

/** The sentences of problems that the ledger keeps, which are English, by what they name. */
const patterns: readonly Pattern[] = [
  [/^The payment method “([^”]*)” has no type\.$/, (gateway) => `Начинът на плащане „${gateway}“ няма вид.`],
  [/^The order names no payment method\.$/, () => 'Поръчката не посочва начин на плащане.'],
  [/^Paid by (.+)\.$/, (gateways) => `Платена е чрез ${gateways?.replaceAll(' and ', ' и ')}.`],
  [/^The VAT rate ([0-9.]+) % has no group\.$/, (rate) => `Ставката ${rate} % на ДДС няма данъчна група.`],
  [/the VAT rate ([0-9.]+) % has no group\.$/, (rate) => `Нищо в поръчката не носи данък, а ставката ${rate} % на ДДС няма данъчна група.`],
  [/^The lines add up to (.+), the order to (.+)\.$/, (lines, paid) => `Редовете дават ${lines}, а поръчката е за ${paid}.`],
  [/^The amount (\S+) of .+ is not exact in (\w+)\.$/, (amount, currency) => `Сумата ${amount} не е точна във валутата ${currency}.`],
  [/^It was \w+, but the refunds seen do not cover its (.+)\.$/, (total) => `Отказана или изтрита е, а видените връщания не покриват нейните ${total}.`],
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
