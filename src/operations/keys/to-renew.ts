import type { Connection } from '../../bridge/connections/connection.ts';
import type { AppStore } from '../../bridge/ledger/apps/app-store.ts';
import type { DestinationStore } from '../../bridge/ledger/connections/destination-store.ts';
import { everyPerson } from '../../bridge/ledger/people/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ApiKeys } from '../../service/keys/api-keys.ts';

/** What anyone may have read who had the key and the database; `how`: what to type, or who does it. */
export type ToRenew = { what: string; how: string };

type Deps = {
  pool: Pool;
  connections: { list(): Promise<Connection[]> };
  apps: Pick<AppStore, 'list'>;
  destinations: Pick<DestinationStore, 'list'>;
  /** Of our own compliance service; null: it is not here. */
  keys: Pick<ApiKeys, 'list'> | null;
};

/** Secrets that others know, too, so that no new data key makes them secret again. */
export async function secretsToRenew({ pool, connections, apps, destinations, keys }: Deps): Promise<ToRenew[]> {
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const apiKeys = ((await keys?.list()) ?? []).filter(({ revokedAt }) => revokedAt === null);
  return [
    ...(await apps.list()).map(({ id }) => ({ what: `client secret of the app ${id}`, how: `shopify-app rotate-secret ${id} --secret prompt` })),
    ...live.flatMap(({ id, name, access, app }) => [
      ...(app === null ? [{ what: `webhook secret of ${name}`, how: `rotate-secret ${id} --secret prompt --revoke-now` }] : []),
      ...(access === null
        ? []
        : [{ what: `keys of the API of ${name}`, how: `make new ones in the store, then reconnect ${id}; granted ones: approve the app again` }]),
    ]),
    ...(await destinations.list()).flatMap(({ baseUrl, keyEnd }) =>
      baseUrl === null
        ? []
        : [{ what: `key …${keyEnd ?? '?'} of ${baseUrl}`, how: 'a new one there, then reconnect each of its stores, or COMPLIANCE_API_KEY' }],
    ),
    ...apiKeys.map(({ id, hint, label }) => ({
      what: `API key ${hint}… (${label ?? 'without label'})`,
      how: `service keys rotate ${id}, then revoke the old one`,
    })),
    ...(await everyPerson(pool))
      .filter(({ hasFactor }) => hasFactor)
      .map(({ email }) => ({ what: `second step of ${email}`, how: `people reset-factor ${email}` })),
    { what: 'links in mails of months', how: 'those so far show nothing any more; the next mail has a new one' },
  ];
}
