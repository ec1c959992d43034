import { describe, expect, test } from 'vitest';
import { type CallType, createPauses, type Pause, type PauseLedger } from '../../../../src/bridge/delivery/pauses.ts';

const START = Date.parse('2026-11-21T10:00:00Z');

/** Pauses that are kept in memory, at a time that the test moves. */
function pausesAt(kept: Pause[] = [], ledgerIsAheadMs = 0) {
  const seen = { now: START, probes: [] as number[], resumed: 0, asked: 0, failed: [] as string[] };
  const down = { ledger: false, queue: false };
  const ledger: PauseLedger = {
    async pauses() {
      if (down.ledger) throw new Error('no ledger');
      seen.asked += 1;
      return [...kept];
    },
    async pause(what, waitMs) {
      const same = ({ destinationId, shopId, callType }: Pause) => destinationId === what.destinationId && shopId === what.shopId && callType === what.callType;
      const before = kept.find(same);
      const now = seen.now + ledgerIsAheadMs;
      const failures = before === undefined ? 1 : before.failures + (Date.parse(before.until) > now ? 0 : 1);
      const leftMs = waitMs(failures);
      const made = { ...what, failures, since: new Date(now).toISOString(), until: new Date(now + leftMs).toISOString(), leftMs };
      kept.splice(before === undefined ? kept.length : kept.indexOf(before), 1, made);
      return made;
    },
    async resume({ destinationId, shopId, callType }) {
      const at = kept.findIndex((one) => one.destinationId === destinationId && one.shopId === shopId && one.callType === callType);
      return at >= 0 && kept.splice(at, 1).length === 1;
    },
  };
  const pauses = createPauses({
    ledger,
    now: () => seen.now,
    random: () => 0,
    async probeIn(_scope, ms) {
      if (down.queue) throw new Error('no queue');
      seen.probes.push(seen.now + ms - START);
    },
    resumed: async () => {
      seen.resumed += 1;
    },
    onPause: () => undefined,
    onFailed: (err) => seen.failed.push(String(err)),
  });
  return { pauses, seen, kept, down };
}

const doubt = { detail: '500' };
const RECORDS = { destinationId: 'd', shopId: 's', callType: 'records' } as const;
const RECEIPTS = { destinationId: 'd', shopId: 's', callType: 'receipts' } as const;
const called = (shopId: string, callType: CallType = 'records') => ({ destinationId: 'd', shopId, callType });

describe('what an answer says', () => {
  test('is left to the next answer if the ledger or the queue can’t keep it: whoever got the answer has to write it', async () => {
    const { pauses, seen, down } = pausesAt();
    down.queue = true;
    await pauses.pause(RECORDS, { code: 'compliance.throttled', detail: '429', retryAfterMs: 1_000 });
    down.ledger = true;
    seen.now += 2_000;
    await pauses.works(RECORDS);
    for (const orderId of [1, 2, 3]) await pauses.doubt(RECORDS, { orderId, ...doubt });

    expect(seen.failed).toEqual(['Error: no queue', ...Array(4).fill('Error: no ledger')]);
  });
});

describe('a destination', () => {
  test('whose pause another process ended is free within a second, also when the clock is set back', async () => {
    const { pauses, kept, seen } = pausesAt();
    await pauses.pause(RECORDS, { code: 'compliance.throttled', detail: '429', retryAfterMs: 1_000 });
    expect(await pauses.paused(called('s'))).not.toBeNull();

    kept.length = 0;
    seen.now -= 3_600_000;

    expect(await pauses.paused(called('s'))).toBeNull();
  });

  test('is not paused by one order that fails again and again', async () => {
    const { pauses, kept } = pausesAt();

    for (let times = 0; times < 10; times += 1) await pauses.doubt(RECORDS, { orderId: 1, ...doubt });

    expect(kept).toEqual([]);
  });

  test('is paused when several orders fail in a row, and not when one succeeds between them', async () => {
    const { pauses, kept } = pausesAt();

    for (const orderId of [1, 2]) await pauses.doubt(RECORDS, { orderId, ...doubt });
    await pauses.works(called('s'));
    for (const orderId of [3, 4]) await pauses.doubt(RECORDS, { orderId, ...doubt });
    expect(kept).toEqual([]);
    await pauses.doubt(called('other'), { orderId: 5, ...doubt });

    expect(kept).toMatchObject([{ destinationId: 'd', shopId: null, code: 'compliance.failing' }]);
    expect(await pauses.paused(called('s'))).toMatchObject({ code: 'compliance.failing' });
  });

  test('is paused for one shop when several orders in a row fail, all of that shop, and goes on for the others', async () => {
    const { pauses, kept } = pausesAt();

    for (const orderId of [1, 2, 3, 4]) await pauses.doubt(called('bad'), { orderId, ...doubt });

    expect(kept).toMatchObject([{ destinationId: 'd', shopId: 'bad', code: 'compliance.failing' }]);
    expect(await pauses.paused(called('bad'))).not.toBeNull();
    expect(await pauses.paused(called('good'))).toBeNull();
  });

  test('is paused whole when the next shop fails, too', async () => {
    const { pauses, kept } = pausesAt();
    for (const orderId of [1, 2, 3]) await pauses.doubt(called('bad'), { orderId, ...doubt });

    await pauses.doubt(called('good'), { orderId: 4, ...doubt });

    expect(kept).toMatchObject([{ shopId: 'bad' }, { shopId: null, code: 'compliance.failing' }]);
  });

  test('is paused whole when another process found that a second shop fails', async () => {
    const kept: Pause[] = [];
    for (const [shop, orders] of [
      ['bad', [1, 2, 3]],
      ['worse', [4, 5, 6]],
    ] as const) {
      const { pauses } = pausesAt(kept);
      for (const orderId of orders) await pauses.doubt(called(shop), { orderId, ...doubt });
    }

    expect(kept).toMatchObject([{ shopId: 'bad' }, { shopId: 'worse' }, { shopId: null }]);
  });

  test('is not paused by deletes whose 404 is not believed, however many; a pause that is there becomes longer', async () => {
    const { pauses, seen, kept } = pausesAt();

    for (const orderId of [1, 2, 3, 4]) await pauses.doubt(RECORDS, { orderId, detail: '404 page not found', ofOrder: true });
    expect(kept).toEqual([]);
    for (const orderId of [5, 6, 7]) await pauses.doubt(RECORDS, { orderId, ...doubt });
    seen.now += 600_000;
    await pauses.doubt(RECORDS, { orderId: 1, detail: '404 page not found', ofOrder: true });

    expect(kept).toMatchObject([{ shopId: 's', failures: 2 }]);
  });

  test('that says to wait for zero seconds is paused a little', async () => {
    const { pauses, seen } = pausesAt();

    await pauses.pause({ ...RECORDS, shopId: null }, { code: 'compliance.throttled', detail: '429', retryAfterMs: 0 });

    expect(seen.probes).toEqual([500]);
  });

  test.each([-60_000, 1_000])('is probed when its pause is over by the clock of the ledger, which differs from that of the process by %i ms', async (ms) => {
    const { pauses, seen } = pausesAt([], ms);

    await pauses.pause({ ...RECORDS, shopId: null }, { code: 'compliance.throttled', detail: '429', retryAfterMs: 30_000 });

    expect(seen.probes).toEqual([30_000]);
  });

  test('that another process found working keeps no order waiting for long', async () => {
    const { pauses, seen, kept } = pausesAt();
    await pauses.pause({ ...RECORDS, shopId: null }, { code: 'compliance.throttled', detail: '429', retryAfterMs: 60_000 });
    expect(await pauses.paused(called('s'))).not.toBeNull();

    kept.length = 0;
    seen.now += 150;

    expect(await pauses.paused(called('s'))).toBeNull();
  });

  test('may be paused for one shop, or for all; both pauses end with a success', async () => {
    const { pauses, seen, kept } = pausesAt();
    const reason = { code: 'compliance.misconfigured', detail: '404', retryAfterMs: null } as const;
    await pauses.pause({ ...RECORDS, shopId: 's' }, reason);

    expect(await pauses.paused(called('other'))).toBeNull();
    expect(await pauses.paused(called('s'))).not.toBeNull();

    await pauses.pause({ ...RECORDS, shopId: null }, reason);
    await pauses.works(called('s'));
    expect([kept, seen.resumed]).toEqual([[], 1]);
  });

  test('that is not paused costs the ledger one query a second at most', async () => {
    const { pauses, seen } = pausesAt();

    for (let times = 0; times < 100; times += 1) await pauses.paused(called('s'));

    expect(seen.asked).toBe(1);
  });
});

describe('a destination that is paused for receipts', () => {
  const reason = { code: 'compliance.misconfigured', detail: '403', retryAfterMs: null } as const;

  test('takes records, and one that it takes does not end the pause of receipts', async () => {
    const { pauses, kept } = pausesAt();
    await pauses.pause({ ...RECEIPTS, shopId: null }, reason);

    expect(await pauses.paused(called('s'))).toBeNull();
    expect(await pauses.paused(called('s', 'receipts'))).toMatchObject({ code: 'compliance.misconfigured' });
    await pauses.works(called('s'));
    expect(kept).toHaveLength(1);
    await pauses.works(called('s', 'receipts'));
    expect(kept).toEqual([]);
  });

  test('by answers of unknown meaning is so after those to several orders, even if records succeed between them', async () => {
    const { pauses, kept } = pausesAt();

    for (const orderId of [1, 2, 3]) {
      await pauses.works(called('s'));
      await pauses.doubt(RECEIPTS, { orderId, ...doubt });
    }

    expect(kept).toMatchObject([{ callType: 'receipts', code: 'compliance.failing' }]);
  });

  test('if it is for records, is so for receipts, too', async () => {
    const { pauses } = pausesAt();

    await pauses.pause({ ...RECORDS, shopId: null }, reason);

    expect(await pauses.paused(called('s', 'receipts'))).not.toBeNull();
  });
});

describe('B8: a 403', () => {
  const refused = { code: 'compliance.misconfigured', detail: '403 shop suspended', retryAfterMs: null, spreads: true } as const;
  const destination = { destinationId: 'd', shopId: null };

  test.each(['records', 'receipts'] as const)('pauses that shop, however many of its orders meet it, and no other (%s)', async (callType) => {
    const { pauses, seen, kept } = pausesAt();

    for (let orders = 0; orders < 10; orders += 1) await pauses.pause(called('bad', callType), refused);
    for (let probes = 0; probes < 5; probes += 1) {
      seen.now += 600_000;
      await pauses.pause(called('bad', callType), refused);
    }

    expect(kept).toMatchObject([{ shopId: 'bad', callType, failures: 6 }]);
    expect(await pauses.paused(called('bad', callType))).not.toBeNull();
    expect(await pauses.paused(called('good', callType))).toBeNull();
  });

  test.each(['records', 'receipts'] as const)('pauses the destination when a second shop meets it while the first is paused (%s)', async (callType) => {
    const { pauses, kept } = pausesAt();
    await pauses.pause(called('bad', callType), refused);

    await pauses.pause(called('worse', callType), refused);

    expect(kept).toMatchObject([{ shopId: 'bad' }, { shopId: 'worse' }, { ...destination, callType, code: 'compliance.misconfigured' }]);
    expect(await pauses.paused(called('good', callType))).not.toBeNull();
  });

  test('of a second shop does not stop the others again with each of its probes', async () => {
    const { pauses, seen, kept } = pausesAt();
    for (const shop of ['bad', 'worse']) await pauses.pause(called(shop), refused);
    await pauses.works(called('good'));
    expect(kept).toMatchObject([{ shopId: 'bad' }, { shopId: 'worse' }]);

    seen.now += 600_000;
    for (const shop of ['bad', 'worse']) await pauses.pause(called(shop), refused);

    expect(await pauses.paused(called('good'))).toBeNull();
  });

  test.each<[string, ReturnType<typeof called>, object]>([
    ['of the other type of call', called('other', 'receipts'), refused],
    ['with another answer', called('other'), { ...refused, spreads: undefined }],
    ['of another destination', { ...called('other'), destinationId: 'd2' }, refused],
  ])('is not joined by a pause %s', async (_what, other, reason) => {
    const { pauses, kept } = pausesAt();
    await pauses.pause(other, { ...refused, ...reason });

    await pauses.pause(called('bad'), refused);

    expect(kept.map(({ shopId }) => shopId)).toEqual(['other', 'bad']);
  });

  test('of one shop is not spread by an answer of unknown meaning to a second one', async () => {
    const { pauses, kept } = pausesAt();
    await pauses.pause(called('bad'), refused);

    await pauses.doubt(called('good'), { orderId: 1, ...doubt });
    expect(kept).toMatchObject([{ shopId: 'bad', code: 'compliance.misconfigured' }]);

    await pauses.doubt(called('bad'), { orderId: 2, ...doubt });
    expect(kept).toMatchObject([{ shopId: 'bad', code: 'compliance.failing' }]);
  });
});
