import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftLine, Snapshot } from '../../src/bridge/order/facts/facts.ts';
import { connectOptions } from '../../src/bridge/storefronts/connect-options.ts';
import type { Envelope, Normalized, PlatformOptions, Storefront } from '../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../src/bridge/storefronts/read-payload.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { decimalsOf, parseMoney } from '../../src/contract/money.ts';
import { runs } from '../support/run-size.ts';
import type { Sample, StorefrontSamples } from '../support/samples/storefront-samples.ts';
import { replaceSomewhere } from '../support/worlds/replace-somewhere.ts';

const UTC_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const optionsOf: Readonly<Record<string, PlatformOptions>> = connectOptions;

// A storefront without samples fails here: `test/fixtures/NAME/battery.ts` is where they are.
const cases = await Promise.all(
  Object.entries<Storefront>(storefronts).map(async ([platform, storefront]) => {
    const { samples }: { samples: StorefrontSamples } = await import(`../fixtures/${platform}/battery.ts`);
    return { platform, storefront, samples };
  }),
);

describe.each(cases)('$platform as every storefront', ({ platform, storefront, samples }) => {
  const { secret, otherSecret, now, faulty, unsafe, foreign } = samples;
  const [first] = samples.orders;
  if (first === undefined) throw new Error(`${platform} has no samples`);
  const signed = samples.sign({ topic: first.topic, bytes: bytesOf(first) }, secret);

  test('is registered under its name, and names the topics to subscribe to', () => {
    expect(storefront.name).toBe(platform);
    expect(storefront.topics.length).toBeGreaterThan(0);
    expect(storefront.topics.filter((topic) => storefront.alsoTopics?.includes(topic))).toEqual([]);
  });

  test('reads headers that say nothing', () => {
    expect(storefront.envelope(new Map())).toEqual({ topic: '', deliveryId: null, store: null });
  });

  test('names no store in its deliveries, or says that it does', () => {
    const named = [storefront.envelope(signed.headers).store, storefront.storeOf?.(first.body) ?? null];

    expect(storefront.deliveriesNameStore || named.every((store) => store === null)).toBe(true);
  });

  test('names each credential of its API so that it is an option, with its words', () => {
    const credentials = Object.entries(storefront.api?.credentials ?? {});

    expect(credentials.filter(([name, { placeholder, words }]) => !/^[a-z]+([A-Z][a-z]*)*$/.test(name) || placeholder === '' || words === '')).toEqual([]);
    expect(storefront.api?.words).not.toBe('');
  });

  test('has in the help of `connect` what it asks for', () => {
    expect(optionsOf[platform]?.api?.credentials).toBe(storefront.api?.credentials);
    expect([optionsOf[platform]?.api?.words, optionsOf[platform]?.nameHint]).toEqual([storefront.api?.words, storefront.nameHint]);
  });

  describe('verify', () => {
    test.each(samples.orders)('trusts $name, signed with the secret', (sample) => {
      const delivery = samples.sign({ topic: sample.topic, bytes: bytesOf(sample) }, secret);

      expect(storefront.verify(delivery, [secret], now)).toEqual({ trusted: true });
    });

    test('trusts any of several live secrets, at any place', () => {
      expect(storefront.verify(signed, [otherSecret, secret], now)).toEqual({ trusted: true });
      expect(storefront.verify(signed, [secret, otherSecret], now)).toEqual({ trusted: true });
    });

    test('refuses another secret, and no secret at all', () => {
      expect(storefront.verify(signed, [otherSecret], now)).toEqual({ trusted: false, code: 'signature.mismatch' });
      expect(storefront.verify(signed, [], now)).toEqual({ trusted: false, code: 'signature.mismatch' });
    });

    test('refuses a body of which any one bit was flipped', () => {
      const flips = fc.record({ at: fc.nat(signed.body.length - 1), bit: fc.nat(7) });

      fc.assert(
        fc.property(flips, ({ at, bit }) => {
          const body = Buffer.from(signed.body);
          body.writeUInt8(body.readUInt8(at) ^ (1 << bit), at);
          expect(storefront.verify({ ...signed, body }, [secret], now)).toEqual({ trusted: false, code: 'signature.mismatch' });
        }),
      );
    });

    test.each(samples.signatureHeaders)('says that the signature is missing without %s, and trusts no empty one', (name) => {
      const without = new Map([...signed.headers].filter(([key]) => key !== name));
      const empty = new Map([...signed.headers, [name, '']]);

      expect(storefront.verify({ ...signed, headers: without }, [secret], now)).toEqual({ trusted: false, code: 'signature.missing' });
      expect(storefront.verify({ ...signed, headers: empty }, [secret], now).trusted).toBe(false);
    });

    test('takes any header values without throwing', () => {
      const values = fc.tuple(...samples.signatureHeaders.map(() => fc.string({ unit: 'binary' })));

      fc.assert(
        fc.property(values, (given) => {
          const headers = new Map([...signed.headers, ...samples.signatureHeaders.map((name, i) => [name, given[i] ?? ''] as const)]);
          expect(storefront.verify({ ...signed, headers }, [secret], now).trusted).toBe(false);
        }),
      );
    });
  });

  test('takes its own secrets, and says what is wrong with an empty one', () => {
    expect(storefront.secretProblem(secret)).toBeNull();
    expect(storefront.secretProblem(otherSecret)).toBeNull();
    expect(storefront.secretProblem('')).toMatch(/\w+ \w+/);
  });

  test('takes the secrets that it makes, each another one', () => {
    const made = [storefront.newSecret?.(), storefront.newSecret?.()].filter((one) => one !== undefined);

    expect(new Set(made).size).toBe(made.length);
    for (const one of made) expect([storefront.secretProblem(one), storefront.secretAdvice?.(one) ?? null]).toEqual([null, null]);
  });

  describe('normalize', () => {
    test.each(samples.orders)('reads $name to the cent, in UTC, with ids as text', (sample) => {
      const normalized = normalize(storefront, sample);

      const { orderId, snapshot } = newsOf(normalized);
      if (snapshot === undefined) throw new Error('there is no snapshot');
      expect(orderId).toMatch(/^\S+$/);
      expect(snapshot.problems).toEqual([]);
      expect(shapeErrors(snapshot)).toEqual([]);
      expect(snapshot.lines.filter(isBelowZero)).toEqual([]);
      expect(sumOfLines(snapshot)).toBe(toPay(snapshot));
    });

    test.each(samples.orders)('gives the same for $name each time, and leaves the body as it was', (sample) => {
      const before = structuredClone(sample.body);
      const twice = [normalize(storefront, sample), normalize(storefront, sample)];

      expect(twice[0]).toEqual(twice[1]);
      expect(sample.body).toEqual(before);
    });

    test.each(samples.orders)('gives the same for $name, digest too, whatever the order of its keys', (sample) => {
      expect(normalize(storefront, { ...sample, body: keysReversed(sample.body) })).toEqual(normalize(storefront, sample));
    });

    test('never throws, for any body', () => {
      const topics = fc.constantFrom(...storefront.topics, ...(storefront.alsoTopics ?? []), first.topic, '', 'nonsense');

      fc.assert(
        fc.property(topics, fc.jsonValue(), (topic, body) => {
          expect(wellFormed(normalize(storefront, { topic, body }))).toBe(true);
          expect(storefront.storeOf?.(body) ?? '').toBeTypeOf('string');
        }),
      );
    });

    test('reads every topic that `connect` names', () => {
      const topics = [...storefront.topics, ...(storefront.alsoTopics ?? [])];

      expect(topics.filter((topic) => normalize(storefront, { topic, body: {} }).kind === 'ignored')).toEqual([]);
    });

    test('never throws on an order of which a part was replaced, and never lets a broken snapshot through', () => {
      const rubbish = fc.oneof(
        fc.jsonValue(),
        fc.double(),
        fc.constantFrom('-1', '0.001', '1e400', '9'.repeat(40), 'NaN', '2026-13-45T99:99:99Z', '__proto__'),
      );
      const broken = fc.tuple(fc.constantFrom(...samples.orders), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), rubbish);

      fc.assert(
        fc.property(broken, ([sample, seeds, value]) => {
          const body = seeds.reduce((whole, seed) => replaceSomewhere(whole, seed, value), sample.body);
          const normalized = normalize(storefront, { topic: sample.topic, body });
          expect(wellFormed(normalized)).toBe(true);
          if (normalized.kind === 'order' && normalized.news.snapshot) expect(shapeErrors(normalized.news.snapshot)).toEqual([]);
        }),
        { numRuns: runs(200, 1_000) },
      );
    });

    test('names every fault of a body at once, and repeats no value of it', () => {
      const normalized = normalize(storefront, faulty);

      if (normalized.kind !== 'unreadable') throw new Error(`it is ${normalized.kind}`);
      const details = normalized.problems.map(({ detail }) => detail).join('\n');
      for (const path of faulty.paths) expect(details).toContain(path);
      expect(details).not.toContain(faulty.marker);
    });

    test('keeps an id that no float can represent, digit by digit', () => {
      const parsed = parseJson(Buffer.from(unsafe.json));

      expect(newsOf(normalize(storefront, { topic: unsafe.topic, body: parsed.ok ? parsed.value : null })).orderId).toBe('9007199254740993');
    });

    test.skipIf(foreign === undefined)('ignores what is not about an order, and says why', () => {
      expect(foreign && normalize(storefront, foreign)).toMatchObject({ kind: 'ignored', why: expect.stringMatching(/\w+ \w+/) });
    });
  });
});

function bytesOf({ body }: Pick<Sample, 'body'>): Buffer {
  return Buffer.from(JSON.stringify(body));
}

function normalize(storefront: Storefront, { topic, body }: Pick<Sample, 'topic' | 'body'>): Normalized {
  const envelope: Envelope = { topic, deliveryId: null, store: null };
  return storefront.normalize(envelope, body);
}

function newsOf(normalized: Normalized): Extract<Normalized, { kind: 'order' }>['news'] {
  if (normalized.kind !== 'order') throw new Error(JSON.stringify(normalized));
  return normalized.news;
}

function wellFormed(normalized: Normalized): boolean {
  return normalized.kind !== 'unreadable' || normalized.problems.every(({ code, detail }) => code === 'payload.unreadable' && detail !== '');
}

function keysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysReversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, keysReversed(field)]),
  );
}

/** Paths of a snapshot that break the promises of its type, in words. */
function shapeErrors(snapshot: Snapshot): string[] {
  const instants = [snapshot.updatedAt, snapshot.placedAt, snapshot.paidAt ?? snapshot.placedAt];
  const amounts = [
    snapshot.total,
    ...snapshot.lines.flatMap(({ gross, discount }) => [gross, discount]),
    ...(snapshot.refunds ?? []).map(({ amount }) => amount),
  ];
  const lines = snapshot.lines.flatMap(({ id, name, quantity, vatRate }) => [
    ...(id === '' || name === '' ? ['a line without id or name'] : []),
    ...(/^\d+(\.\d+)?$/.test(quantity) && Number(quantity) > 0 ? [] : [`quantity ${quantity}`]),
    ...(/^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(vatRate) ? [] : [`rate ${vatRate}`]),
  ]);
  return [
    ...instants.filter((instant) => !UTC_MS.test(instant)),
    ...amounts.filter((amount) => !/^-?\d+(\.\d+)?$/.test(amount)),
    ...lines,
    ...(Number.isNaN(Date.parse(snapshot.createdAt)) ? ['createdAt'] : []),
    ...(/^[0-9a-f]{64}$/.test(snapshot.digest) ? [] : ['digest']),
    ...(Number.isSafeInteger(snapshot.rank) ? [] : ['rank']),
  ];
}

/** Of a real order, only a fee may be below zero. What a broken one says, the domain refuses. */
function isBelowZero({ kind, gross, discount }: DraftLine): boolean {
  return discount.startsWith('-') || (kind !== 'fee' && gross.startsWith('-'));
}

/** What the lines must add up to: all that was paid, but for refunds that the lines have left out already. */
function toPay({ total, refunds, currency }: Snapshot): bigint {
  const deducted = (refunds ?? []).map((refund) => parseMoney(refund.deducted ?? '0', decimalsOf(currency)) ?? 0n);
  return deducted.reduce((rest, amount) => rest - amount, parseMoney(total, decimalsOf(currency)) ?? 0n);
}

function sumOfLines({ lines, currency }: Snapshot): bigint {
  const amounts = lines.flatMap(({ gross, discount }) => [parseMoney(gross, decimalsOf(currency)), -(parseMoney(discount, decimalsOf(currency)) ?? 0n)]);
  return amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
}
