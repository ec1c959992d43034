import { refusalsNotLogged, webhookAnswered } from '../bridge/bridge-events.ts';
import type { WebhookAnswer } from '../bridge/intake/webhook-router.ts';
import type { Log } from '../platform/log.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';

/** Refusals that nobody needs a secret for. */
const free: ReadonlySet<WebhookAnswer['code']> = new Set([
  ...(['connection.unknown', 'method.not-allowed', 'signature.missing', 'signature.mismatch'] as const),
  ...(['body.encoded', 'body.too-large', 'body.incomplete', 'delivery.throttled'] as const),
]);

const BURST = 20;
const PER_SECOND = 5;

/** Logs each answer to a webhook; of cheap refusals some of each connection, and how many were left out. */
export function answerLog(log: Log, now: () => number): (answer: WebhookAnswer) => void {
  const buckets = new TokenBuckets({ burst: BURST, now });
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
