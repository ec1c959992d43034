import pg from 'pg';
import { retry } from '../retry.ts';
import { KEEP_ALIVE } from './postgres.ts';

/** `onListening`: it listens from now on, at first and after each loss; what was notified before is missed. */
export type ListenOptions = { url: string; channel: string; onMessage: (payload: string) => void; onListening: () => void; onLost: (error: Error) => void };

const LIMITS = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 };
const FOREVER = { retries: Number.POSITIVE_INFINITY, minTimeout: 1_000, factor: 1, unref: true };

/** Listens for NOTIFYs on one channel over its own connection, and reconnects when that breaks. */
export function listen({ url, channel, onMessage, onListening, onLost }: ListenOptions): AsyncDisposable {
  const ending = new AbortController();
  const { signal } = ending;
  let closed: Promise<void> | undefined;

  // It ends only by breaking, or with the signal.
  async function session(): Promise<void> {
    const client = new pg.Client({ connectionString: url, application_name: 'orderbridge-listener', ...LIMITS, ...KEEP_ALIVE });
    const over = Promise.withResolvers<void>();
    const end = (): void => over.reject(new Error('the listening connection ended'));
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    client.on('error', over.reject);
    client.on('end', end);
    signal.addEventListener('abort', end);
    const listening = client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .then(onListening);
    try {
      await Promise.race([over.promise, listening.then(() => over.promise)]);
    } finally {
      signal.removeEventListener('abort', end);
      client.removeAllListeners();
      client.on('error', () => undefined);
      // Not awaited: a connection that hangs must not delay the next one.
      closed = client.end().catch(() => undefined);
    }
  }

  async function reportedSession(): Promise<void> {
    try {
      await session();
    } catch (thrown) {
      if (!signal.aborted) onLost(thrown instanceof Error ? thrown : new Error(String(thrown)));
      throw thrown;
    }
  }

  // Rejected by the signal alone.
  const sessions = retry(reportedSession, { ...FOREVER, signal }).catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await sessions;
      await closed;
    },
  };
}
