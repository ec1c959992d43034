import type { Connection } from '../../bridge/connections/connection.ts';
import type { AppStore } from '../../bridge/ledger/apps/app-store.ts';
import type { DestinationStore, ListedDestination } from '../../bridge/ledger/connections/destination-store.ts';
import { renewedSinceLeak } from '../../bridge/ledger/keys/data-keys.ts';
import { everyPerson } from '../../bridge/ledger/people/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ApiKeys, ListedKey } from '../../service/keys/api-keys.ts';

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

/** Secrets that others know, too, so that no new data key makes them secret again: those that nobody has renewed since the last leak. None if nothing leaked. */
export async function secretsToRenew({ pool, connections, apps, destinations, keys }: Deps): Promise<ToRenew[]> {
  const leak = await renewedSinceLeak(pool);
  if (leak === null) return [];
  const renewed = new Set(leak.renewed);
  const isLeft = ({ by, madeAt = '' }: Secret) => !renewed.has(by) && madeAt <= leak.leakedAt;
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const secrets: Secret[] = [
    ...(await apps.list()).map(({ id }) => ({ by: id, what: `client secret of the app ${id}`, how: `shopify-app rotate-secret ${id} --secret prompt` })),
    ...live.flatMap(ofConnection),
    ...(await destinations.list()).flatMap((one) => (live.some(({ destinationId }) => destinationId === one.id) ? ofDestination(one) : [])),
    ...((await keys?.list()) ?? []).flatMap(ofApiKey),
    ...(await everyPerson(pool))
      .filter(({ hasFactor }) => hasFactor)
      .map(({ id, email }) => ({ by: id, what: `second step of ${email}`, how: `people reset-factor ${email}` })),
  ];
  return secrets.filter(isLeft).map(({ what, how }) => ({ what, how }));
}

/** `by`: what `renewedSinceLeak` calls its renewal; `madeAt`: absent if that says all. */
type Secret = ToRenew & { by: string; madeAt?: string };

function ofConnection({ id, name, access, app }: Connection): Secret[] {
  return [
    ...(app === null ? [{ by: `${id} secret`, what: `webhook secret of ${name}`, how: `rotate-secret ${id} --secret prompt --revoke-now` }] : []),
    ...(access === null
      ? []
      : [
          {
            by: `${id} storeKeys`,
            what: `keys of the API of ${name}`,
            how: `make new ones in the store, then reconnect ${id}; granted ones: approve the app again`,
          },
        ]),
  ];
}

/** Another key is another destination. */
function ofDestination({ id, baseUrl, keyEnd, createdAt }: ListedDestination): Secret[] {
  const how = 'a new one there, then reconnect each of its stores, or COMPLIANCE_API_KEY';
  return baseUrl === null ? [] : [{ by: id, madeAt: createdAt, what: `key …${keyEnd ?? '?'} of ${baseUrl}`, how }];
}

function ofApiKey({ id, hint, label, createdAt, revokedAt, endsAt }: ListedKey): Secret[] {
  if (revokedAt !== null || (endsAt !== null && new Date(endsAt) <= new Date())) return [];
  return [{ by: id, madeAt: createdAt, what: `API key ${hint}… (${label ?? 'without label'})`, how: `service keys rotate ${id}, then revoke the old one` }];
}
