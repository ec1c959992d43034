import type { Connection } from '../../bridge/connections/connection.ts';
import { PING_TOPIC } from '../../bridge/intake/traffic.ts';
import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import type { WatchDeps } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { type ListedDelivery, listDeliveries } from '../connections/list-deliveries.ts';
import { newSecret } from '../connections/new-secret.ts';
import { rotateSecret } from '../connections/rotate-secret.ts';

type Deps = { pool: Pool; connections: FindConnection; stores: { watch: Pick<WatchDeps, 'ledger'> } };

/** What came of a store, which says of itself whether it is set up. */
export type Received = {
  /** The last that was signed, and could be read. `order`: what people call the one that it was about, if that is known by now. */
  good: { at: string; order: string | null } | null;
  /** What came after it and was refused, or could not be read; null: nothing. `detail`: of a body that can't be read. */
  bad: { at: string; code: string; detail: string | null } | null;
};

const LOOKED_AT = 200;
const UNREADABLE = new Set(['payload.unreadable', 'delivery.unrecordable']);

/** The newest deliveries of a connection, as its merchant is told. Orders that were read from the store are none: they prove no webhook. */
export async function receivedFrom(deps: Deps, { id }: Pick<Connection, 'id'>): Promise<Received> {
  const newest = (await listDeliveries(deps, { id, refused: false, limit: LOOKED_AT })).filter(({ topic }) => topic !== READ_TOPIC);
  const good = newest.find((one) => !isBad(one));
  const [last] = newest;
  const bad = last !== undefined && isBad(last) ? { at: last.at, code: last.code ?? '', detail: last.result === 'refused' ? null : last.detail } : null;
  return { good: good === undefined ? await goodLongAgo(deps, id) : { at: good.at, order: good.order?.number ?? null }, bad };
}

/** Of deliveries that are no longer listed. */
async function goodLongAgo({ stores }: Deps, id: string): Promise<Received['good']> {
  const accepted = [...(await stores.watch.ledger.accepted(id))].filter(([topic]) => topic !== PING_TOPIC).map(([, at]) => at);
  const at = accepted.sort().at(-1);
  return at === undefined ? null : { at, order: null };
}

function isBad({ code, result }: ListedDelivery): boolean {
  return result === 'refused' || UNREADABLE.has(code ?? '');
}

/** A new secret for the webhooks of a store, which is shown once. The old one ends at once while nothing good came with it. */
export async function freshSecret(
  deps: Deps & Parameters<typeof rotateSecret>[0],
  { id, platform }: Pick<Connection, 'id' | 'platform'>,
  by: Actor,
): Promise<string> {
  const secret = newSecret(platform);
  if (secret === null) throw new Error(`stores of ${platform} have secrets of their own`);
  const { good } = await receivedFrom(deps, { id });
  await rotateSecret(deps, { id, secret, revokeNow: good === null, by });
  return secret;
}
