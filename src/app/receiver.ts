import { Tinypool } from 'tinypool';
import { refusalsNotLogged, trafficNotWritten, webhookAnswered } from '../bridge/bridge-events.ts';
import { createEnqueue, watchKeeping } from '../bridge/intake/enqueue.ts';
import { type Read, readTrusted, type Trusted } from '../bridge/intake/read-trusted.ts';
import { TrafficCounts } from '../bridge/intake/traffic.ts';
import { type WebhookAnswer, webhookRouter } from '../bridge/intake/webhook-router.ts';
import { probeInbox, putInInbox } from '../bridge/ledger/deliveries/inbox-store.ts';
import { writeTraffic } from '../bridge/ledger/deliveries/traffic-store.ts';
import { refusedRequests } from '../bridge/order/facts/refused-requests.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { ownValue } from '../contract/own-value.ts';
import { ByteBudget } from '../platform/byte-budget.ts';
import type { Log } from '../platform/log.ts';
import { partModule } from '../platform/program-file.ts';
import { TokenBuckets } from '../platform/rate-limit.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { LargeBody } from './body-process.ts';
import type { Core } from './core.ts';
import { noteVersion } from './note-warnings.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { tracedEnqueue } from './traced.ts';

const MB = 1024 * 1024;
/** Bodies in memory, and those of one connection: two of the largest. */
const BODIES = { total: 20 * MB, each: 10 * MB, timeoutMs: 5_000 };
/** So many deliveries of one connection may come at once, whatever its rate. */
const BURST = 5_000;
const MOST_GATHERED_MS = 5_000;
const PROBE_MS = 1_500;

/** `canKeep`: rejects while webhooks can't be kept. */
export type Receiver = { router: ReturnType<typeof webhookRouter>; canKeep(): Promise<void> };

/** The webhook routes, wired to queue and inbox. */
export function createReceiver({ core, queues, metrics, traffic }: { core: Core; queues: Queues; metrics: Metrics; traffic: TrafficCounts }): Receiver {
  const { cache, appCache, config, pool, log, traces } = core;
  const enqueue = createEnqueue({
    add: queues.addDeliveries,
    queueIsUp: () => queues.system.isUp,
    store: async (delivery) => {
      await putInInbox(pool, delivery);
      metrics.inboxed.inc();
    },
    onFallback: queues.onFallback,
  });
  const keeping = watchKeeping(tracedEnqueue(traces, enqueue), () => withTimeout(PROBE_MS, probeInbox(pool)));
  const buckets = new TokenBuckets({ burst: BURST, now: Date.now });
  const bodies = new ByteBudget(BODIES);
  const answered = answerLog(log, Date.now);
  for (const platform of Object.keys(storefronts)) {
    metrics.accepted.inc({ platform, what: 'order' }, 0);
    for (const code of Object.keys(refusedRequests)) metrics.rejected.inc({ platform, code }, 0);
  }
  const router = webhookRouter({
    intake: {
      storefronts,
      read: createBodyReader(),
      enqueue: keeping.enqueue,
      bodies: traffic,
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
      const { platform, connectionId, code, what, ms, topic, client, isPlatforms, isByModule, deliveryId, headers } = answer;
      metrics.answer.observe(ms / 1000);
      if (code === null) metrics.accepted.inc({ platform, what: what ?? '' });
      else metrics.rejected.inc({ platform, code });
      if (connectionId !== null) traffic.add({ connectionId, topic, code, client, isPlatforms, isByModule, isPing: what === 'ping', deliveryId, headers, ms });
      if (traces === null || answer.delivery === null) answered(answer);
      else traces.within(answer.delivery, () => answered(answer));
    },
  });
  return { router, canKeep: keeping.canKeep };
}

/** Gathers what became of webhooks, for `orderbridge connections` and `orderbridge deliveries`. */
export function gatherTraffic({ pool, log, config }: Core): TrafficCounts {
  return new TrafficCounts({
    write: (traffic) => writeTraffic(pool, traffic),
    keptBytes: config.keepBodiesMb * MB,
    onFailed: (err) => trafficNotWritten(log, err),
    now: Date.now,
    // Who sweeps more often wants to see sooner what came.
    everyMs: Math.min(MOST_GATHERED_MS, config.sweepSeconds * 1_000),
  });
}

/** Bodies up to this size are read at once: it takes a few milliseconds. */
const SMALL = 64 * 1024;
const LARGE_MS = 10_000;
const LARGE_MB = 64;
/** Its memory is given back soon. */
const IDLE_MS = 1_000;

/**
 * Reads trusted bodies, large ones one after the other in a process of its own, so that anyone who sends them keeps nobody else waiting. A thread that runs
 * out of memory while it grows a map or the keys of an object would end the whole process.
 */
export function createBodyReader({ file = partModule('app/body-process'), withinMs = LARGE_MS } = {}): (trusted: Trusted) => Promise<Read> {
  const pool = new Tinypool({
    ...{ filename: file, name: 'readLargeBody', runtime: 'child_process', serialization: 'advanced', env: {} },
    ...{ minThreads: 0, maxThreads: 1, concurrentTasksPerWorker: 1, idleTimeout: IDLE_MS },
    execArgv: [`--max-old-space-size=${LARGE_MB}`],
  });
  let last: Promise<unknown> = Promise.resolve();
  const apart = (body: LargeBody): Promise<string> => {
    const run = last.then(() => pool.run(body, { signal: AbortSignal.timeout(withinMs) }));
    last = run.catch(() => undefined);
    return run;
  };
  return async (trusted) => {
    const { storefront, envelope, body } = trusted;
    if (body.length <= SMALL) return readTrusted(trusted);
    try {
      return JSON.parse(await apart({ platform: storefront.name, envelope, body }));
    } catch {
      // Whatever it is that the process died of, or did not get done: it is kept for a person, and is not retried.
      const detail = `body: its ${body.length} bytes could not be read within ${withinMs / 1000} s and ${LARGE_MB} MB; record the order by hand`;
      return { envelope, normalized: { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail }] } };
    }
  };
}

/** Refusals that nobody needs a secret for. */
const free: ReadonlySet<WebhookAnswer['code']> = new Set([
  ...(['connection.unknown', 'method.not-allowed', 'signature.missing', 'signature.mismatch'] as const),
  ...(['body.encoded', 'body.too-large', 'body.incomplete', 'delivery.throttled'] as const),
]);

const LOGGED_AT_ONCE = 20;
const PER_SECOND = 5;

/** Logs each answer to a webhook; of cheap refusals some of each connection, and how many were left out. */
export function answerLog(log: Log, now: () => number): (answer: WebhookAnswer) => void {
  const buckets = new TokenBuckets({ burst: LOGGED_AT_ONCE, now });
  let leftOut = 0;
  return (answer) => {
    if (free.has(answer.code) && buckets.take(answer.connectionId ?? '', PER_SECOND) > 0) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) refusalsNotLogged(log, { count: leftOut });
    leftOut = 0;
    webhookAnswered(log, answer);
  };
}
