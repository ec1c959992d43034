import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { listDeliveries } from '../connections/list-deliveries.ts';
import { newSecret } from '../connections/new-secret.ts';
import { rotateSecret } from '../connections/rotate-secret.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** What came of a store, which says of itself whether it is set up. */
export type Heard = {
  /** The last that was signed, and could be read. `order`: what people call it, once it is read. */
  good: { at: string; order: string | null } | null;
  /** What came after it and was refused, or could not be read; null: nothing. `detail`: of a body that can't be read. */
  bad: { at: string; code: string; detail: string | null } | null;
};

const LOOKED_AT = 20;
const UNREADABLE = new Set(['payload.unreadable', 'delivery.unrecordable']);

/** The newest deliveries of a connection, as its merchant is told. */
export async function heardOf({ pool, connections }: Deps, { id }: Pick<Connection, 'id'>): Promise<Heard> {
  const newest = await listDeliveries({ pool, connections }, { id, refused: false, limit: LOOKED_AT });
  const isBad = (code: string | null, result: string) => result === 'refused' || UNREADABLE.has(code ?? '');
  const good = newest.find(({ code, result }) => !isBad(code, result));
  const [last] = newest;
  const bad =
    last !== undefined && isBad(last.code, last.result) ? { at: last.at, code: last.code ?? '', detail: last.result === 'refused' ? null : last.detail } : null;
  return { good: good === undefined ? null : { at: good.at, order: good.order?.number ?? null }, bad };
}

/** A new secret for the webhooks of a store, which is shown once. The old one ends at once while nothing good came with it. */
export async function freshSecret(
  deps: Deps & Parameters<typeof rotateSecret>[0],
  { id, platform }: Pick<Connection, 'id' | 'platform'>,
  by: Actor,
): Promise<string> {
  const secret = newSecret(platform);
  if (secret === null) throw new Error(`stores of ${platform} have secrets of their own`);
  const { good } = await heardOf(deps, { id });
  await rotateSecret(deps, { id, secret, revokeNow: good === null, by });
  return secret;
}
