import pg from 'pg';

export type ListenOptions = { url: string; channel: string; onMessage: (payload: string) => void; onLost: (error: Error) => void };

const RETRY_MS = 1_000;

/** Hears NOTIFYs on one channel over a connection of its own, and comes back when that breaks; `onLost` says that messages may have been missed. */
export function listen({ url, channel, onMessage, onLost }: ListenOptions): AsyncDisposable {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function lost(error: Error): void {
    if (closed || timer !== undefined) return;
    client?.removeAllListeners();
    client?.on('error', () => undefined);
    void client?.end().catch(() => undefined);
    client = null;
    onLost(error);
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, RETRY_MS).unref();
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'orderbridge-listener', keepAlive: true });
    client = next;
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    next.on('error', lost);
    next.on('end', () => lost(new Error('the listening connection ended')));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (thrown) {
      lost(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  void connect();
  return {
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
