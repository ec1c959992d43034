import { describe, expect, test } from 'vitest';
import { type OrderOfJob, type OutboxJobDeps, type OutboxKind, outboxRuns } from '../../../../src/bridge/delivery/outbox-jobs.ts';
import type { Reply } from '../../../../src/bridge/order/decisions/answer.ts';
import type { JobEnd } from '../../../../src/platform/jobs/job-kind.ts';
import type { Job } from '../../../../src/platform/jobs/job-store.ts';

const order = (changes: Partial<OrderOfJob> = {}): OrderOfJob => ({
  ...{ orderId: 1, connectionId: 'c1', destinationId: 'd1', complianceId: 'r1', deliveredAt: null, waitsMs: null, isFree: true, isDeleted: false },
  ...changes,
});
const answered = (status: number, more: { detail?: string; retryAfterMs?: number } = {}): Reply => ({
  ...{ kind: 'answered', status, id: null, standingId: null, detail: more.detail ?? String(status), retryAfterMs: more.retryAfterMs ?? null },
});
const failed = (why: string, afterMs: number | null = null): JobEnd => ({ is: 'failed', why, afterMs });
const done: JobEnd = { is: 'done' };

type Script = {
  kind?: OutboxKind;
  attempts?: number;
  reply?: Reply | Error;
  isGone?: boolean;
  isSupported?: boolean;
  isWanted?: boolean;
  ids?: number[];
  most?: number;
};

const jobsOf = (ids: readonly number[], { attempts = 1, ageMs = 0 } = {}): Job[] =>
  ids.map((id) => ({ id, kind: 'forget-buyer', key: String(id), attempts, ageMs, error: null, lease: '' }));

const usual: Omit<OutboxJobDeps, 'orders' | 'tell'> = {
  isWanted: async () => true,
  supports: async () => true,
  isGone: async () => false,
  onDone: () => undefined,
  onNotDone: () => undefined,
  backoff: { firstMs: 1_000, mostMs: 600_000 },
  now: () => 0,
  random: () => 1,
};

/** Runs the jobs of these orders once, then `ms` later those of `again`: how each ended, whom the service was told of, and what was logged. */
async function run(orders: OrderOfJob[], script: Script = {}, { again = [], ms = 0 }: { again?: OrderOfJob[]; ms?: number } = {}) {
  const { kind = 'forget-buyer', attempts = 1, reply = answered(200), isGone = false, isSupported = true, isWanted = true, most = Infinity } = script;
  const told: number[] = [];
  const logged: string[] = [];
  const left: Record<string, number>[] = [];
  const over = new AbortController();
  let now = 0;
  const deps: OutboxJobDeps = {
    ...usual,
    orders: async (_, ids, failing) => {
      left.push(failing);
      return [...orders, ...again].filter(({ orderId }) => ids.includes(orderId));
    },
    isWanted: async () => isWanted,
    supports: async () => isSupported,
    tell: async (_, { orderId }) => {
      told.push(orderId);
      if (told.length === most) over.abort();
      if (reply instanceof Error) throw reply;
      return reply;
    },
    isGone: async () => isGone,
    onNotDone: (_, orderId, why) => void logged.push(`${orderId} ${why}`),
    now: () => now,
  };
  const run = outboxRuns(deps)[kind];
  const { signal } = over;
  const first = await run(jobsOf(script.ids ?? orders.map(({ orderId }) => orderId), { attempts }), signal);
  now = ms;
  const second = await run(
    jobsOf(
      again.map(({ orderId }) => orderId),
      { attempts },
    ),
    signal,
  );
  return { ends: [...first, ...second], told, logged, left };
}

describe('an outbox job', () => {
  test.each<[string, OrderOfJob, Script, JobEnd]>([
    ['is done when the service has taken it', order(), {}, done],
    ['waits while an attempt could make another record', order({ isFree: false }), {}, { is: 'waits', ms: 5_000 }],
    ['waits as long as its service is paused', order({ isFree: false, waitsMs: 90_000 }), {}, { is: 'waits', ms: 90_000 }],
    ['is over without a record', order({ complianceId: null, destinationId: null }), {}, done],
    ['is over without an order', order(), { ids: [2] }, done],
    ['of a deleted record is done when the service has taken it', order({ isDeleted: true }), {}, done],
    ['of a deleted record is over if the service has nothing left of it', order({ isDeleted: true }), { reply: answered(404) }, done],
    ['of a deleted record is over where the service can’t be told', order({ isDeleted: true }), { isSupported: false }, done],
    ['of a deleted record is retried', order({ isDeleted: true }), { reply: answered(503) }, failed('503')],
    ['stays where the service can’t be told', order(), { isSupported: false }, { is: 'blocked', why: 'the service can’t be told' }],
    ['is done if the service itself says that it has no such record', order(), { reply: answered(404), isGone: true }, done],
    ['is retried if the address is missing', order(), { reply: answered(404) }, failed('404')],
    ['is retried after a lost reply', order(), { reply: { kind: 'lost', error: 'hung up' } }, failed('hung up')],
    ['waits for as long as the service says', order(), { reply: answered(429, { retryAfterMs: 60_000 }) }, failed('429', 60_000)],
    ['waits for a destination that can’t be read', order(), { reply: new Error('no destination') }, failed('no destination')],
    ['of a delivery is over if the settings want none', order({ deliveredAt: 'x' }), { kind: 'delivered', isWanted: false }, done],
    ['of a delivery is over if it was taken back', order(), { kind: 'delivered' }, done],
    ['of a delivery is done when the service has taken it', order({ deliveredAt: 'x' }), { kind: 'delivered' }, done],
  ])('%s', async (...[, one, script, end]) => {
    expect((await run([one], script)).ends).toEqual([end]);
  });

  test('is logged the first time only', async () => {
    expect((await run([order()], { reply: answered(500) })).logged).toEqual(['1 500']);
    expect((await run([order()], { reply: answered(500), attempts: 2 })).logged).toEqual([]);
  });

  test('to a destination that fails keeps no other destination waiting, and its next ones are not tried in vain', async () => {
    const { told, ends } = await run([order(), order({ orderId: 2 }), order({ orderId: 3, destinationId: 'd2' })], { reply: answered(503) });

    expect(told.toSorted()).toEqual([1, 3]);
    expect(ends).toEqual([failed('503'), { is: 'waits', ms: 1_000 }, failed('503')]);
  });

  test('to a destination that failed is tried again when its time is over', async () => {
    const soon = await run([order()], { reply: answered(503) }, { again: [order({ orderId: 2 })], ms: 999 });
    const later = await run([order()], { reply: answered(503) }, { again: [order({ orderId: 2 }), order({ orderId: 3 })], ms: 1_000 });

    expect(soon.ends).toEqual([failed('503'), { is: 'waits', ms: 1 }]);
    expect([soon.left, later.left]).toEqual([
      [{}, { d1: 1 }],
      [{}, {}],
    ]);
    expect(later.ends).toEqual([failed('503'), failed('503'), { is: 'waits', ms: 2_000 }]);
  });

  test('that was told of is done though the time of its page is over, and those after it wait', async () => {
    const { told, ends } = await run([order(), order({ orderId: 2 })], { most: 1 });

    expect([told, ends]).toEqual([[1], [done, { is: 'waits', ms: 0 }]]);
  });

  test('that is refused for its own record holds up no other one', async () => {
    expect((await run([order(), order({ orderId: 2 })], { reply: answered(422) })).told).toEqual([1, 2]);
  });

  test('to a destination that hangs keeps no other destination waiting, nor are its other ones sent at the same time', async () => {
    const orders = [order(), order({ orderId: 2 }), order({ orderId: 3, destinationId: 'd2' })];
    const answers = Promise.withResolvers<Reply>();
    const told: number[] = [];
    const left: Record<string, number>[] = [];
    const runs = outboxRuns({
      ...usual,
      orders: async (_, ids, waits) => {
        left.push(waits);
        return orders.filter(({ orderId }) => ids.includes(orderId));
      },
      tell: (_, { orderId, destinationId }) => {
        told.push(orderId);
        return destinationId === 'd1' ? answers.promise : Promise.resolve(answered(200));
      },
    });
    const { signal } = new AbortController();
    const hanging = runs['forget-buyer'](jobsOf([1]), signal);

    const ends: JobEnd[][] = [];
    for (const ageMs of [0, 60_000, 9e9]) ends.push(await runs['forget-buyer'](jobsOf([2, 3], { ageMs }), signal));

    expect(ends).toEqual([1_000, 60_000, 600_000].map((ms) => [{ is: 'waits', ms }, done]));
    expect([told, left[2]]).toEqual([[1, 3, 3, 3], { d1: 1_000 }]);
    answers.resolve(answered(200));
    expect([await hanging, await runs['forget-buyer'](jobsOf([2]), signal)]).toEqual([[done], [done]]);
  });
});
