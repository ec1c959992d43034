import { createHash } from 'node:crypto';
import type { OldProgram } from './old-program.ts';
import type { Store } from './stores.ts';

type Month = { month: string; version: number | null };

/** All state that the old program leaves behind, as its own command line prints it. */
export async function whatItSays(program: OldProgram, stores: Record<string, Store>, env: Record<string, string>): Promise<object> {
  const ask = (...args: string[]) => program.json<unknown>(args, { env });
  const shops: Record<string, unknown> = {};
  for (const { shop } of Object.values(stores)) if (!shop.startsWith('aaaaaaaa')) shops[shop] = await shopSays(program, shop, env);
  return {
    stores,
    orders: await ask('orders'),
    parked: await ask('parked'),
    exports: await ask('exports'),
    connections: await ask('connections'),
    shops,
  };
}

async function shopSays(program: OldProgram, shop: string, env: Record<string, string>): Promise<object> {
  const ask = <T>(...args: string[]) => program.json<T>([...args, '--shop', shop], { env });
  const months = await ask<Month[]>('service', 'audit', 'list');
  const files: Record<string, string> = {};
  for (const { month, version } of months) {
    if (version === null) continue;
    const xml = await program.bytes(['service', 'audit', 'show', '--shop', shop, '--month', month, '--xml'], { env });
    files[month] = createHash('sha256').update(xml).digest('hex');
  }
  return {
    orders: await ask('service', 'orders', 'list'),
    receipts: await ask('service', 'receipts', 'list'),
    mails: await ask('service', 'mails', 'list'),
    months,
    files,
  };
}
