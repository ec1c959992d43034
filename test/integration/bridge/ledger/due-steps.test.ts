import { describe, expect, test } from 'vitest';
import { claimsIn, createOf, dueLedger, idsOf, PAGE, pending } from '../../../support/worlds/due-ledger.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

describe('the first step', () => {
  test('is journaled with the claim; an order without a plan is claimed alone', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const [planned = 0, unplanned = 0] = await pending(it, b, { count: 2, minutes: 5 });
    const plan = async (claim: Parameters<typeof createOf>[0]) => (claim.id === planned ? createOf(claim, b.connection.destinationId) : null);

    const { orders } = await dueLedger(it, b, { plan }).claim(PAGE);

    expect(orders.map(({ claim, begun }) => [claim.id, claim.fence, begun?.action.step.kind ?? null])).toEqual([
      [planned, 1, 'create'],
      [unplanned, 1, null],
    ]);
    expect(await claimsIn(it)).toEqual([
      { id: planned, fence: 1, leased: true, openStep: 'create', stepSeq: 1, steps: 1 },
      { id: unplanned, fence: 1, leased: true, openStep: null, stepSeq: 0, steps: 0 },
    ]);
  });

  test('a failure after the lock leaves neither claim nor step; then the page is claimed without steps', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const ids = await pending(it, b, { count: 3, minutes: 5 });
    let planned = 0;
    const broken = dueLedger(it, b, {
      plan: async (claim) => {
        planned += 1;
        if (planned === 3) throw new Error('killed');
        return createOf(claim, b.connection.destinationId);
      },
    });

    const page = await broken.claim(PAGE);

    expect(page.orders.map(({ claim, begun }) => [claim.id, begun])).toEqual(ids.map((id) => [id, null]));
    expect((await claimsIn(it)).map(({ fence, leased, openStep, steps }) => ({ fence, leased, openStep, steps }))).toEqual(
      ids.map(() => ({ fence: 1, leased: true, openStep: null, steps: 0 })),
    );
  });

  test('neither does a connection that breaks between lock and commit', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const ids = await pending(it, b, { count: 2, minutes: 5 });
    const broken = dueLedger(it, b, {
      plan: async (claim) => {
        await it.bridge.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
        );
        return createOf(claim, b.connection.destinationId);
      },
    });

    expect(idsOf(await broken.claim(PAGE))).toEqual(ids);

    expect((await claimsIn(it)).map(({ fence, steps }) => [fence, steps])).toEqual(ids.map(() => [1, 0]));
  });

  test('of a connection on trial is not begun, whatever its reader knew; a replacement is', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect({ trial: true });
    const mapping = { vatGroups: {}, payments: {}, convertTo: null, pricesContainVat: null, giftCards: null, giftCardsDeducted: null };
    const [first = 0, recorded = 0] = await pending(it, b, { count: 2, minutes: 5 });
    await it.bridge.pool.query('update orders set mapping = $2 where id = $1', [recorded, JSON.stringify(mapping)]);

    const { orders } = await dueLedger(it, b).claim(PAGE);

    expect(orders.map(({ claim, begun }) => [claim.id, begun !== null])).toEqual([
      [first, false],
      [recorded, true],
    ]);
    expect((await claimsIn(it)).map(({ leased, openStep, steps }) => [leased, openStep, steps])).toEqual([
      [true, null, 0],
      [true, 'create', 1],
    ]);
  });
});
