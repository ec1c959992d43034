import { inboxInsteadOfQueue, trafficNotWritten } from '../bridge/bridge-events.ts';
import { createEnqueue, watchKeeping } from '../bridge/intake/enqueue.ts';
import { TrafficCounts } from '../bridge/intake/traffic-counts.ts';
import { webhookRouter } from '../bridge/intake/webhook-router.ts';
import { probeInbox, putInInbox } from '../bridge/ledger/inbox-store.ts';
import { writeTraffic } from '../bridge/ledger/traffic-store.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { ownValue } from '../contract/own-value.ts';
import { ByteBudget } from '../platform/byte-budget.ts';
import { compress } from '../platform/compress.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { createBodyReader } from './body-reader.ts';
import type { Core } from './core.ts';
import { noteVersion } from './note-version.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { answerLog } from './refusal-log.ts';

const MB = 1024 * 1024;
/** Bodies in memory, and those of one connection: two of the largest. */
const BODIES = { total: 20 * MB, each: 10 * MB, patienceMs: 5_000 };
/** So many deliveries of one connection may come at once, whatever its rate. */
const BURST = 5_000;
const MOST_GATHERED_MS = 5_000;
const PROBE_MS = 1_500;

export type ReceiverParts = { core: Core; queues: Queues; metrics: Metrics; traffic: TrafficCounts };

/** `canKeep`: rejects while webhooks can't be kept. */
export type Receiver = { router: ReturnType<typeof webhookRouter>; canKeep(): Promise<void> };

/** The webhook routes, wired to queue and inbox. */
export function createReceiver({ core, queues, metrics, traffic }: ReceiverParts): Receiver {
  const { cache, appCache, config, pool, log } = core;
  const enqueue = createEnqueue({
    add: queues.addDeliveries,
    queueIsUp: () => queues.system.isUp,
    store: async (delivery) => {
      await putInInbox(pool, delivery);
      metrics.inboxed.inc();
    },
    onFallback: (err) => inboxInsteadOfQueue(log, err),
  });
  const keeping = watchKeeping(enqueue, () => withTimeout(PROBE_MS, probeInbox(pool)));
  const buckets = new TokenBuckets({ burst: BURST, now: Date.now });
  const bodies = new ByteBudget(BODIES);
  const answered = answerLog(log, Date.now);
  const router = webhookRouter({
    intake: {
      storefronts,
      read: createBodyReader(),
      compress,
      enqueue: keeping.enqueue,
      throttle: ({ id, settings }) => buckets.take(id, settings.ratePerSecond),
      // Heard again with the next webhook, if it can't be kept now.
      receivedVersion: (connection, version) => void noteVersion(core, connection, { in: 'webhooks', version }).catch(() => undefined),
      now: Date.now,
    },
    connection: (id) => cache.get(id),
    connectionsOfStore: (platform, store) => cache.ofStore(platform, store),
    appSecret: ({ appWide }) => (appWide === undefined ? null : (ownValue(config.appSecrets, appWide.secretVariable)?.reveal() ?? null)),
    app: (id) => appCache.get(id),
    reserve: (key, bytes) => bodies.take(key, bytes),
    now: Date.now,
    onAnswer: (answer) => {
      const { platform, connectionId, code, what, ms, topic, client, isPlatforms } = answer;
      metrics.answer.observe(ms / 1000);
      if (code === null) metrics.accepted.inc({ platform, what: what ?? '' });
      else metrics.rejected.inc({ platform, code });
      if (connectionId !== null) traffic.add({ connectionId, topic, code, client, isPlatforms, isPing: what === 'ping' });
      answered(answer);
    },
  });
  return { router, canKeep: keeping.canKeep };
}

/** Gathers what became of webhooks, for `orderbridge connections` and `orderbridge deliveries`. */
export function gatherTraffic({ pool, log, config }: Core): TrafficCounts {
  return new TrafficCounts({
    write: (traffic) => writeTraffic(pool, traffic),
    onFailed: (err) => trafficNotWritten(log, err),
    now: Date.now,
    // Who sweeps more often wants to see sooner what came.
    everyMs: Math.min(MOST_GATHERED_MS, config.sweepSeconds * 1_000),
  });
}
