import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openQueues } from '../../../src/app/queues.ts';
import { Secret } from '../../../src/config/secret.ts';
import { drawn } from '../../support/run-size.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { dueLedger, idsOf, PAGE } from '../../support/worlds/due-ledger.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const TOKEN = 'a-token-of-21-letters';
const headers = { authorization: `Basic ${Buffer.from(`any:${TOKEN}`).toString('base64')}` };
const NEVER_SHOWN = ['maria@example.invalid', 'Мария', 'Иванова', 'Тениска'];

const pageOf = z.object({
  queues: z.array(
    z.object({
      name: z.string(),
      counts: z.record(z.string(), z.int()),
      jobs: z.array(z.object({ id: z.string(), data: z.looseObject({ orderId: z.int() }) })),
    }),
  ),
});

async function textOf({ bridge }: World, path: string): Promise<string> {
  const answer = await fetch(`${bridge.app.url}/admin/queues${path}`, { headers });
  return answer.text();
}

async function listed(it: World, status: string) {
  const text = await textOf(it, `/api/queues?activeQueue=submissions&status=${status}&page=1&jobsPerPage=20`);
  const found = pageOf.parse(JSON.parse(text)).queues.find(({ name }) => name === 'submissions');
  if (found === undefined) throw new Error('the queue is not listed');
  return { counts: found.counts, ids: found.jobs.map(({ data }) => data.orderId), text };
}

describe.each(
  drawn([
    ['Redis', true],
    ['PostgreSQL', false],
  ] as const),
)('the queue of submissions on the dashboard, with queues on %s', (_queue, onRedis) => {
  test('shows orders that wait, that are processed, and that are due later, without buyers and what they bought', async () => {
    await using it = await world({ onRedis, config: { adminToken: new Secret(TOKEN) } });
    await using queues = openQueues(it.bridge.app.core);
    await queues.submissions.pause();
    const [now, later] = [await it.bridge.connect(), await it.bridge.connect({ settings: { quietSeconds: 3_600 } })];
    for (const id of ['1', '2', '3']) await it.bridge.send(now, 'order.paid', { order: orderOf(id) });
    await it.bridge.send(later, 'order.paid', { order: orderOf('4') });
    const known = async () => Promise.all(['1', '2', '3'].map((id) => it.bridge.order(now, id)));
    await until(async () => (await known()).every(Boolean) && (await it.bridge.order(later, '4')) !== null, { what: 'all to be known' });
    const claimed = idsOf(await dueLedger(it, now, { leaseMs: 60_000 }).claim({ ...PAGE, size: 1 }));
    const quiet = (await it.bridge.order(later, '4'))?.id;

    const [waiting, active, delayed, latest] = await Promise.all(['waiting', 'active', 'delayed', 'latest'].map((status) => listed(it, status)));

    expect(waiting?.counts).toMatchObject({ waiting: 2, active: 1, delayed: 1 });
    expect([waiting?.ids.length, active?.ids, delayed?.ids, latest?.ids.length]).toEqual([2, claimed, [quiet], 4]);
    const single = await Promise.all(['', '/logs', '/flow'].map((what) => textOf(it, `/api/queues/submissions/${quiet}${what}`)));
    const texts = [...single, ...[waiting, active, delayed, latest].map((page) => page?.text ?? '')];
    expect(texts[0]).toContain('#4');
    expect(texts.flatMap((text) => NEVER_SHOWN.filter((word) => text.includes(word)))).toEqual([]);
  });
});
