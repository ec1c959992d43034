import { inboxInsteadOfQueue, webhookAnswered } from '../bridge/bridge-events.ts';
import { createEnqueue } from '../bridge/intake/enqueue.ts';
import { webhookRouter } from '../bridge/intake/webhook-router.ts';
import { putInInbox } from '../bridge/ledger/inbox-store.ts';
import { parseJson } from '../bridge/storefronts/lossless-json.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { ownValue } from '../contract/own-value.ts';
import { compress } from '../platform/compress.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';

/** The webhook routes, wired to queue and inbox. */
export function createReceiver({ core, queues, metrics }: { core: Core; queues: Queues; metrics: Metrics }): ReturnType<typeof webhookRouter> {
  const { cache, config, pool, log } = core;
  const enqueue = createEnqueue({
    add: queues.addDeliveries,
    queueIsUp: () => queues.system.isUp,
    store: async (delivery) => {
      await putInInbox(pool, delivery);
      metrics.inboxed.inc();
    },
    onFallback: (err) => inboxInsteadOfQueue(log, err),
  });
  return webhookRouter({
    intake: { storefronts, parseJson, compress, enqueue, now: Date.now },
    connection: (id) => cache.get(id),
    connectionsOfStore: (platform, store) => cache.ofStore(platform, store),
    appSecret: ({ appWide }) => (appWide === undefined ? null : (ownValue(config.appSecrets, appWide.secretVariable)?.reveal() ?? null)),
    now: Date.now,
    onAnswer: (answer) => {
      const { platform, code, what, ms } = answer;
      metrics.answer.observe(ms / 1000);
      if (code === null) metrics.accepted.inc({ platform, what: what ?? '' });
      else metrics.rejected.inc({ platform, code });
      webhookAnswered(log, answer);
    },
  });
}
