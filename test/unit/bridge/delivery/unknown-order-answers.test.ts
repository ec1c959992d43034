import { describe, expect, test } from 'vitest';
import { createUnknownOrderAnswers, type UnknownOrderAnswer, type UnknownOrderAnswers } from '../../../../src/bridge/delivery/unknown-order-answers.ts';
import type { Reply } from '../../../../src/bridge/order/decisions/answer.ts';

const START = Date.parse('2026-11-21T10:00:00Z');
const HOUR_MS = 3_600_000;

function answered(status: number, keys?: readonly string[]): Reply {
  const reply = { kind: 'answered', status, id: null, standingId: null, detail: '', retryAfterMs: null } as const;
  return keys === undefined ? reply : { ...reply, keys };
}

/** Destinations whose answers the test gives, at a time that it moves. */
function answersWith(reply: () => Promise<Reply> = async () => answered(404, ['title'])) {
  const kept = new Map<string, UnknownOrderAnswer>();
  const seen = { now: START, deleted: [] as string[], failed: [] as string[] };
  const unknownOrderAnswers = createUnknownOrderAnswers({
    ledger: {
      unknownOrderAnswerOf: async (id) => kept.get(id) ?? null,
      keepUnknownOrderAnswer: async (id, keys) => void kept.set(id, { keys, seenAt: new Date(seen.now).toISOString() }),
    },
    deleteOrder: async (destinationId, complianceId) => {
      seen.deleted.push(`${destinationId} ${complianceId}`);
      return reply();
    },
    onFailed: (_id, err) => void seen.failed.push(String(err)),
    now: () => seen.now,
  });
  return { unknownOrderAnswers, seen, kept };
}

/** Long enough for everything that was begun. */
async function settled(unknownOrderAnswers: UnknownOrderAnswers): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await unknownOrderAnswers.keysOf('d1');
}

describe('how a destination answers for an order that never existed', () => {
  test('is learned after a create that succeeded, with an id of its own', async () => {
    const { unknownOrderAnswers, seen } = answersWith();
    expect(await unknownOrderAnswers.keysOf('d1')).toBeNull();

    unknownOrderAnswers.created('d1', true);
    await settled(unknownOrderAnswers);

    expect(await unknownOrderAnswers.keysOf('d1')).toEqual(['title']);
    expect(await unknownOrderAnswers.keysOf('d2')).toBeNull();
    expect(seen.deleted).toEqual([expect.stringMatching(/^d1 [0-9a-f-]{36}$/)]);
  });

  test('is learned again a day later, with another id', async () => {
    const { unknownOrderAnswers, seen } = answersWith();
    for (const hours of [0, 1, 23, 24, 25]) {
      seen.now = START + hours * HOUR_MS;
      unknownOrderAnswers.created('d1', true);
      await settled(unknownOrderAnswers);
    }

    expect(seen.deleted).toHaveLength(2);
    expect(new Set(seen.deleted).size).toBe(2);
  });

  test('is not asked for if another process has learned it today', async () => {
    const { unknownOrderAnswers, seen, kept } = answersWith();
    kept.set('d1', { keys: ['title'], seenAt: new Date(START - HOUR_MS).toISOString() });

    unknownOrderAnswers.created('d1', true);
    await settled(unknownOrderAnswers);

    expect(seen.deleted).toEqual([]);
  });

  test('is asked for once at a time', async () => {
    const answer = Promise.withResolvers<Reply>();
    const { unknownOrderAnswers, seen } = answersWith(() => answer.promise);

    for (let creates = 0; creates < 5; creates += 1) unknownOrderAnswers.created('d1', true);
    await settled(unknownOrderAnswers);
    expect(seen.deleted).toHaveLength(1);

    answer.resolve(answered(404, ['title']));
    await settled(unknownOrderAnswers);
    expect(await unknownOrderAnswers.keysOf('d1')).toEqual(['title']);
  });

  test.each<[string, Reply]>([
    ['no JSON object', answered(404)],
    ['another status', answered(200, ['id'])],
    ['nothing', { kind: 'lost', error: 'time-out' }],
  ])('is not learned from %s, and asked for again in an hour', async (_what, reply) => {
    const { unknownOrderAnswers, seen } = answersWith(async () => reply);
    for (const minutes of [0, 59, 60]) {
      seen.now = START + minutes * 60_000;
      unknownOrderAnswers.created('d1', true);
      await settled(unknownOrderAnswers);
    }

    expect(await unknownOrderAnswers.keysOf('d1')).toBeNull();
    expect(seen.deleted).toHaveLength(2);
    expect(seen.failed).toHaveLength(2);
  });

  test('that is known stays known if the next look teaches nothing', async () => {
    let reply = answered(404, ['title']);
    const { unknownOrderAnswers, seen } = answersWith(async () => reply);
    unknownOrderAnswers.created('d1', true);
    await settled(unknownOrderAnswers);

    reply = answered(404);
    seen.now += 25 * HOUR_MS;
    unknownOrderAnswers.created('d1', true);
    await settled(unknownOrderAnswers);

    expect(await unknownOrderAnswers.keysOf('d1')).toEqual(['title']);
    expect(seen.failed).toHaveLength(1);
  });

  test('is not learned while creates fail: an ingress may have answered', async () => {
    const answer = Promise.withResolvers<Reply>();
    const { unknownOrderAnswers, seen } = answersWith(() => answer.promise);
    unknownOrderAnswers.created('d1', false);
    await settled(unknownOrderAnswers);
    expect(seen.deleted).toEqual([]);

    unknownOrderAnswers.created('d1', true);
    unknownOrderAnswers.created('d1', false);
    answer.resolve(answered(404, ['message']));
    await settled(unknownOrderAnswers);

    expect(await unknownOrderAnswers.keysOf('d1')).toBeNull();
    expect(seen.failed).toEqual([expect.stringContaining('creates failed meanwhile')]);
  });

  test('is not asked for by a process that ends', async () => {
    const { unknownOrderAnswers, seen } = answersWith(() => Promise.reject(new Error('aborted')));
    unknownOrderAnswers.created('d1', true);
    await unknownOrderAnswers[Symbol.asyncDispose]();
    unknownOrderAnswers.created('d1', true);

    expect([seen.deleted.length, seen.failed]).toEqual([1, []]);
  });
});
