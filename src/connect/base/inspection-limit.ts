import { TokenBuckets } from '../../platform/rate-limit.ts';
import { html } from '../../web/html.ts';
import type { ConnectContext, ConnectReply } from './connect-page.ts';

const AT_ONCE = 20;
/** 20 a minute: each of them calls somebody's server. */
const PER_SECOND = 20 / 60;
const inspections = new TokenBuckets({ burst: AT_ONCE, now: () => performance.now() });

/** Who has their store called again and again is slowed down; null: it may be called. */
export function tooOften({ onboarding, words: { store: say } }: ConnectContext): ConnectReply | null {
  return inspections.take(onboarding.id, PER_SECOND) > 0 ? { status: 429, title: say.title, body: html`<p>${say.tooMany}</p>` } : null;
}
