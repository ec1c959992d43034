import { setTimeout as delay } from 'node:timers/promises';
import { Dice } from '../hostile/dice.ts';
import type { Behaviour, SeenRequest } from '../servers/scripted-compliance.ts';
import { Deployment } from '../worlds/deployment.ts';
import { claimsIn, pending } from '../worlds/due-ledger.ts';
import { until } from '../worlds/settled.ts';

/** What the compliance service does with Idempotency-Keys. refused-at-times: as `supported`, but every other repeat fails, though its first try was done. */
export type KeysOf = 'supported' | 'ignored' | 'refused-at-times';

/** `kills`: how often a worker is killed, at random moments of its pages. */
export type KillPagesOptions = { databaseUrl: string; redisUrl: string; keys: KeysOf; count: number; kills: number; seed: number };

/** What became of the orders. `asked`: their create has no known outcome, and a person is asked; `twice`: they have two records. */
export type KilledPages = { recorded: number; asked: number; twice: number; without: number; kills: number; claims: number };

/** The moments after a request at which a worker is killed: within its page, or between this one and the next. */
const WITHIN_MS = 120;

const REFUSALS = [400, 403, 404, 409, 413, 422, 500];

/** Answers every other repeat of a create with a random one of these statuses. */
function refusingRepeats(dice: Dice): (request: SeenRequest) => Behaviour {
  const seen = new Set<unknown>();
  return ({ kind, headers }) => {
    const key = headers['idempotency-key'];
    const isRepeat = kind === 'create' && seen.has(key);
    seen.add(key);
    return isRepeat && dice.below(2) === 0 ? { status: REFUSALS[dice.below(REFUSALS.length)] ?? 422, body: { title: 'not again' } } : 'ok';
  };
}

/** Orders that are due all at once, and workers that are killed with kill -9 while they claim, send and write. */
export async function killPages({ count, kills, seed, keys, ...where }: KillPagesOptions): Promise<KilledPages> {
  const dice = new Dice(seed);
  const idempotencyKey = keys === 'ignored' ? 'ignored' : 'supported';
  await using it = await Deployment.start({ ...where, idempotencyKey, delayMs: 15 });
  if (keys === 'refused-at-times') it.service.always(refusingRepeats(dice));
  const world = { bridge: it.receiver };
  const ids = await pending(world, it.connected, { count, minutes: 1 });
  let killed = 0;
  for (; killed < kills && it.service.living < count; killed += 1) {
    const seen = it.service.seen.length;
    await it.worker();
    await until(() => it.service.seen.length > seen || it.service.living === count, { what: 'a page to be sent', everyMs: 1 });
    // A machine that is slow to kill lets a whole page be written. The first is killed with answers to come, whatever its speed.
    if (killed === 0 || dice.below(2) === 0) it.service.holdAnswers();
    await delay(dice.below(WITHIN_MS));
    await it.killWorker();
    it.service.letGo();
  }
  await it.worker();
  const busy = `select from orders where state not in ('recorded', 'unconfirmed') or lease_until is not null`;
  await until(async () => (await it.receiver.pool.query(busy)).rowCount === 0, { what: 'every order to come to rest', timeoutMs: 300_000 });
  const stored = await claimsIn(world);
  const open = new Set(stored.filter(({ openStep }) => openStep !== null).map(({ id }) => id));
  const records = ids.map((id, n) => ({ id, current: it.service.current(`o${n + 1}`).length }));
  return {
    recorded: records.filter(({ id, current }) => current === 1 && !open.has(id)).length,
    asked: open.size,
    twice: records.filter(({ current }) => current > 1).length,
    without: records.filter(({ id, current }) => current === 0 && !open.has(id)).length,
    kills: killed,
    claims: stored.reduce((sum, { fence }) => sum + fence, 0),
  };
}
