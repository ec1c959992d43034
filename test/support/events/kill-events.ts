import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { addEndpoint } from '../../../src/operations/events.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { Dice } from '../hostile/dice.ts';
import { orderOf } from '../worlds/bridge.ts';
import { Deployment } from '../worlds/deployment.ts';
import { until } from '../worlds/settled.ts';
import { edited, refundedInFull } from '../worlds/world.ts';
import { EventReceiver } from './event-receiver.ts';

/** `kills`: how often a worker is killed, at random moments. */
export type KillEventsOptions = { databaseUrl: string; redisUrl: string; count: number; kills: number; seed: number };

/** `lost`: events that never came. `disordered`: subjects of which one came before an earlier one was taken. `repeated`: requests beyond the first of an event. */
export type KilledEvents = { written: number; lost: number; disordered: string[]; repeated: number; kills: number };

const WITHIN_MS = 400;
const writtenRows = rowsOf('events', z.object({ id: z.string(), subject: z.string() }));

/** What a receiver does to an event: it takes it, refuses it, is slow, or takes it and loses its answer. */
const behaviours = (dice: Dice, seen: Map<string, number>) => async (id: string) => {
  const tries = (seen.get(id) ?? 0) + 1;
  seen.set(id, tries);
  // After some tries each is taken.
  const way = tries > 3 ? 0 : dice.below(6);
  if (way === 1) return 503;
  if (way === 2) await delay(dice.below(150));
  return 200;
};

/** Orders that are recorded, replaced and removed, while a worker, which submits and sends, is killed with kill -9 again and again. */
export async function killEvents({ count, kills, seed, ...where }: KillEventsOptions): Promise<KilledEvents> {
  const dice = new Dice(seed);
  const env = { RETRY_SCALE: '0.02', LOG_LEVEL: 'fatal' };
  await using it = await Deployment.start({ ...where, more: { config: {}, env } });
  await using receiver = await EventReceiver.start();
  const taken = new Set<string>();
  const behave = behaviours(dice, new Map());
  receiver.reply = async ({ id }) => {
    const status = await behave(id);
    if (status === 200) taken.add(id);
    return status;
  };
  const { core } = it.receiver.app;
  const { id: endpoint } = await addEndpoint(core, { url: receiver.url, withBuyers: true, by: 'cli:test' });
  const ids = Array.from({ length: count }, (_, n) => `o${n + 1}`);
  const send = async () => {
    for (const id of ids) await it.send(orderOf(id));
    for (const [n, id] of ids.entries()) if (n % 2 === 0) await it.send(edited(id, 1, '30.00'));
    for (const [n, id] of ids.entries()) if (n % 3 === 0) await it.send(refundedInFull(id, 2));
  };
  const sent = send();
  let killed = 0;
  for (; killed < kills; killed += 1) {
    const before = receiver.received.length;
    await it.worker();
    await until(() => receiver.received.length > before, { what: 'an event', everyMs: 1, timeoutMs: 120_000 });
    await delay(dice.below(WITHIN_MS));
    await it.killWorker();
  }
  await sent;
  await it.worker();
  const isOver = async () => {
    const open = await core.pool.query(
      `select from orders where state not in ('recorded', 'removed') or lease_until is not null union all select from events where ended_at is null`,
    );
    return open.rowCount === 0;
  };
  await until(async () => (await isOver()) && (await core.pool.query('select from orders')).rowCount === count, { what: 'all to be sent', timeoutMs: 300_000 });
  const written = await readRows(core.pool, writtenRows, { text: 'select id, subject from events where endpoint = $1 order by seq', values: [endpoint] });
  const bySubject = Map.groupBy(written, ({ subject }) => subject);
  const subjectOf = new Map(written.map(({ id, subject }) => [id, subject]));
  const cameOf = Map.groupBy(
    receiver.received.map(({ id }) => id),
    (id) => subjectOf.get(id) ?? '',
  );
  const disordered = [...bySubject].flatMap(([subject, events]) => {
    const came = (cameOf.get(subject) ?? []).filter((id, at, all) => id !== all[at - 1]);
    return JSON.stringify(came) === JSON.stringify(events.map(({ id }) => id)) ? [] : [subject];
  });
  return {
    ...{ written: written.length, lost: written.filter(({ id }) => !taken.has(id)).length, disordered },
    ...{ repeated: receiver.received.length - taken.size, kills: killed },
  };
}
