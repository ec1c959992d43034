import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Sentinels } from '../servers/sentinels.ts';
import { until } from '../worlds/settled.ts';

/** Asks a Redis or a Sentinel at a port. */
export async function asked<T>(port: number, ask: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

/** Until each Sentinel knows the others, and so many replicas. */
export async function knowEachOther({ ports }: Sentinels, replicas: number): Promise<void> {
  for (const port of ports) {
    const knows = async () => {
      const [watched] = (await asked(port, (client) => client.call('SENTINEL', 'masters'))) as string[][];
      const field = (name: string) => watched?.[watched.indexOf(name) + 1];
      return field('num-slaves') === String(replicas) && field('num-other-sentinels') === '2';
    };
    await until(() => knows().catch(() => false), { what: 'the Sentinels to know each other' });
  }
}

/** Arguments of a Redis that knows the user of ops/redis.acl, whose password is `right`. */
export async function withRights(folder: string, name: string): Promise<string[]> {
  const rights = await readFile(join(import.meta.dirname, '../../../ops/redis.acl'), 'utf8');
  const file = join(folder, `${name}.acl`);
  await writeFile(file, rights.replace('>PASSWORD', '>right'));
  return ['--aclfile', file];
}
