import { ZodError } from 'zod';
import { signedHeaders } from '../../contract/standard-webhook.ts';
import { type Backoff, backoffMs } from '../../platform/backoff.ts';
import { errorWords } from '../../platform/error-words.ts';
import { DONE, type JobEnd } from '../../platform/jobs/job-kind.ts';
import type { Job } from '../../platform/jobs/job-store.ts';
import { UnreadableRow } from '../../platform/postgres/unreadable-row.ts';
import { type LiveSecret, liveSecrets } from '../connections/connection.ts';
import type { PostJson } from '../post-json.ts';
import { bodyOf, type StoredEvent } from './event.ts';

/** Where events are sent, and how they are signed. */
export type EventEndpoint = { id: string; url: string; secrets: readonly LiveSecret[]; withBuyers: boolean };

/** gone: it answered 410. failing: it took no event for three days. */
export type DisabledAs = 'gone' | 'failing';

/** `attempts`: before this one. `stored`: an error is why it can't be read, for now or for good. */
export type DueEvent = { id: string; attempts: number; stored: StoredEvent | UnreadableRow };

/** How a try ended. `answer`: the beginning of its body, or why there was none. `isSent` false: it could not be written down, which says nothing of the endpoint. */
export type TriedEvent = { id: string; isSent: boolean; isDelivered: boolean; status: number | null; answer: string; tookMs: number; laterMs: number };

export type SendEventsDeps = {
  ledger: {
    /** Null: there is none, or it is disabled. */
    open(id: string): Promise<EventEndpoint | null>;
    /** Of each subject the first that is not over, if it is due; the oldest of them. */
    due(endpoint: EventEndpoint, limit: number): Promise<DueEvent[]>;
    /** Returns whether it was refused for three days, again and again. One that could not be sent since then is given up. */
    note(tried: TriedEvent): Promise<boolean>;
    /** What failed is due now. */
    retry(endpointId: string): Promise<void>;
    disable(endpointId: string, as: DisabledAs): Promise<void>;
  };
  post: PostJson;
  backoff: Backoff;
  now(): number;
  random(): number;
};

/** Subjects that an endpoint is sent events of at a time. */
const AT_ONCE = 16;
/** So many failures in a row say more of an endpoint than of an event. */
const DOWN = 3;
const LOOK_MS = 500;
const LONGEST_ANSWER = 1_000;
const GONE = 410;

/** Sends an endpoint, which is the key of the job, what is due. Its job goes on as long as the endpoint, so that none is written with an event. */
export async function sendEvents(deps: SendEventsDeps, { key, attempts }: Job, signal: AbortSignal): Promise<JobEnd> {
  const { ledger } = deps;
  const endpoint = await ledger.open(key);
  if (endpoint === null) return DONE;
  // One that fails is sent a single event, until it takes one.
  const isFailing = attempts > 1;
  const due = await ledger.due(endpoint, isFailing ? 1 : AT_ONCE);
  if (due.length === 0) return isFailing ? { is: 'waits', ms: LOOK_MS } : { is: 'again', ms: LOOK_MS };
  // Each ends before the run does: what is on its way is not sent a second time meanwhile.
  const ends = await Promise.allSettled(due.map((event) => sendOne(deps, { endpoint, event, signal })));
  const sent = ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value ?? [];
  });
  if (signal.aborted || sent.length === 0) return { is: 'waits', ms: 0 };
  const over = sent.find(({ disables }) => disables !== null)?.disables ?? null;
  if (over !== null) {
    await ledger.disable(key, over);
    return DONE;
  }
  const failed = sent.flatMap(({ why, afterMs }) => (why === null ? [] : [{ why, afterMs }]));
  const [first] = failed;
  if (first !== undefined && failed.length === sent.length) return { is: 'failed', ...first };
  // It was down, rather than refused one event: what waits for a later time need not.
  if (attempts > DOWN) await ledger.retry(key);
  return { is: 'again', ms: 0 };
}

type Sending = { endpoint: EventEndpoint; event: DueEvent; signal: AbortSignal };
/** `why` null: it was taken. `disables`: why the endpoint is sent nothing more. */
type SentEvent = { why: string | null; afterMs: number | null; disables: DisabledAs | null };

/** Null: it was not sent, or was cut off here, which says nothing of the endpoint. */
async function sendOne(deps: SendEventsDeps, { endpoint, event, signal }: Sending): Promise<SentEvent | null> {
  const { ledger, post, backoff, now, random } = deps;
  const waitMs = backoffMs(backoff, event.attempts + 1, random());
  const body = bodyOrWhy(event.stored);
  if (body instanceof Error) {
    await ledger.note({
      id: event.id,
      isSent: false,
      isDelivered: false,
      status: null,
      answer: errorWords(body).slice(0, LONGEST_ANSWER),
      tookMs: 0,
      laterMs: waitMs,
    });
    return null;
  }
  const at = now();
  const headers = signedHeaders(liveSecrets(endpoint, at), { id: event.id, seconds: Math.floor(at / 1000), body });
  const posted = await post({ url: endpoint.url, body, headers, signal });
  const tookMs = Math.max(0, Math.round(now() - at));
  const [status, text, afterMs] = posted.status === null ? [null, posted.why, null] : [posted.status || null, posted.text, posted.retryAfterMs];
  const isDelivered = status !== null && status >= 200 && status < 300;
  if (signal.aborted && status === null) return null;
  const laterMs = Math.max(waitMs, afterMs ?? 0);
  const isOld = await ledger.note({ id: event.id, isSent: true, isDelivered, status, answer: text.slice(0, LONGEST_ANSWER), tookMs, laterMs });
  if (isDelivered) return { why: null, afterMs, disables: null };
  return { why: status === null ? 'no answer' : `it answered ${status}`, afterMs, disables: status === GONE ? 'gone' : isOld ? 'failing' : null };
}

function bodyOrWhy(stored: StoredEvent | UnreadableRow): string | Error {
  if (stored instanceof Error) return stored;
  try {
    return bodyOf(stored);
  } catch (thrown) {
    if (thrown instanceof ZodError) return new UnreadableRow('events', stored, thrown);
    throw thrown;
  }
}
