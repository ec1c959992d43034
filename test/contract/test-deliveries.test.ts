import { describe, expect, test } from 'vitest';
import type { Storefront, TestOrder } from '../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../src/bridge/storefronts/read-payload.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NOW = Date.parse('2026-11-21T10:00:00.123Z');
const given: TestOrder = { id: '1763719200123456', now: NOW, secret: SECRET, store: null };
const cases = Object.values<Storefront>(storefronts).filter(({ testDeliveries }) => testDeliveries !== undefined);

function parsedType(body: Buffer): unknown {
  const message: { type?: unknown } = JSON.parse(body.toString());
  return message.type;
}

function read(storefront: Storefront, order: TestOrder) {
  return (storefront.testDeliveries?.(order) ?? []).map((delivery) => {
    const envelope = storefront.envelope(delivery.headers);
    const parsed = parseJson(delivery.body);
    return { delivery, envelope, said: storefront.normalize(envelope, parsed.ok ? parsed.value : null) };
  });
}

describe.each(cases.map((storefront) => [storefront.name, storefront] as const))('a test order of %s', (_name, storefront) => {
  test('is trusted, paid now, and names its order in each delivery', () => {
    const deliveries = read(storefront, given);

    for (const { delivery, said } of deliveries) {
      expect(storefront.verify(delivery, [SECRET], NOW)).toEqual({ trusted: true });
      expect(said).toMatchObject({ kind: 'order', news: { orderId: given.id } });
    }
    expect(deliveries[0]?.said).toMatchObject({ news: { snapshot: { payment: 'paid', total: '1.20', problems: [], number: 'TEST-123456' } } });
  });

  test('that is sent an hour later is the same, and trusted then', () => {
    const later = NOW + 3_600_000;
    const [first, again] = [given, { ...given, signedAt: later }].map((order) => read(storefront, order));

    expect(again?.map(({ delivery }) => delivery.body)).toEqual(first?.map(({ delivery }) => delivery.body));
    for (const { delivery } of again ?? []) expect(storefront.verify(delivery, [SECRET], later)).toEqual({ trusted: true });
  });

  test('names the store that its deliveries name, and none while it is not known', () => {
    const store = 'corner.myshopify.com';
    const named = (known: string | null) => read(storefront, { ...given, store: known })[0]?.envelope.store ?? null;

    expect(named(null)).toBeNull();
    expect(named(store)).toBe(storefront.deliveriesNameStore ? store : null);
  });

  test.each(Object.entries(storefront.samples ?? {}))('for %s comes after what comes before it, trusted and of one order', (topic, sample) => {
    const lists = sample(given);

    for (const delivery of lists.flat()) {
      const parsed = parseJson(delivery.body);
      expect(storefront.verify(delivery, [SECRET], NOW)).toEqual({ trusted: true });
      expect(storefront.normalize(storefront.envelope(delivery.headers), parsed.ok ? parsed.value : null)).toMatchObject({
        ...{ kind: 'order', news: { orderId: given.id } },
      });
    }
    const last = lists.at(-1)?.[0];
    expect(last && (storefront.envelope(last.headers).topic || parsedType(last.body))).toBe(topic);
  });

  test('of another is signed anew with the headers of the platform', () => {
    const unsigned = { topic: storefront.topics[0] ?? '', id: '7', store: 'corner.example', secret: SECRET, now: NOW, body: Buffer.from('{"a":1}') };
    const signed = storefront.sign?.(unsigned);

    expect(signed && storefront.verify(signed, [SECRET], NOW)).toEqual({ trusted: true });
    expect(signed && storefront.envelope(signed.headers)).toMatchObject({
      ...{ deliveryId: '7', topic: storefront.deliveriesNameStore ? unsigned.topic : '', store: storefront.deliveriesNameStore ? 'corner.example' : null },
    });
  });

  test('of a file is sent as it is, alone', () => {
    const deliveries = read(storefront, { ...given, order: { hello: 1 } });

    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]?.delivery.body.toString()).toBe('{"hello":1}');
  });
});

test('a secret that is none of its platform signs nothing that is trusted', () => {
  const { standard } = storefronts;
  const [delivery] = standard.testDeliveries?.({ ...given, secret: 'none' }) ?? [];

  expect(delivery && standard.verify(delivery, [SECRET], NOW)).toMatchObject({ trusted: false });
});
