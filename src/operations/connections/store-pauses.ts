import type { Connection } from '../../bridge/connections/connection.ts';
import type { StorePause } from '../../bridge/delivery/store-calls.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';

/** The pauses that keep the calls of a live connection's store waiting; those of a host concern all connections of it. */
export function pausesOfStore({ id, access, closedAt }: Connection, pauses: readonly StorePause[]): StorePause[] {
  if (access === null || closedAt !== null) return [];
  const host = storeHost(access.url) ?? access.url;
  return pauses.filter((pause) => pause.host === host && (pause.connectionId === null || pause.connectionId === id));
}

export function storePauseWords({ host, code, detail, since, until }: StorePause): string {
  return `${code}: calls of the store’s API at ${host} are paused since ${since} (${detail}); the next call is at ${until}, or when an order needs it`;
}
