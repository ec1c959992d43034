import { until } from '../worlds/settled.ts';
import { checkAccepted } from './check-accepted.ts';
import { checkErased } from './check-erased.ts';
import { checkLog } from './check-log.ts';
import { checkUntouched } from './check-untouched.ts';
import type { Source } from './draw-shot.ts';
import { planFamilies } from './families.ts';
import { type FloodReport, startFlood } from './flood.ts';
import { HonestMerchant, type HonestReport } from './honest-merchant.ts';
import { CLIENTS, type HostileLimits, MANY_SAMPLES, WARM_UP_ORDERS } from './hostile-limits.ts';
import { type Backend, type HostileStage, openHostileStage } from './hostile-stage.ts';
import { finishErasures, leapAhead, settle } from './leap-ahead.ts';
import type { Percentiles } from './percentiles.ts';
import type { Meaning } from './shot.ts';
import { noDetail, type Verdict } from './verdict.ts';
import { residentMb, watchBareServer, watchHealth, watchMemory } from './watches.ts';

export type HostileOptions = {
  backend: Backend;
  count: number;
  seed: number;
  limits: HostileLimits;
  /** Another checkout whose program is attacked; null: this one. */
  root: string | null;
  durable: boolean;
  logFile: string | null;
  /** Families that are left out, to see what the others do. */
  without?: readonly string[];
  /** Told what is being done. */
  say(words: string): void;
};

export type HostileReport = { backend: Backend; count: number; seed: number; flood: FloodReport; verdicts: Verdict[] };

type Attack = { flood: FloodReport; honest: HonestReport; health: Percentiles; bare: Percentiles; idleMb: number; mostMb: number };
type Ended = { code: number | null; ms: number; report: FloodReport };

/** Attacks the program as `count` and `seed` say, and judges what became of it and of its honest merchants. */
export async function runHostile(options: HostileOptions): Promise<HostileReport> {
  const { backend, count, seed, limits, say } = options;
  await using stage = await openHostileStage(options);
  const source: Source = {
    seed,
    plan: planFamilies(count + limits.lastFlood, { seed, without: options.without ?? [] }),
    merchants: stage.merchants,
    adminToken: stage.adminToken,
  };
  refuseOneShop(stage);
  stage.store.hang();
  say(`${backend}: ${count} requests`);
  const attack = await attacked(stage, source, options);
  say(`${backend}: ${attack.flood.seconds.toFixed(0)} s; SIGTERM in the middle of ${limits.lastFlood} more`);
  const ended = await endInFlood(stage, source, { from: count, length: limits.lastFlood });
  stage.store.answer();
  stage.compliance.always(null);
  await stage.restart();
  say(`${backend}: until nothing is left to do`);
  await leapAhead(stage);
  const settled = await settle(stage, limits.drainMs);
  await finishErasures(stage, limits.drainMs);
  const meant: Meaning[] = [...attack.honest.meant, ...attack.flood.meant, ...ended.report.meant];
  const unanswered = [...attack.honest.unanswered, ...attack.flood.unanswered, ...ended.report.unanswered];
  const verdicts = [
    ...measured(attack, limits),
    verdictOf('SIGTERM in the middle of a flood ends the process', `${(ended.ms / 1000).toFixed(1)} s, code ${ended.code}`, {
      held: ended.ms <= limits.stopMs && ended.code === 0,
      detail: `limit ${limits.stopMs / 1000} s and code 0`,
    }),
    settled,
    ...(await checkAccepted(stage, { meant, unanswered })),
    ...(await checkUntouched(stage, meant)),
    await checkErased(stage, meant),
    ...checkLog(await stage.log(), stage.secrets),
  ];
  return { backend, count, seed, flood: attack.flood, verdicts };
}

async function attacked(stage: HostileStage, source: Source, { count, limits }: HostileOptions): Promise<Attack> {
  const { program, compliance, merchants } = stage;
  const honest = new HonestMerchant(merchants.honest, compliance, limits.resends);
  for (let n = 0; n < WARM_UP_ORDERS; n += 1) {
    const id = await honest.send(program.url);
    await until(() => honest.isRecorded(id), { what: 'an order to be recorded before the attack' });
  }
  const idleMb = residentMb(program.pid);
  const bare = await watchBareServer();
  const [health, memory] = [watchHealth(program.url), watchMemory(program.pid)];
  honest.begin(program.url);
  const flood = await startFlood({ ...source, url: program.url, from: 0, to: count }).done;
  const report = await honest.end(limits.honestMs * 2);
  return { flood, honest: report, health: await health.end(), bare: await bare.end(), idleMb, mostMb: await memory.end() };
}

/** One shop whose orders the compliance service answers with whatever is wrong. */
function refuseOneShop({ compliance, merchants }: HostileStage): void {
  const statuses = [403, 400, 500];
  let nth = 0;
  compliance.always(({ body }) => {
    if (!body.includes(merchants.refused.shopId)) return 'ok';
    return { status: statuses[nth++ % statuses.length] ?? 403, body: { title: 'this shop is refused' } };
  });
}

async function endInFlood(stage: HostileStage, source: Source, { from, length }: { from: number; length: number }): Promise<Ended> {
  const flood = startFlood({ ...source, url: stage.program.url, from, to: from + length });
  await until(() => flood.answered() >= length / 3, { what: 'the last flood to run' });
  const { code, ms } = await stage.program.stop();
  return { code, ms, report: await flood.done };
}

function measured({ flood, honest, health, bare, idleMb, mostMb }: Attack, limits: HostileLimits): Verdict[] {
  const { recorded, unrecorded, refused } = honest;
  const answers = Object.values(flood.answers)
    .flatMap(Object.values<number>)
    .reduce((sum, count) => sum + count, 0);
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const limited = ({ count }: Percentiles) => (count < MANY_SAMPLES ? 'p90' : 'p99');
  const times = (seen: Percentiles) => `p50 ${ms(seen.p50)}, ${limited(seen)} ${ms(seen[limited(seen)])}, max ${ms(seen.max)} of ${seen.count}`;
  const healthBy = limited(health);
  return [
    verdictOf('the honest merchant’s order is recorded', times(recorded), {
      held: recorded[limited(recorded)] <= limits.honestMs && unrecorded === 0 && refused === 0,
      detail: `limit ${limited(recorded)} ${limits.honestMs} ms; ${unrecorded} not recorded, ${refused} not answered 200`,
    }),
    verdictOf('/healthz answers', `${times(health)}; a bare server ${healthBy} ${ms(bare[healthBy])}`, {
      held: health[healthBy] - (limits.isOverBare ? bare[healthBy] : 0) <= limits.healthMs,
      detail: `limit ${healthBy} ${limits.healthMs} ms${limits.isOverBare ? ' over that of the bare server' : ''}`,
    }),
    verdictOf('memory above idle', `${(mostMb - idleMb).toFixed(0)} MB (${idleMb.toFixed(0)} to ${mostMb.toFixed(0)})`, {
      held: mostMb - idleMb <= limits.memoryMb,
      detail: `limit ${limits.memoryMb} MB`,
    }),
    verdictOf('each request is answered as it should be', `${flood.unexpected.count} otherwise, ${CLIENTS} clients, ${flood.seconds.toFixed(0)} s`, {
      held: flood.unexpected.count === 0,
      detail: flood.unexpected.samples.join('; '),
    }),
    verdictOf('hardly a request is answered 503', `${flood.late} of ${answers}`, {
      held: flood.late <= answers * limits.lateShare,
      detail: `limit ${limits.lateShare * 100} %; lookups and queue took over 1.5 s`,
    }),
  ];
}

function verdictOf(what: string, figure: string, { held, detail }: { held: boolean; detail: string }): Verdict {
  return { what, figure, held, detail: held ? noDetail : detail };
}
