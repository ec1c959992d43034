import type { PostJson } from '../post-json.ts';

const MINUTE_MS = 60_000;
/** Looks come a little sooner or later than they should. */
const EARLY_MS = 5_000;
const SAID_AGAIN_MS = 60 * MINUTE_MS;

type Deps = { url: string; fetch: PostJson; now(): number; onFailed(why: string): void };

/** The sign of life for a dead man's switch: at most once a minute, whatever it answers. A failure is reported once an hour. */
export function createHeartbeat({ url, fetch, now, onFailed }: Deps): { beat(): Promise<void> } {
  let beatAt = Number.NEGATIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    async beat() {
      if (now() - beatAt < MINUTE_MS - EARLY_MS) return;
      beatAt = now();
      const why = await heartbeatProblem(fetch, url);
      if (why === null || now() - saidAt < SAID_AGAIN_MS) return;
      saidAt = now();
      onFailed(why);
    },
  };
}

/** Fetches the address once; null: it took the sign. */
export async function heartbeatProblem(fetch: PostJson, url: string): Promise<string | null> {
  const posted = await fetch({ url });
  if (posted.status === null) return posted.why;
  if (posted.status === 0) return posted.text;
  return posted.status < 400 ? null : `it answered ${posted.status}`;
}
