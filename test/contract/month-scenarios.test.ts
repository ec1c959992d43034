import { describe, expect, test } from 'vitest';
import { runs, SEED } from '../support/run-size.ts';
import { checkRules } from '../support/scenarios/check-scenarios.ts';
import { MonthRules } from '../support/scenarios/month-rules.ts';

test('by the rules of months, what stands is what was filed less what was given back', async () => {
  expect(await checkRules({ count: runs(60, 1_000), seed: SEED, tries: 600 })).toBeNull();
}, 300_000);

test('by the rules, an order that was deleted before its month was filed, and is put back later, is of the month of its new date', async () => {
  const rules = new MonthRules();
  const order = { id: 'o1', shop: 0, number: '#1', cents: 500, currency: 'EUR' as const, lines: 1, at: '2026-02-10T10:00:00Z', postal: false };
  rules.clock(new Date('2026-02-10T10:00:00Z'));
  await rules.create(order);
  await rules.create({ ...order, id: 'o2', number: '#2' });
  await rules.remove('o1');
  rules.clock(new Date('2026-03-02T10:00:00Z'));
  await rules.generate({ shop: 0, month: '2026-02' });
  await rules.file({ shop: 0, month: '2026-02', version: 1, asIs: false, withoutOutstanding: false });
  rules.clock(new Date('2026-04-05T10:00:00Z'));
  await rules.create({ ...order, at: '2026-04-05T10:00:00Z' });

  expect(await rules.generate({ shop: 0, month: '2026-03' })).toBeNull();
  expect(await rules.generate({ shop: 0, month: '2026-04' })).toBe(1);
});

describe('by the rules, a version that is filed after one that lists more was rejected', () => {
  const FEBRUARY = { shop: 0, month: '2026-02' };
  const file = { ...FEBRUARY, asIs: true, withoutOutstanding: true };
  const order = { id: 'o1', shop: 0, number: '#1', cents: 7245, currency: 'EUR' as const, lines: 1, at: '2026-02-10T10:00:00Z', postal: false };

  /** The first version lists 72.45, the second one 68.82. */
  async function twoVersions(): Promise<MonthRules> {
    const rules = new MonthRules();
    rules.clock(new Date('2026-02-10T10:00:00Z'));
    await rules.create(order);
    rules.clock(new Date('2026-03-01T10:00:00Z'));
    await rules.generate(FEBRUARY);
    await rules.remove('o1');
    await rules.create({ ...order, cents: 6882 });
    await rules.generate(FEBRUARY);
    return rules;
  }

  test('takes off the return that no file told, also after the term of its month', async () => {
    const rules = await twoVersions();
    rules.clock(new Date('2026-05-20T10:00:00Z'));
    await rules.file({ ...file, version: 1 });
    expect(await rules.settle({ shop: 0, month: '2026-05' })).toMatchObject([{ number: '#1', cents: 363 }]);
    rules.clock(new Date('2026-07-20T10:00:00Z'));
    await rules.reject(FEBRUARY);
    await rules.file({ ...file, version: 2 });

    expect(await rules.settle({ shop: 0, month: '2026-05' })).toEqual([]);
  });

  test('leaves the return that a filed file told: the rest is given back, too, and what stands is a sale of its own', async () => {
    const rules = await twoVersions();
    await rules.file({ ...file, version: 1 });
    const march = { shop: 0, month: '2026-03' };
    await rules.create({ ...order, id: 'o2', number: '#2', at: '2026-03-01T10:00:00Z' });
    rules.clock(new Date('2026-04-02T10:00:00Z'));
    await rules.generate(march);
    await rules.file({ ...file, ...march, version: 1 });
    await rules.reject(FEBRUARY);
    await rules.file({ ...file, version: 2 });
    await rules.generate({ ...FEBRUARY, month: '2026-04' });

    expect(await rules.said({ ...march, version: 1 })).toMatchObject({ returns: [{ number: '#1', cents: 363 }] });
    expect(await rules.said({ shop: 0, month: '2026-04', version: 1 })).toMatchObject({
      orders: [{ number: '#1 / 0000000003', cents: 6882 }],
      returns: [{ number: '#1', cents: 6519 }],
    });
  });
});
