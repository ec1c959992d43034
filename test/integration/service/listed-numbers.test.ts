import { describe, expect, test } from 'vitest';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { brief, FIRST_VERSION, filed, made, sale } from '../../support/worlds/filed-october.ts';
import { OCTOBER } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);

describe('the number in the file is kept with the order', () => {
  test('an earlier order with the same number in a later month does not change it', async () => {
    await using w = await world();
    // The first order with #7 is of November by its date, but has the smaller document number.
    w.setClock('2026-11-05T10:00:00Z');
    const later = await w.create(sale(7, 10, { internalId: 'a', internalNumber: '#7', internalCreatedAt: '2026-11-05T10:00:00+02:00' }));
    const second = await w.create(sale(7, 20, { internalId: 'b', internalNumber: '#7' }));
    w.setClock(FIRST_VERSION);
    await made(w);
    await filed(w, 1);
    await w.remove(later.id);
    await w.remove(second.id);

    expect((await brief(w, '2026-10')).orders.map(([number]) => number)).toEqual(['#7 / 0000000002']);
    expect((await brief(w, '2026-11')).returns.map(([number]) => number)).toEqual(['#7 / 0000000002']);
  });

  test('of a group that is recorded at once each order has its own', async () => {
    await using w = await world();
    await Promise.all(Array.from({ length: 20 }, (_, n) => w.create(sale(n, 10, { internalNumber: '#7' }))));

    const numbers = (await w.list('2026-10')).orders.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(20);
    expect(numbers.filter((number) => number === '#7')).toHaveLength(1);
  });
});
