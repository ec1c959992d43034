import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../bridge/connections/connection.ts';
import { findOrder } from '../bridge/ledger/kept-order.ts';
import type { StoreAccess } from '../bridge/storefronts/contract.ts';
import { CliError } from '../platform/terminal/context.ts';
import type { DemoStore } from './demo-stores.ts';
import type { DemoWorld } from './demo-world.ts';
import { judge, type StoryVerdict } from './judge.ts';
import type { Progress } from './progress.ts';
import { sendWebhook } from './send-webhook.ts';
import type { Story } from './story.ts';

export type DemoRun = { world: DemoWorld; progress: Progress; signal: AbortSignal; access: StoreAccess };

/** An order of the demo and how it ended. */
export type StoryOutcome = { store: DemoStore; connectionId: string; story: Story; verdict: StoryVerdict };

type Connected = { store: DemoStore; connection: Connection };

const LOOK_MS = 100;
const PATIENCE_MS = 45_000;
const REFUSED = 401;
const BY_SIGNAL = 130;

/** Connects the stores, sends both acts, waits until nothing is left to do after each, and judges how every order ended. */
export async function playStories(run: DemoRun, stores: readonly DemoStore[]): Promise<StoryOutcome[]> {
  const { world, progress } = run;
  const connected: Connected[] = [];
  for (const store of stores) {
    const connection = await world.connect(store, store.platform === 'woocommerce' ? run.access : null);
    connected.push({ store, connection });
    progress.say(`✓ connected: ${store.title}`);
  }
  progress.say('\nOrders come in:');
  await sendAct(run, connected, 1);
  await progress.during('nothing is left to do', drained(run));
  progress.say('\nLater: refunds, edits, deliveries, and webhooks once more:');
  await sendAct(run, connected, 2);
  await progress.during('nothing is left to do', drained(run));
  return judgeAll(run, connected);
}

async function sendAct({ world, progress, signal }: DemoRun, connected: readonly Connected[], act: 1 | 2): Promise<void> {
  for (const { store, connection } of connected) {
    const address = `${world.app.url}/webhooks/${store.platform}/${connection.id}`;
    for (const { number, webhooks } of store.stories) {
      for (const webhook of webhooks.filter((each) => each.act === act)) {
        stopIfAborted(signal);
        const status = await sendWebhook(address, store, webhook);
        progress.sent({ platform: store.platform, topic: webhook.topic, number, status });
        if (status !== (webhook.forged === true ? REFUSED : 200)) throw new CliError(`the webhook ${webhook.topic} of order ${number} was answered ${status}`);
      }
    }
  }
}

/** False after a time limit: the table then shows how far it came. */
async function drained({ world, signal }: DemoRun): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await world.isDrained())) {
    if (performance.now() >= deadline) return false;
    stopIfAborted(signal);
    await sleep(LOOK_MS);
  }
  return true;
}

async function judgeAll({ world }: DemoRun, connected: readonly Connected[]): Promise<StoryOutcome[]> {
  const outcomes: StoryOutcome[] = [];
  for (const { store, connection } of connected) {
    const standing = await world.service.records({ shopId: connection.shopId });
    for (const story of store.stories) {
      const order = await findOrder(world.app.core.pool, connection.id, story.orderId);
      outcomes.push({ store, connectionId: connection.id, story, verdict: judge(story, order, standing) });
    }
    const strays = standing.filter(({ record }) => !store.stories.some(({ orderId }) => orderId === record.internalId));
    if (strays.length > 0) throw new CliError(`${strays.length} records of ${store.title} belong to no order of it`);
  }
  return outcomes;
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CliError('the demo was stopped before its end', BY_SIGNAL);
}
