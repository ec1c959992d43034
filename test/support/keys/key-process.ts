import { randomUUID } from 'node:crypto';
import { openKeys } from '../../../src/app/open-keys.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { Secret } from '../../../src/config/secret.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createPool, type Pool, type SqlConnection } from '../../../src/platform/postgres/postgres.ts';
import { createApiKeys } from '../../../src/service/keys/api-keys.ts';

export const OLD = '11'.repeat(32);
export const NEW = '22'.repeat(32);
const EVERY_MS = 100;
/** A rotation waits for the others for four times as long, however often they read. */
const WAITS_MS = 600;

/** A process as far as its keys and what it seals: destinations, and API keys of our own service. `outgrown`: schemas that it found itself too old for. */
export async function openKeyProcess(databaseUrl: string, encryptionKeys: string, role?: string) {
  const resources = new AsyncDisposableStack();
  const pool = createPool({ url: databaseUrl, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
  resources.defer(() => pool.end());
  const log = createLog({ level: 'silent', name: 'test' });
  const config = { database: { kind: 'external', url: new Secret(databaseUrl) }, dataDir: '/nowhere', encryptionKeys: new Secret(encryptionKeys) } as const;
  const outgrown: string[] = [];
  const onTooOld = (schema: string) => void outgrown.push(schema);
  const keys = { ...resources.use(await openKeys({ pool, log, config, onTooOld }, EVERY_MS)), everyMs: WAITS_MS };
  if (role !== undefined) await keys.announce(role);
  const destinations = createDestinationStore(pool, keys.sealer);
  const apiKeys = createApiKeys({ pool, sealing: keys.sealer, dialectDefaults: embeddedDialect, now: () => new Date() });
  return { pool, keys, outgrown, destinations, apiKeys, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export type KeyProcess = Awaited<ReturnType<typeof openKeyProcess>>;

/** What a process sealed, so that another can see whether it opens: ids of destinations with their secrets, and API keys with theirs. */
export class Sealed {
  readonly #destinations = new Map<string, string>();
  readonly #apiKeys = new Map<string, string>();

  async add({ destinations, apiKeys }: Pick<KeyProcess, 'destinations' | 'apiKeys'>): Promise<void> {
    const apiSecret = randomUUID();
    this.#destinations.set(await destinations.ensure('https://api.example', { apiKey: randomUUID(), apiSecret }), apiSecret);
    const key = await apiKeys.create({ multiShop: false });
    this.#apiKeys.set(key.apiKey, key.apiSecret);
  }

  /** How many open, of all. */
  async opened({ destinations, apiKeys }: Pick<KeyProcess, 'destinations' | 'apiKeys'>): Promise<[opened: number, all: number]> {
    const found = [
      ...(await Promise.all([...this.#destinations].map(async ([id, secret]) => (await destinations.find(id))?.credentials.apiSecret === secret))),
      ...(await Promise.all([...this.#apiKeys].map(async ([key, secret]) => (await apiKeys.find(key))?.secret === secret))),
    ];
    return [found.filter(Boolean).length, found.length];
  }
}

/** A pool whose process is killed before its statement of this number: nothing is done from then on. */
export function killedAt(pool: Pool, statement: number): Pool {
  let left = statement;
  const counted = <Args extends unknown[], Answer>(query: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return query(...args);
    };
  };
  return {
    query: counted((...args: Parameters<Pool['query']>) => pool.query(...args)),
    async connect() {
      const client = await pool.connect();
      const query = counted((...args: Parameters<Pool['query']>) => client.query(...args));
      return new Proxy(client, {
        get(target, name) {
          if (name === 'query') return query;
          // A killed process gives no connection back: its transaction is rolled back.
          if (name === 'release') return (error?: Error) => target.release(left === 0 ? (error ?? new Error('killed')) : error);
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }) satisfies SqlConnection;
    },
    end: () => pool.end(),
  };
}
