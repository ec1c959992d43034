import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { openDataDir, readIfThere } from '../platform/data-dir.ts';
import { highest, type Marks } from '../platform/postgres/database-place.ts';
import { withTimeout } from '../platform/with-timeout.ts';

/** What is known outside of a database, by its id, of how far it got. It only rises, whichever process writes it. */
export type KnownMarks = { read(id: string): Promise<Marks>; raise(id: string, marks: Marks): Promise<void> };

const REDIS_MS = 2_000;

/** In Redis, which is not restored with the database; without it in a file of DATA_DIR. */
export function openKnownMarks(redis: Redis | null, dataDir: string): KnownMarks {
  return redis === null ? inFile(dataDir) : inRedis(redis);
}

function inRedis(redis: Redis): KnownMarks {
  const key = (id: string) => `orderbridge:database:${id}`;
  return {
    async read(id) {
      const flat = await withTimeout(REDIS_MS, redis.zrange(key(id), '0', '-1', 'WITHSCORES'));
      return new Map(flat.flatMap((name, n) => (n % 2 === 0 ? [[name, Number(flat[n + 1])] as const] : [])));
    },
    async raise(id, marks) {
      await withTimeout(REDIS_MS, redis.call('zadd', key(id), 'GT', ...[...marks].flatMap(([name, value]) => [String(value), name])));
    },
  };
}

const kept = z.record(z.string(), z.record(z.string(), z.number()));

/** Two processes that write at once may lose what one of them knew; it writes it again within seconds. */
function inFile(dataDir: string): KnownMarks {
  const path = join(dataDir, 'database.json');
  const all = async () => parsed((await readIfThere(path)) ?? '{}');
  const read = async (id: string) => new Map(Object.entries((await all())[id] ?? {}));
  return {
    read,
    async raise(id, marks) {
      const raised = highest(await read(id), marks);
      const draft = `${path}.${randomUUID()}`;
      await openDataDir(dataDir);
      try {
        await writeFile(draft, JSON.stringify({ [id]: Object.fromEntries(raised) }), { mode: 0o600, flush: true });
        await rename(draft, path);
      } catch (thrown) {
        await rm(draft, { force: true });
        throw thrown;
      }
    },
  };
}

/** A file that was cut off, by a power cut or a full disk, says nothing. */
function parsed(text: string): z.output<typeof kept> {
  try {
    return kept.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
