import { setTimeout as sleep } from 'node:timers/promises';
import { checkLog } from '../hostile/check-log.ts';
import { Dice } from '../hostile/dice.ts';
import type { Backend } from '../hostile/hostile-stage.ts';
import { noDetail, noneOf, type Verdict } from '../hostile/verdict.ts';
import { until } from '../worlds/settled.ts';
import { type Ages, agesOf } from './ages.ts';
import type { Faults } from './api-front.ts';
import { compareBooks, type Mismatch, readBooks } from './compare-books.ts';
import { type Fates, FlakyNetwork } from './flaky-network.ts';
import { judgeSides } from './judge-sides.ts';
import { killsInSyncRuns } from './kills-in-sync-runs.ts';
import type { LivingShop, OffPolicy } from './living-shop.ts';
import { type MissedStage, openMissedStage } from './missed-stage.ts';

export type MissedOptions = {
  backend: Backend;
  platform: string;
  /** A new store of the platform. */
  openShop(): Promise<LivingShop>;
  /** Orders that are bought. */
  count: number;
  seed: number;
  webhooks: 'flaky' | 'off';
  /** Things that happen in a second. */
  pace: number;
  kills: number;
  periodSeconds: number;
  faults: Faults;
  durable: boolean;
  /** What may be late for so long beside its period. */
  slackSeconds: number;
  logFile: string | null;
  /** Told what is being done. */
  say(words: string): void;
};

export type MissedReport = Pick<MissedOptions, 'backend' | 'platform' | 'count' | 'seed' | 'webhooks'> & {
  policy: OffPolicy;
  happened: number;
  fates: Fates;
  faults: Record<string, number>;
  requests: number;
  kills: { inSyncRun: number; other: number };
  ages: Ages;
  verdicts: Verdict[];
};

/** Happenings that are no purchase. */
const CHANGES = 0.55;
/** One of so many happenings is beside the webhooks' settings. */
const MEDDLING = 1 / 150;

/** Lets a store live while its webhooks are unreliable and orderbridge is killed, and judges what is known and recorded of it in the end. */
export async function runMissed(options: MissedOptions): Promise<MissedReport> {
  const { backend, platform, count, seed, webhooks, kills, say } = options;
  const policy: OffPolicy = (seed % 2 === 0) === (webhooks === 'off') ? 'review' : 'remove';
  await using shop = await options.openShop();
  await using stage = await openMissedStage({ ...options, shop, policy });
  const network = new FlakyNetwork(new Dice(seed + 1));
  say(`${platform}, ${backend}: ${count} orders, webhooks ${webhooks}, orders that are off: ${policy}`);
  const killing = killsInSyncRuns(stage, shop, { kills, dice: new Dice(seed + 2) });
  const story: string[] = [];
  const happened = await live(shop, { ...options, network, story, onShare: killing.due });
  const killed = await killing.done();
  await network.isStill();
  stage.front.isTroubled = false;
  say(`${platform}, ${backend}: until all that a list of changes can tell is recorded`);
  const withinMs = (2 * options.periodSeconds + options.slackSeconds) * 1000;
  const told = await equal(stage, {
    shop,
    policy,
    withinMs,
    story,
    what: 'two periods and a while after the last change, all that a list of changes tells is recorded',
  });
  say(`${platform}, ${backend}: a day later`);
  await aDayLater(stage);
  const all = await equal(stage, { shop, policy, withinMs, story, withSilent: true, what: 'after the daily windows, store = ledger = service to the cent' });
  say(`${platform}, ${backend}: what \`reconcile\` says`);
  const sides = await judgeSides(stage, { expected: shop.expected(policy) });
  const limitMs = (options.periodSeconds + options.slackSeconds) * 1000;
  const ages = await agesOf(stage, { expected: shop.expected(policy), reached: network.reached, limitMs, lifeOf: (id) => lifeOf(id, story) });
  const { requests, mostAtOnce, faults } = stage.front;
  return {
    ...{ backend, platform, count, seed, webhooks, policy, happened, fates: network.fates, faults, requests, kills: killed, ages },
    verdicts: [
      ...[told, all, ...sides],
      ...checkLog(await stage.log(), [shop.secret]),
      noneOf(`no order whose webhooks were all lost is unknown for longer than a period and a while`, ages.late),
      { what: 'the store is asked by two requests at once at most', figure: String(mostAtOnce), held: mostAtOnce <= 2, detail: noDetail },
    ],
  };
}

/** The windows of the day are due. Between sync runs: one that is under way writes at its end what it read of them before. */
async function aDayLater({ pool }: MissedStage): Promise<void> {
  const text = `with due as (update jobs.jobs set due_at = now() where kind = 'sync' and (lease is null or due_at <= now()) returning id)
    update bridge.store_syncs set windows = '{}' where exists (select from due)`;
  await until(async () => (await pool.query(text)).rowCount === 1, { what: 'a pause between sync runs' });
}

type Living = MissedOptions & { network: FlakyNetwork; story: string[]; onShare(share: number): void };

/** Returns how much happened. */
async function live(shop: LivingShop, { count, seed, pace, webhooks, network, story, onShare }: Living): Promise<number> {
  const dice = new Dice(seed);
  const order = new Dice(seed + 3);
  let isOver = false;
  const sending = (async () => {
    while (webhooks === 'flaky') {
      await shop.sendWebhooks((webhook) => network.deliver(webhook), order);
      if (isOver) break;
      await sleep(200);
    }
  })();
  const began = performance.now();
  const last = Math.round(count / (1 - CHANGES));
  for (let nth = 0; nth < last; nth += 1) {
    await sleep(Math.max(0, began + (nth * 1000) / pace - performance.now()));
    const isBuying = shop.bought() < count && dice.chance(Math.max(1 - CHANGES, (count - shop.bought()) / (last - nth)));
    const what = (isBuying ? null : shop.happens(dice)) ?? (shop.bought() < count ? `bought ${shop.buy(dice)}` : null);
    if (what !== null) story.push(`${new Date().toISOString().slice(11, 19)} ${what}`);
    if (webhooks === 'flaky' && dice.chance(MEDDLING)) shop.meddles(dice);
    onShare(nth / last);
  }
  isOver = true;
  await sending;
  return last;
}

type Wanted = { shop: LivingShop; policy: OffPolicy; withinMs: number; story: readonly string[]; what: string; withSilent?: boolean };

async function equal({ pool, shopId }: MissedStage, { shop, policy, withinMs, story, what, withSilent = false }: Wanted): Promise<Verdict> {
  const began = performance.now();
  const expected = shop.expected(policy);
  for (;;) {
    const found = compareBooks(expected, await readBooks(pool, shopId));
    const wrong: Mismatch[] = found.filter(({ isSilent }) => withSilent || !isSilent);
    const ms = performance.now() - began;
    if (wrong.length === 0) return { what, figure: `${(ms / 1000).toFixed(1)} s`, held: true, detail: noDetail };
    if (ms > withinMs) {
      const words = wrong.map((mismatch) => `${mismatch.words} [${lifeOf(mismatch.orderId, story)}]`);
      return { ...noneOf(what, words), figure: `${wrong.length} of ${expected.length} otherwise` };
    }
    await sleep(1_000);
  }
}

function lifeOf(orderId: string, story: readonly string[]): string {
  return story.filter((what) => what.split(/[ ,]+/).includes(orderId)).join('; ');
}
