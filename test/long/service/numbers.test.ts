import { describe, expect, test } from 'vitest';
import { advanceTo, numbersOf } from '../../../src/operations/service/numbers.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const UIC = '206770508';
const by = 'cli:test@host';

const worlds = useServiceWorlds();

const world = async () => worlds.audit(OCTOBER);

describe('D8: the operator', () => {
  test('raises the next number, and sees what was given, voided and skipped, and why', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    await w.remove(id);

    const skipped = await advanceTo(w.server, { companyUic: UIC, to: 500, why: 'the backup of 1.10.', by });
    const after = await w.create(october(3));

    expect([skipped, after.documentNumber]).toEqual([{ first: 3, last: 499 }, '0000000500']);
    expect(await numbersOf(w.server, UIC)).toEqual({
      merchant: UIC,
      next: 501,
      given: [
        { first: 1, last: 2, voided: 1 },
        { first: 500, last: 500, voided: 0 },
      ],
      skipped: [{ first: 3, last: 499, why: 'the backup of 1.10.', who: by, at: expect.stringMatching(/^20/) }],
      shops: [{ id: w.shopId, name: 'Магазин за чаши', ownerId: expect.any(String), orders: 2 }],
      owners: [expect.any(String)],
    });
  });

  test('can’t lower it, or raise it beyond ten digits, or name a company that is not here', async () => {
    await using w = await world();
    await w.create(october(1));
    const to = (next: number, companyUic = UIC) => advanceTo(w.server, { companyUic, to: next, why: 'try', by });

    await expect(to(1)).rejects.toThrow('numbers only rise, the next is 0000000002');
    await expect(to(10_000_000_000)).rejects.toThrow('ten digits');
    await expect(to(5, '131071587')).rejects.toThrow('no shop here is of the company 131071587');
    await expect(to(5, '206770509')).rejects.toThrow('its check digit does not fit');
    await expect(numbersOf(w.server, '131071587')).rejects.toThrow('no shop here');
    expect(await to(2)).toBeNull();
    expect((await w.create(october(2))).documentNumber).toBe('0000000002');
  });

  test('may say where numbers begin before the first order, whatever the shop says', async () => {
    await using w = await world();

    expect(await advanceTo(w.server, { companyUic: UIC, to: 300, why: 'they come from another system', by })).toBeNull();

    expect((await w.create(october(1))).documentNumber).toBe('0000000300');
    expect((await numbersOf(w.server, UIC)).skipped).toEqual([]);
  });

  test('does so while orders are created: none gets a number that is skipped, or one twice', async () => {
    await using w = await world();
    await w.create(october(1));

    const created = Promise.all(Array.from({ length: 40 }, (_, n) => w.create(october(n + 2))));
    const skipped = await advanceTo(w.server, { companyUic: UIC, to: 1_000, why: 'at the same time', by });
    const numbers = (await created).map(({ documentNumber }) => Number(documentNumber));

    if (skipped === null) throw new Error('nothing was skipped');
    expect(new Set(numbers).size).toBe(40);
    expect(numbers.filter((number) => number >= skipped.first && number <= skipped.last)).toEqual([]);
    const { given } = await numbersOf(w.server, UIC);
    expect(given[0]).toEqual({ first: 1, last: skipped.first - 1, voided: 0 });
  });
});

test('numbers that were skipped are no gap of the month’s file; a number that is missing is', async () => {
  await using w = await world();
  await w.create(october(1));
  await advanceTo(w.server, { companyUic: UIC, to: 9_000_000_000, why: 'from another system', by });
  await w.create(october(2));
  const { id } = await w.create(october(3));
  await w.create(october(4));
  w.setClock(NOVEMBER_IN_TERM);
  const key = { shopId: w.shopId, month: '2026-10' };

  expect(await generateMonth(auditDeps(w), key)).toMatchObject({ kind: 'generated', file: { findings: [] } });
  await w.server.pool.query('delete from compliance.orders where id = $1', [id]);
  expect(await generateMonth(auditDeps(w), key)).toMatchObject({
    kind: 'generated',
    file: { findings: [{ rule: 'file.document-number-gap', words: expect.stringContaining('9000000001') }] },
  });
});
