import { describe, expect, test } from 'vitest';
import { type OutboxJob, type OutboxJobDeps, runOutboxJobs } from '../../../../src/bridge/delivery/run-outbox-jobs.ts';
import type { Reply } from '../../../../src/bridge/order/decisions/answer.ts';

const outboxJob = (changes: Partial<OutboxJob> = {}): OutboxJob => ({
  ...{ orderId: 1, kind: 'forget-buyer', attempts: 1, shopId: 's1', connectionId: 'c1', destinationId: 'd1', complianceId: 'r1', deliveredAt: null },
  ...{ isFree: true, isDeleted: false, madeAt: '2026-11-20', ...changes },
});
const answered = (status: number, more: { detail?: string; retryAfterMs?: number } = {}): Reply => ({
  ...{ kind: 'answered', status, id: null, standingId: null, detail: more.detail ?? String(status), retryAfterMs: more.retryAfterMs ?? null },
});

type Script = { reply?: Reply | Error; isGone?: boolean; isSupported?: boolean; isWanted?: boolean };

/** Runs these outbox jobs once; what was written of each, and which were told. */
async function run(outboxJobs: OutboxJob[], { reply = answered(200), isGone = false, isSupported = true, isWanted = true }: Script = {}) {
  const written: string[] = [];
  const told: string[] = [];
  let left = outboxJobs;
  const deps: OutboxJobDeps = {
    ledger: {
      take: async ({ except }) => {
        const page = left.filter(({ destinationId }) => destinationId === null || !except.includes(destinationId));
        left = [];
        return page;
      },
      done: async ({ orderId }) => void written.push(`${orderId} done`),
      later: async ({ orderId }, { ms, why }) => void written.push(`${orderId} later ${ms} ${why}`),
      unsupported: async ({ orderId }) => void written.push(`${orderId} unsupported`),
      supported: async () => undefined,
    },
    isWanted: async () => isWanted,
    supports: async () => isSupported,
    tell: async (kind, { orderId }) => {
      told.push(`${kind} ${orderId}`);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    isGone: async () => isGone,
    onDone: () => undefined,
    onNotDone: ({ orderId }, why) => void written.push(`${orderId} logged ${why}`),
    random: () => 1,
  };
  await runOutboxJobs(deps, new AbortController().signal);
  return { written, told };
}

describe('an outbox job', () => {
  test.each<[string, OutboxJob, Script, string[]]>([
    ['is done when the service has taken it', outboxJob(), {}, ['1 done']],
    ['waits while an attempt could make another record', outboxJob({ isFree: false }), {}, ['1 later 5000 null']],
    ['is over without a record', outboxJob({ complianceId: null, destinationId: null }), {}, ['1 done']],
    ['of a deleted record is done when the service has taken it', outboxJob({ isDeleted: true }), {}, ['1 done']],
    ['of a deleted record is over if the service has nothing left of it', outboxJob({ isDeleted: true }), { reply: answered(404) }, ['1 done']],
    ['of a deleted record is over where the service can’t be told', outboxJob({ isDeleted: true }), { isSupported: false }, ['1 done']],
    ['of a deleted record is retried', outboxJob({ isDeleted: true, attempts: 2 }), { reply: answered(503) }, ['1 later 2000 503']],
    ['stays where the service can’t be told', outboxJob(), { isSupported: false }, ['1 unsupported']],
    ['is done if the service itself says that it has no such record', outboxJob(), { reply: answered(404), isGone: true }, ['1 done']],
    ['is retried if the address is missing', outboxJob(), { reply: answered(404) }, ['1 later 1000 404', '1 logged 404']],
    ['is retried after a lost reply', outboxJob(), { reply: { kind: 'lost', error: 'hung up' } }, ['1 later 1000 hung up', '1 logged hung up']],
    ['is logged the first time only', outboxJob({ attempts: 3 }), { reply: answered(500) }, ['1 later 4000 500']],
    ['waits for as long as the service says', outboxJob({ attempts: 2 }), { reply: answered(429, { retryAfterMs: 60_000 }) }, ['1 later 60000 429']],
    ['waits for an hour at most', outboxJob({ attempts: 2 }), { reply: answered(429, { retryAfterMs: 9e9 }) }, ['1 later 3600000 429']],
    ['waits for a destination that can’t be read', outboxJob({ attempts: 2 }), { reply: new Error('no destination') }, ['1 later 2000 no destination']],
    ['of a delivery is over if the settings want none', outboxJob({ kind: 'delivered', deliveredAt: 'x' }), { isWanted: false }, ['1 done']],
    ['of a delivery is over if it was taken back', outboxJob({ kind: 'delivered' }), {}, ['1 done']],
  ])('%s', async (...[, one, script, written]) => {
    expect((await run([one], script)).written).toEqual(written);
  });

  test('to a destination that fails keeps no other destination waiting, and its next ones are not tried in vain', async () => {
    const outboxJobs = [outboxJob(), outboxJob({ orderId: 2 }), outboxJob({ orderId: 3, destinationId: 'd2' })];

    const { told, written } = await run(outboxJobs, { reply: answered(503) });

    expect(told.toSorted()).toEqual(['forget-buyer 1', 'forget-buyer 3']);
    expect(written).toContain('2 later 0 null');
  });

  test('that is refused for its own record holds up no other one', async () => {
    const { told } = await run([outboxJob(), outboxJob({ orderId: 2 })], { reply: answered(422) });

    expect(told).toEqual(['forget-buyer 1', 'forget-buyer 2']);
  });
});
