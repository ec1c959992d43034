import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bridgeActs, bridgeActsInBulgarian } from '../../../src/bridge/ledger/bridge-acts.ts';
import { orderStates } from '../../../src/bridge/order/decisions/order-state.ts';
import { failures, failureWords } from '../../../src/bridge/order/facts/failure.ts';
import { refusedRequests } from '../../../src/bridge/order/facts/refused-requests.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { checkWords } from '../../../src/console/pages/today.ts';
import { failedBy } from '../../../src/operations/health/check.ts';
import { checkCodes } from '../../../src/operations/health/checks.ts';
import { problemWords } from '../../../src/operations/words.ts';
import { serviceActs, serviceActsInBulgarian } from '../../../src/service/audit-log/service-acts.ts';

/** What people type or read as it is in any language. */
const NAMES =
  /`[^`]*`|\b(?:application\/json|UTF-8|Content-(?:Type|Encoding)|Retry-After|JSON|POST|API|MB|HTTP|https?:\/\/|TRUSTED_HTTP_HOSTS|Redis|PostgreSQL|false|shop\.answered|internalId)(?=\W|$)/g;

/** Cyrillic, whole, and nothing of another language but names. */
function isBulgarian(words: string): boolean {
  return /^[А-Я„`]/.test(words) && /[.?]$/.test(words) && !/[A-Za-z]{2}/.test(words.replace(NAMES, ''));
}

const sentences: Record<string, Readonly<Record<string, string>>> = {
  'what a failure means': Object.fromEntries(Object.entries(failures).map(([code, { means }]) => [code, means.bg])),
  'what to do about a refused request': Object.fromEntries(Object.entries(refusedRequests).map(([code, { todo }]) => [code, todo.bg])),
  'what a failed check means': Object.fromEntries(Object.entries(checkCodes).map(([code, { bg }]) => [code, bg])),
  'acts of the bridge': bridgeActsInBulgarian,
  'acts of the service': serviceActsInBulgarian,
};

test.each(Object.entries(sentences))('%s is said in Bulgarian alone', (_, words) => {
  expect(Object.entries(words).filter(([, said]) => !isBulgarian(said))).toEqual([]);
});

test('every act has its words, and every state its name', () => {
  expect(Object.keys(bridgeActsInBulgarian).toSorted()).toEqual(Object.keys(bridgeActs).toSorted());
  expect(Object.keys(serviceActsInBulgarian).toSorted()).toEqual(Object.keys(serviceActs).toSorted());
  expect(Object.values(orderStates).filter(({ name }) => !/^[а-я ]+$/.test(name.bg))).toEqual([]);
  expect(failureWords('a.later', 'bg').means).toContain('по-нова версия');
});

test('what is typed is the same in both languages', () => {
  const typed = (words: string) => [...words.matchAll(/`[^`]+`/g)].map(([found]) => found).toSorted();
  const differing = Object.entries(refusedRequests).filter(([, { todo }]) => `${typed(todo.en)}` !== `${typed(todo.bg)}`);

  expect(differing.map(([code]) => code)).toEqual([]);
});

describe('a failed check', () => {
  const failedCheck = failedBy(checkCodes);
  const codes = Object.keys(checkCodes) as (keyof typeof checkCodes)[];

  test.each([1, 3])('is a sentence in Bulgarian about %i', (count) => {
    const said = codes.map((code) => [code, checkWords(failedCheck(code, { words: 'in English', subject: null, count }), wordsIn('bg'), (id) => id)]);

    expect(said.filter(([, words]) => !/[А-Яа-я]/.test(words ?? '') || /in English|undefined|null|NaN/.test(words ?? ''))).toEqual([]);
  });

  test('names the store of its connection, and the code of its orders in words', () => {
    const nameOf = (id: string) => (id === 'c1' ? 'Corner' : id);

    expect(checkWords(failedCheck('webhooks.refused', { words: '', subject: 'c1', count: 4 }), wordsIn('bg'), nameOf)).toBe(
      'Corner: известията му се отказват едно след друго (4).',
    );
    expect(checkWords(failedCheck('orders.need-review', { words: '', subject: 'payment.unmapped', count: 3 }), wordsIn('bg'), nameOf)).toBe(
      '3 поръчки за проверка: Начин на плащане няма вид.',
    );
    expect(checkWords(failedCheck('hosts.quarantined', { words: '', subject: 'c1 copy.example', count: 1 }), wordsIn('bg'), nameOf)).toContain(
      'Corner: 1 известие назовава copy.example',
    );
    expect(checkWords(failedCheck('backlog.old', { words: '', subject: 'inbox', count: 1 }), wordsIn('bg'), nameOf)).toContain('в базата данни');
  });

  test('names what the answer to its orders is about, where all of them wait for one', () => {
    const one = failedCheck('orders.need-review', {
      words: '2 orders in review: The payment method “econt_pay” has no type.',
      subject: 'payment.unmapped',
      count: 2,
    });

    expect(checkWords(one, wordsIn('en'), (id) => id)).toBe('2 orders in review: “econt_pay” has no payment type.');
    expect(checkWords(one, wordsIn('bg'), (id) => id)).toBe('2 поръчки за проверка: „econt_pay“ няма вид плащане.');
  });

  test('names its month or day as people write them, and a store as it is called, whatever that looks like', () => {
    const nameOf = () => 'Ски 2026-27';
    const late = failedCheck('month.late', { words: '2026-10 was not filed (2026-11-15): Shop 2025-12', subject: '2026-10', count: 1 });
    const unread = failedCheck('orders.unread', { words: 'Shop 2025-12: 1 order could not be read (2026-57)', subject: 'c1', count: 1 });

    expect(checkWords(late, wordsIn('en'), nameOf)).toBe('October 2026 was not filed (15 November 2026): Shop 2025-12');
    expect(checkWords(late, wordsIn('bg'), nameOf)).toContain('Месец октомври 2026');
    expect(checkWords(unread, wordsIn('en'), nameOf)).toBe('Shop 2025-12: 1 order could not be read (2026-57)');
    expect(checkWords(unread, wordsIn('bg'), nameOf)).toMatch(/^Ски 2026-27: /);
  });
});

/** As the order is decided whose store calculates no taxes. */
const UNTAXED =
  'Nothing in it bears a tax, and the VAT rate 0 % has no group. If the store calculates no taxes although its prices contain VAT, set `pricesContainVat` ("20"), and give 0 no group: with one, every sale would be recorded without VAT.';

test.each([
  ['payment.unmapped', 'The payment method “econt_pay” has no type.', 'Начинът на плащане „econt_pay“ няма вид.'],
  ['vat.unmapped', 'The VAT rate 9 % has no group.', 'Ставката 9 % на ДДС няма данъчна група.'],
  ['payment.split', 'Paid by cod and card.', 'Платена е чрез cod и card.'],
  ['total.mismatch', 'The lines add up to 12.00 EUR, the order to 11.98 EUR.', 'Редовете дават 12.00 EUR, а поръчката е за 11.98 EUR.'],
  ['payment.unmapped', 'The order names no payment method.', 'Поръчката не посочва начин на плащане.'],
  ['amount.inexact', 'The amount 6.005 of refund r0 is not exact in EUR.', 'Сумата 6.005 не е точна във валутата EUR.'],
  ...['cancelled', 'trashed or deleted', 'marked as refunded', 'marked as a test', 'set back to a draft (“pending”)'].map((was): [string, string, string] => [
    'removal.unproven',
    `It was ${was}, but the refunds seen do not cover its 57.30 EUR.`,
    'Магазинът вече не я води като продажба, а видените връщания не покриват нейните 57.30 EUR.',
  ]),
  ['vat.unmapped', UNTAXED, expect.stringMatching(/^Нищо в поръчката не носи данък, а ставката 0 % .* задайте pricesContainVat/)],
  ['compliance.refused', 'no such group', 'Услугата за отчитане отказа записа: „no such group“'],
  ['vat.unclear', 'Something about <b>a line</b>.', 'Не е ясна ставката на ДДС на ред от поръчката.'],
])('a problem of %s is told in Bulgarian as far as its English sentence is known', (code, detail, words) => {
  expect(problemWords({ code, detail }, 'bg')).toEqual(words);
  expect(problemWords({ code, detail }, 'en')).toBe(detail);
});

/** Texts of which pages leave the command out (`withoutCommands`), and those of what no page does. */
const WITH_COMMANDS = [
  'src/bridge/order/facts/refused-requests.ts',
  'src/bridge/storefronts/shopify/oauth/token-refusal.ts',
  'src/bridge/storefronts/shopify/status-words.ts',
  ...['entry', 'factor', 'month'].map((of) => `src/console/messages/${of}.ts`),
  'src/operations/connections/pauses.ts',
];

test('Bulgarian, which the command line never speaks, names no command that a page has a button for', () => {
  const naming = globSync('src/{bridge,connect,console,operations}/**/*.ts').filter((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => /`orderbridge /.test(line) && /[А-Яа-я]{2}/.test(line)),
  );

  expect(naming.toSorted()).toEqual(WITH_COMMANDS);
});

test('every refusal says in Bulgarian what it says in English', () => {
  const texts = globSync(['src/{operations,app}/**/*.ts', 'src/console/pages/{store,destinations,review}/*.ts']).flatMap((file) => {
    const pairs = readFileSync(file, 'utf8').matchAll(
      /\ben: ('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`,]+),\s*bg: ('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`,]+)/g,
    );
    return [...pairs].map(([, en = '', bg = '']) => ({ file, en, bg }));
  });
  const bare = texts.filter(({ en, bg }) => /^['`]/.test(en) && !/[А-Яа-я]{2}/.test(bg));

  expect(texts.length).toBeGreaterThan(100);
  expect(bare).toEqual([]);
});
