import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Desired, desired } from '../../src/bridge/order/decisions/desired.ts';
import { type Facts, noFacts } from '../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../src/bridge/order/facts/merge.ts';
import { missingOf } from '../../src/bridge/order/facts/missing.ts';
import type { FiscalSettings } from '../../src/bridge/order/facts/settings.ts';
import { parseJson } from '../../src/bridge/storefronts/read-payload.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { formatMoney, parseMoney } from '../../src/contract/money.ts';
import type { RecordLine } from '../../src/contract/record.ts';
import { answerOf, recordings } from '../fixtures/woocommerce/recordings.ts';
import { unsetSettings } from '../support/samples/order-facts.ts';
import { fetchJson, startStoreApi } from '../support/servers/store-api.ts';

const money = z.string();
const record = z.object({
  number: z.string(),
  currency: z.string(),
  transactionId: z.string().nullable(),
  total: money,
  byVatRate: z.record(z.string(), money),
  discount: money.optional(),
});
const outcome = z.object({ record: record.nullable(), review: z.string().optional() });
const mapping = z.object({
  vatGroups: z.record(z.string(), z.string()),
  payments: z.record(z.string(), z.object({ paymentType: z.string(), paymentProcessorName: z.string().default('') })),
  recordFrom: z.string(),
});
const expected = z
  .object({ settings: mapping, scenarios: z.record(z.string(), z.record(z.string(), outcome)) })
  .parse(JSON.parse(readFileSync(new URL('../fixtures/woocommerce/expected.json', import.meta.url), 'utf8')));

const settings: FiscalSettings = { ...unsetSettings, ...expected.settings };
const cases = Object.entries(expected.scenarios).flatMap(([scenario, orders]) =>
  Object.entries(orders).map(([orderId, wanted]) => ({ scenario, orderId, wanted })),
);
const refundAnswers = ['10-refund-partial-line', '11-refund-amount-only', '12-refund-full-lines'].map((name) => answerOf(`${name}--GET-refunds-2-refunded`));

type OrderFacts = { orderId: string; facts: Facts };
const { woocommerce } = storefronts;

/** The facts of each recorded delivery of a scenario, in the order in which the store sent them. */
function factsIn(scenario: string): OrderFacts[] {
  return recordings
    .filter((recording) => recording.scenario === scenario)
    .flatMap(({ delivery, receivedAt }) => {
      const parsed = parseJson(delivery.body);
      const normalized = woocommerce.normalize(woocommerce.envelope(delivery.headers), parsed.ok ? parsed.value : null);
      return normalized.kind === 'order' ? [{ orderId: normalized.news.orderId, facts: factsOf(normalized.news, receivedAt) }] : [];
    });
}

function factsAbout(orderId: string, delivered: readonly OrderFacts[]): Facts {
  return delivered.filter((each) => each.orderId === orderId).reduce((facts, each) => merge(facts, each.facts), noFacts);
}

/** Fetches from the recorded store what is missing, as the submitter does. */
async function completed(orderId: string, facts: Facts): Promise<Facts> {
  const missing = missingOf(facts);
  if (missing === null || woocommerce.api === undefined) return facts;
  await using store = await startStoreApi((path) => refundAnswers.find((answer) => path.startsWith(`${answer.path}?`)));
  const news = await woocommerce.api.complete(
    { url: store.url, consumerKey: 'ck', consumerSecret: 'cs' },
    { orderId, ...missing },
    { fetchJson, now: Date.now() },
  );
  return merge(facts, factsOf(news, '2026-11-21T03:00:00.000Z'));
}

/** The parts of a record that `expected.json` contains. */
function summary(wanted: Desired): unknown {
  if (wanted.kind !== 'record') return { record: null, ...(wanted.kind === 'problems' ? { review: wanted.problems[0].code } : {}) };
  const { internalNumber, currency, transactionId, lineItems } = wanted.record;
  const rates = [...new Set(lineItems.map(({ vatRate }) => vatRate))];
  const byVatRate = Object.fromEntries(rates.map((rate) => [rate, worth(lineItems.filter(({ vatRate }) => vatRate === rate))]));
  const discount = formatMoney(
    lineItems.reduce((sum, line) => sum + cents(line.discount), 0n),
    2,
  );
  return { record: { number: internalNumber, currency, transactionId, total: worth(lineItems), byVatRate, discount } };
}

function worth(lines: readonly RecordLine[]): string {
  return formatMoney(
    lines.reduce((sum, { price, quantity, discount }) => sum + cents(price) * BigInt(quantity) - cents(discount), 0n),
    2,
  );
}

function cents(amount: string): bigint {
  return parseMoney(amount, 2) ?? 0n;
}

describe('what a real store sent', () => {
  test.each(cases)('scenario $scenario ends with the expected record of order $orderId', async ({ scenario, orderId, wanted }) => {
    const facts = await completed(orderId, factsAbout(orderId, factsIn(scenario)));

    expect(summary(desired({ orderId, facts, settings }))).toMatchObject(
      wanted.review === undefined ? { record: wanted.record } : { record: null, review: wanted.review },
    );
  });

  test.each(cases)('scenario $scenario ends in the same facts of order $orderId in any order of merging, with repeats', ({ scenario, orderId }) => {
    const delivered = factsIn(scenario);
    const inOrder = factsAbout(orderId, delivered);

    fc.assert(
      fc.property(fc.shuffledSubarray([...delivered, ...delivered], { minLength: delivered.length * 2 }), (shuffled) => {
        expect(factsAbout(orderId, shuffled)).toEqual(inOrder);
      }),
      { numRuns: 20 },
    );
  });

  test('an order that was deleted before its webhook was sent is in no delivery', () => {
    expect(factsIn('58')).toEqual([]);
  });
});
