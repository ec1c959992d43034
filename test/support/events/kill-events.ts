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

/** `kills`: how often a worker is killed, at random moments. `others`: workers beside it, which are not. */
export type KillEventsOptions = { databaseUrl: string; redisUrl: string; count: number; kills: number; others: number; seed: number };

/** `missing`: events that were not written. `lost`: those that were never taken. `disordered`: subjects of which one came before an earlier one was taken. `repeated`: requests beyond the first of an event; `doubled`: those after it was taken. */
export type KilledEvents = { missing: number; lost: number; disordered: string[]; repeated: number; doubled: number; kills: number };

const WITHIN_MS = 400;
const writtenRows = rowsOf('events', z.object({ id: z.string(), subject: z.string(), waits: z.boolean() }));

/** What becomes of the n-th order: it is recorded, every other one replaced, and every sixth removed then. */
const typesOf = (n: number) => ['order.recorded', ...(n % 2 === 0 ? ['order.replaced'] : []), ...(n % 6 === 0 ? ['order.removed'] : [])];

/** A receiver that refuses the first event, and some others at first, and is slow with others. `taken`: those that it took. */
function replies(dice: Dice, taken: Set<string>): (id: string) => Promise<number> {
  const seen = new Map<string, number>();
  return async (id) => {
    const tries = (seen.get(id) ?? 0) + 1;
    seen.set(id, tries);
    const way = tries > 3 ? 0 : dice.below(6);
    if (way === 1 || (seen.size === 1 && tries === 1)) return 503;
    if (way === 2) await delay(dice.below(150));
    taken.add(id);
    return 200;
  };
}

/** Orders that are recorded, replaced and removed, while a worker, which submits and sends, is killed with kill -9 again and again. */
export async function killEvents({ count, kills, others, seed, ...where }: KillEventsOptions): Promise<KilledEvents> {
  const dice = new Dice(seed);
  const taken = new Set<string>();
  await using it = await Deployment.start({ ...where, more: { config: {}, env: { RETRY_SCALE: '0.02', LOG_LEVEL: 'fatal' } } });
  await using receiver = await EventReceiver.start();
  const { core } = it.receiver.app;
  const { id: endpoint } = await addEndpoint(core, { url: receiver.url, withBuyers: true, by: 'cli:test' });
  await Promise.all(Array.from({ length: others }, () => it.startWorker()));
  const reply = replies(dice, taken);
  let doubled = 0;
  // The next change of an order is made when the last one was sent.
  receiver.reply = async ({ id, type, subject }) => {
    if (taken.has(id)) doubled += 1;
    const n = Number(subject.slice(1));
    const next = typesOf(n)[typesOf(n).indexOf(type) + 1];
    if (next === 'order.replaced') await it.send(edited(subject, 1, '30.00'));
    if (next === 'order.removed') await it.send(refundedInFull(subject, 2));
    return reply(id);
  };
  let [sent, killed] = [0, 0];
  for (; killed <= kills; killed += 1) {
    const before = receiver.received.length;
    for (const upTo = Math.ceil((count * (killed + 1)) / (kills + 1)); sent < upTo; sent += 1) await it.send(orderOf(`o${sent + 1}`));
    await it.worker();
    if (killed === kills) break;
    await until(() => receiver.received.length > before, { what: 'an event', everyMs: 1, timeoutMs: 120_000 });
    await delay(dice.below(WITHIN_MS));
    await it.killWorker();
  }
  const written = () =>
    readRows(core.pool, writtenRows, {
      text: 'select id, subject, ended_at is null as waits from events where endpoint = $1 order by seq',
      values: [endpoint],
    });
  const expected = Array.from({ length: count }, (_, n) => typesOf(n + 1).length).reduce((sum, one) => sum + one, 0);
  const isOver = (all: Awaited<ReturnType<typeof written>>) => all.length >= expected && all.every(({ waits }) => !waits);
  await until(async () => isOver(await written()), { what: `${expected} events to be sent`, timeoutMs: 300_000 });
  const all = await written();
  const cameOf = Map.groupBy(receiver.received, ({ id }) => all.find((one) => one.id === id)?.subject ?? '');
  const disordered = [...Map.groupBy(all, ({ subject }) => subject)].flatMap(([subject, events]) => {
    const came = (cameOf.get(subject) ?? []).map(({ id }) => id).filter((id, at, ids) => id !== ids[at - 1]);
    return JSON.stringify(came) === JSON.stringify(events.map(({ id }) => id)) ? [] : [subject];
  });
  const lost = all.filter(({ id }) => !taken.has(id)).length;
  return { missing: expected - all.length, lost, disordered, repeated: receiver.received.length - taken.size, doubled, kills: killed };
}
