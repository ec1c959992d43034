import { difference } from '../../platform/trail/difference.ts';
import { type Act, authorOf, type Said } from '../../platform/trail/trail.ts';
import type { Connection } from '../connections/connection.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { BridgeAct } from './bridge-acts.ts';

type Changed = { act: BridgeAct; said: Said; before: Connection | null; after: Connection; also?: Record<string, unknown> };

/** What became of a connection, for the trail; of its secrets no more than that they changed. Null: nothing did. */
export function connectionAct({ act, said, before, after, also = {} }: Changed): Act<BridgeAct> | null {
  const parts = difference(before === null ? {} : shownOf(before), shownOf(after));
  const changed = {
    ...parts?.after,
    ...(isSame(before?.secrets, after.secrets) ? {} : { secret: secretWords(before) }),
    ...(isSame(keysOf(before), keysOf(after)) ? {} : { storeKeys: secretWords(before) }),
    ...also,
  };
  if (parts === null && Object.keys(changed).length === 0) return null;
  return { ...authorOf(said), act, connectionId: after.id, ...(before === null ? {} : { before: parts?.before ?? {} }), after: changed };
}

function secretWords(before: Connection | null): string {
  return before === null ? 'given' : 'changed';
}

function shownOf({
  platform,
  name,
  store,
  shopId,
  destinationId,
  settings,
  recordFrom,
  trialSince,
  gaps,
  hosts,
  access,
  app,
  storeIdentity,
  closedAt,
}: Connection) {
  return {
    ...{ platform, name, store, shopId, destinationId, settings, recordFrom, trialSince, gaps, storeIdentity, closedAt },
    hosts: Object.fromEntries(hosts.map(({ host, verdict }) => [host, verdict])),
    ...(app === null ? {} : { app }),
    // The rest of an address may be a key.
    storeHost: access === null ? null : storeHost(access.url),
  };
}

function keysOf(connection: Connection | null): Connection['access'] {
  return connection?.access ?? null;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
