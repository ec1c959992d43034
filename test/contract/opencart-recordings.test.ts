import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addUp, subtract } from '../../src/bridge/storefronts/amounts.ts';
import type { Delivery } from '../../src/bridge/storefronts/contract.ts';
import { orderMessage } from '../../src/bridge/storefronts/standard/payload.ts';
import { standard } from '../../src/bridge/storefronts/standard/standard.ts';
import { newsOf } from '../support/samples/snapshot-of.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const folder = new URL('../fixtures/opencart/', import.meta.url);

const recording = z.object({
  version: z.string(),
  kind: z.string(),
  /** Those of the order as OpenCart has them in the end, in the buyer's currency. */
  totals: z.array(z.object({ code: z.string(), title: z.string(), value: z.number() })),
  webhooks: z.array(z.object({ headers: z.array(z.tuple([z.string(), z.string()])), body_base64: z.string() })).min(1),
});

const recordings = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => recording.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))));

type Recording = (typeof recordings)[number];

function deliveriesOf({ webhooks }: Recording): Delivery[] {
  return webhooks.map(({ headers, body_base64 }) => ({ headers: new Map(headers), body: Buffer.from(body_base64, 'base64') }));
}

function read({ headers, body }: Delivery) {
  return newsOf(standard.normalize(standard.envelope(headers), JSON.parse(body.toString())));
}

const cents = (amount: number): number => Math.round(Math.round(amount * 1e6) / 1e4);
const sumOf = ({ totals }: Recording, ...codes: string[]): number =>
  totals.filter(({ code }) => codes.includes(code)).reduce((sum, { value }) => sum + cents(value), 0);

describe.each(recordings.map((each) => [`${each.version}: ${each.kind}`, each] as const))('OpenCart %s', (_name, each) => {
  test('is signed, and read whole', () => {
    for (const delivery of deliveriesOf(each)) {
      const now = Number(delivery.headers.get('webhook-timestamp')) * 1000;
      expect(standard.verify(delivery, [SECRET], now)).toEqual({ trusted: true });
      expect(read(delivery).snapshot?.problems ?? []).toEqual([]);
    }
  });

  test('costs what OpenCart says, in lines that come to it', () => {
    const last = deliveriesOf(each).at(-1);
    const { snapshot, deleted, refunds = [] } = read(last ?? { headers: new Map(), body: Buffer.alloc(0) });
    if (deleted === true) return expect(each.totals).toEqual([]);
    const { total = '', lines = [] } = snapshot ?? {};
    const lined = addUp(lines.map(({ gross, discount }) => subtract(gross, discount)));

    expect(lined).toBe(total);
    expect(cents(Number(total))).toBe(sumOf(each, 'total') - sumOf(each, 'voucher', 'credit', 'refund'));
    if (each.kind.startsWith('refunded in part')) expect(refunds.map(({ amount }) => cents(Number(amount)))).toEqual([-sumOf(each, 'refund')]);
    if (each.kind === 'refunded') expect(refunds.map(({ amount }) => amount)).toEqual([total]);
  });
});

test('both versions were recorded, with every kind of order', () => {
  const kindsOf = (version: string) => recordings.filter((each) => each.version === version).map(({ kind }) => kind);

  expect(kindsOf('3').filter((kind) => !kindsOf('4').includes(kind))).toEqual(['voucher pays', 'voucher sold']);
  expect(kindsOf('4')).toHaveLength(27);
});

test('no message says more than the schema, whose strict objects refuse unknown fields', () => {
  const bodies = recordings.flatMap(deliveriesOf).map(({ body }): unknown => JSON.parse(body.toString()));
  const orders = bodies.map((body) => orderMessage.safeParse(body)).filter(({ success }) => success);

  expect(orders.length).toBeGreaterThan(50);
});
