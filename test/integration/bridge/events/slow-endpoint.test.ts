import { expect, test } from 'vitest';
import { z } from 'zod';
import { type SendEventsDeps, sendEvents } from '../../../../src/bridge/events/send-events.ts';
import { createEventLedger, listEvents } from '../../../../src/bridge/ledger/events/event-store.ts';
import { addEndpoint } from '../../../../src/operations/events.ts';
import { backoffMs } from '../../../../src/platform/backoff.ts';
import type { JobEnd } from '../../../../src/platform/jobs/job-kind.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { firstEndpoint } from '../../../support/events/events-world.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const HOUR_MS = 3_600_000;
const [SUBJECTS, EACH] = [20, 10];
const BACKOFF = { firstMs: 1_000, mostMs: 60_000 };
/** After so long a call is given up. */
const GIVEN_UP_MS = 15_000;
const ids = rowsOf('events', z.object({ id: z.string(), subject: z.string() }));

/** As those who run jobs wait, and count attempts. */
function waitMs(end: JobEnd, attempts: number): number {
  if (end.is === 'failed') return end.afterMs ?? backoffMs(BACKOFF, attempts, 0.5);
  return 'ms' in end ? end.ms : 0;
}

function attemptAfter(end: JobEnd, attempts: number): number {
  if (end.is === 'failed') return attempts + 1;
  return end.is === 'waits' ? attempts : 1;
}

test.each([
  // Sixteen at a time go on; one that takes none is called with a single event, and once a minute.
  ['answers late', { slowMs: GIVEN_UP_MS - 1_000, mostFailed: 0, mostMs: 300_000 }],
  ['does not answer in time', { slowMs: GIVEN_UP_MS, mostFailed: 100, mostMs: HOUR_MS + 300_000 }],
])(
  'an endpoint that %s for an hour gets each event in the order of its subject once it is quick again, and is not disabled',
  async (_how, { slowMs, mostFailed, mostMs }) => {
    // Only this test sends.
    await using it = await world({ role: 'receiver' });
    const { core } = it.bridge.app;
    const { pool } = core;
    const { id: endpoint } = await addEndpoint(core, { url: 'http://127.0.0.1:9/', withBuyers: false, by: 'cli:test' });
    for (let n = 0; n < SUBJECTS * EACH; n += 1) {
      const data = { shopId: `shop ${n % SUBJECTS}`, month: `n${n}`, version: 1, filedOn: null, incomingNumber: null };
      await pool.query(`select write_events($1, null, '{month.filed}', null, $2)`, [`month ${n % SUBJECTS}`, JSON.stringify(data)]);
    }
    const written = await readRows(pool, ids, { text: 'select id, subject from events order by seq' });
    let now = 0;
    const taken: string[] = [];
    let called = 0;
    const post: SendEventsDeps['post'] = async ({ headers }) => {
      called += 1;
      if (now < HOUR_MS && slowMs === GIVEN_UP_MS) return { status: null, why: 'no answer' };
      taken.push(new Headers(headers).get('webhook-id') ?? '');
      return { status: 204, text: '', retryAfterMs: null };
    };
    const deps = { ledger: createEventLedger(pool), post, backoff: BACKOFF, now: () => now, random: () => 0.5 };
    /** As if it had passed: what is in the database is so much older. */
    const pass = async (ms: number) => {
      now += ms;
      await pool.query(`update events set due_at = due_at - $1 * interval '1 ms', tried_at = tried_at - $1 * interval '1 ms' where ended_at is null`, [ms]);
    };
    let attempts = 1;
    while (taken.length < written.length && now < 2 * HOUR_MS) {
      const before = called;
      const end = await sendEvents(deps, { id: 1, kind: 'events', key: endpoint, attempts, ageMs: 0, error: null, lease: '' }, new AbortController().signal);
      await pass(called > before && now < HOUR_MS ? slowMs : 10);
      await pass(waitMs(end, attempts));
      attempts = attemptAfter(end, attempts);
    }

    expect(called - taken.length).toBeLessThanOrEqual(mostFailed);
    expect(now).toBeLessThan(mostMs);
    expect([...taken].toSorted()).toEqual(written.map(({ id }) => id).toSorted());
    for (const [, events] of Map.groupBy(written, ({ subject }) => subject)) {
      const ofIt = events.map(({ id }) => id);
      expect(taken.filter((id) => ofIt.includes(id))).toEqual(ofIt);
    }
    expect((await listEvents(pool, endpoint, 1_000)).every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect(await firstEndpoint(it)).toMatchObject({ disabledAt: null, waiting: 0 });
  },
);
