import { describe, expect, test } from 'vitest';
import { type Absence, type Absences, createAbsences } from '../../../../src/bridge/delivery/absences.ts';
import type { Reply } from '../../../../src/bridge/order/decisions/answer.ts';

const START = Date.parse('2026-11-21T10:00:00Z');
const HOUR_MS = 3_600_000;

function answered(status: number, keys?: readonly string[]): Reply {
  const reply = { kind: 'answered', status, id: null, standingId: null, detail: '', retryAfterMs: null } as const;
  return keys === undefined ? reply : { ...reply, keys };
}

/** Destinations whose answers the test gives, at a time that it moves. */
function absencesWith(reply: () => Promise<Reply> = async () => answered(404, ['title'])) {
  const kept = new Map<string, Absence>();
  const seen = { now: START, deleted: [] as string[], failed: [] as string[] };
  const absences = createAbsences({
    ledger: {
      absenceOf: async (id) => kept.get(id) ?? null,
      keepAbsence: async (id, keys) => void kept.set(id, { keys, seenAt: new Date(seen.now).toISOString() }),
    },
    deleteOrder: async (destinationId, complianceId) => {
      seen.deleted.push(`${destinationId} ${complianceId}`);
      return reply();
    },
    onFailed: (_id, err) => void seen.failed.push(String(err)),
    now: () => seen.now,
  });
  return { absences, seen, kept };
}

/** Long enough for everything that was begun. */
async function settled(absences: Absences): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await absences.keysOf('d1');
}

describe('how a destination answers for an order that never existed', () => {
  test('is learned after a create that succeeded, with an id of its own', async () => {
    const { absences, seen } = absencesWith();
    expect(await absences.keysOf('d1')).toBeNull();

    absences.created('d1', true);
    await settled(absences);

    expect(await absences.keysOf('d1')).toEqual(['title']);
    expect(await absences.keysOf('d2')).toBeNull();
    expect(seen.deleted).toEqual([expect.stringMatching(/^d1 [0-9a-f-]{36}$/)]);
  });

  test('is learned again a day later, with another id', async () => {
    const { absences, seen } = absencesWith();
    for (const hours of [0, 1, 23, 24, 25]) {
      seen.now = START + hours * HOUR_MS;
      absences.created('d1', true);
      await settled(absences);
    }

    expect(seen.deleted).toHaveLength(2);
    expect(new Set(seen.deleted).size).toBe(2);
  });

  test('is not asked for if another process has learned it today', async () => {
    const { absences, seen, kept } = absencesWith();
    kept.set('d1', { keys: ['title'], seenAt: new Date(START - HOUR_MS).toISOString() });

    absences.created('d1', true);
    await settled(absences);

    expect(seen.deleted).toEqual([]);
  });

  test('is asked for once at a time', async () => {
    const answer = Promise.withResolvers<Reply>();
    const { absences, seen } = absencesWith(() => answer.promise);

    for (let creates = 0; creates < 5; creates += 1) absences.created('d1', true);
    await settled(absences);
    expect(seen.deleted).toHaveLength(1);

    answer.resolve(answered(404, ['title']));
    await settled(absences);
    expect(await absences.keysOf('d1')).toEqual(['title']);
  });

  test.each<[string, Reply]>([
    ['no JSON object', answered(404)],
    ['another status', answered(200, ['id'])],
    ['nothing', { kind: 'lost', error: 'time-out' }],
  ])('is not learned from %s, and asked for again in an hour', async (_what, reply) => {
    const { absences, seen } = absencesWith(async () => reply);
    for (const minutes of [0, 59, 60]) {
      seen.now = START + minutes * 60_000;
      absences.created('d1', true);
      await settled(absences);
    }

    expect(await absences.keysOf('d1')).toBeNull();
    expect(seen.deleted).toHaveLength(2);
    expect(seen.failed).toHaveLength(2);
  });

  test('that is known stays known if the next look teaches nothing', async () => {
    let reply = answered(404, ['title']);
    const { absences, seen } = absencesWith(async () => reply);
    absences.created('d1', true);
    await settled(absences);

    reply = answered(404);
    seen.now += 25 * HOUR_MS;
    absences.created('d1', true);
    await settled(absences);

    expect(await absences.keysOf('d1')).toEqual(['title']);
    expect(seen.failed).toHaveLength(1);
  });

  test('is not learned while creates fail: an ingress may have answered', async () => {
    const answer = Promise.withResolvers<Reply>();
    const { absences, seen } = absencesWith(() => answer.promise);
    absences.created('d1', false);
    await settled(absences);
    expect(seen.deleted).toEqual([]);

    absences.created('d1', true);
    absences.created('d1', false);
    answer.resolve(answered(404, ['message']));
    await settled(absences);

    expect(await absences.keysOf('d1')).toBeNull();
    expect(seen.failed).toEqual([expect.stringContaining('creates failed meanwhile')]);
  });

  test('is not asked for by a process that ends', async () => {
    const { absences, seen } = absencesWith(() => Promise.reject(new Error('aborted')));
    absences.created('d1', true);
    await absences[Symbol.asyncDispose]();
    absences.created('d1', true);

    expect([seen.deleted.length, seen.failed]).toEqual([1, []]);
  });
});
