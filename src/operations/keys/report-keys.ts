import type { Connection } from '../../bridge/connections/connection.ts';
import type { AppStore } from '../../bridge/ledger/apps/app-store.ts';
import type { DestinationStore, ListedDestination } from '../../bridge/ledger/connections/destination-store.ts';
import { type ListedEndpoint, listEndpoints } from '../../bridge/ledger/events/endpoint-store.ts';
import { waysWithKeys } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { readDataKeys, renewedSinceLeak } from '../../bridge/ledger/keys/data-keys.ts';
import { countInInbox, countSealed, sealedBy } from '../../bridge/ledger/keys/sealed-rows.ts';
import { everyPerson } from '../../bridge/ledger/people/people-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { named, runningProcesses } from '../../platform/postgres/processes.ts';
import type { ApiKeys, ListedKey } from '../../service/keys/api-keys.ts';
import { type RenewableSecret, SEALED_COLUMNS } from './sealed-columns.ts';

/** One of ENCRYPTION_KEYS. `dataKeys`: how many it seals. `unknownTo`: processes that run without it; null: it is known to all. */
type MasterReport = { id: string; dataKeys: number; unknownTo: string | null };
/** `sealed`, `sealedBefore`: texts of its current data key, and of former ones. */
type PurposeReport = { purpose: string; dataKey: string | null; madeUnder: string | null; sealed: number; sealedBefore: number };

/**
 * `masters`: those of ENCRYPTION_KEYS, newest first, and others that data keys are sealed with. `mayGo`: those that nothing needs any more but backups from
 * before `sealedAt`. `waiting`: what former data keys sealed and is not in a table that stays. `unknown`: texts whose data key is gone.
 */
export type KeyReport = {
  masters: MasterReport[];
  purposes: PurposeReport[];
  waiting: { inbox: number; queue: number };
  unknown: number;
  sealedAt: string | null;
  mayGo: string[];
};

/** `jobs`: the data of all jobs in the queue, as JSON. */
type Deps = { pool: Pool; masters: readonly string[]; jobs(): Promise<string[]> };

export async function reportKeys({ pool, masters, jobs }: Deps): Promise<KeyReport> {
  const [stored, processes, counts] = await Promise.all([readDataKeys(pool), runningProcesses(pool), countSealed(pool, SEALED_COLUMNS)]);
  const ids = [...new Set([...masters, ...stored.map(({ sealedWith }) => sealedWith)])];
  const report = ids.map((id) => {
    const without = processes.filter(({ knows }) => !knows.includes(id));
    return { id, dataKeys: stored.filter(({ sealedWith }) => sealedWith === id).length, unknownTo: without.length === 0 ? null : named(without) };
  });
  const former = stored.flatMap(({ id, state }) => (state === 'retired' ? [id] : []));
  const count = (of: readonly string[]) => of.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
  const purposes = [...Map.groupBy(stored, ({ purpose }) => purpose)].map(([purpose, keys]) => {
    const current = keys.find(({ state }) => state === 'current');
    const before = keys.flatMap(({ id }) => (former.includes(id) ? [id] : []));
    return {
      ...{ purpose, dataKey: current?.id ?? null, madeUnder: current?.madeUnder ?? null },
      ...{ sealed: count(current ? [current.id] : []), sealedBefore: count(before) },
    };
  });
  return {
    masters: report,
    purposes,
    waiting: await waiting({ pool, jobs }, former),
    unknown: count([...counts.keys()]) - count(stored.map(({ id }) => id)),
    sealedAt:
      stored
        .map(({ sealedAt }) => sealedAt)
        .sort()
        .at(-1) ?? null,
    mayGo: report[0]?.unknownTo === null ? report.slice(1).flatMap(({ id, dataKeys }) => (dataKeys === 0 ? [id] : [])) : [],
  };
}

async function waiting({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>, former: readonly string[]): Promise<KeyReport['waiting']> {
  if (former.length === 0) return { inbox: 0, queue: 0 };
  const isSealed = new RegExp(sealedBy(former));
  return { inbox: await countInInbox(pool, former), queue: (await jobs()).filter((job) => isSealed.test(job)).length };
}

/** What anyone may have read who had the key and the database; `how`: what to type, or who does it. */
export type ToRenew = { what: string; how: string };

type Kept = {
  pool: Pool;
  connections: { list(): Promise<Connection[]> };
  apps: Pick<AppStore, 'list'>;
  destinations: Pick<DestinationStore, 'list'>;
  /** Of our own compliance service; null: it is not here. */
  keys: Pick<ApiKeys, 'list'> | null;
};

/** Secrets that others know, too, so that no new data key makes them secret again: those that nobody has renewed since the last leak. None if nothing leaked. */
export async function secretsToRenew({ pool, connections, apps, destinations, keys }: Kept): Promise<ToRenew[]> {
  const leak = await renewedSinceLeak(pool);
  if (leak === null) return [];
  const renewed = new Set(leak.renewed);
  const isLeft = ({ by, madeAt = '' }: Secret) => !renewed.has(by) && madeAt <= leak.leakedAt;
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const isRecent = Date.now() - Date.parse(leak.leakedAt) < UNUSED_DAYS * 86_400_000;
  const secrets: Record<RenewableSecret, Secret[]> = {
    apps: (await apps.list()).map(({ id }) => ({ by: id, what: `client secret of the app ${id}`, how: `shopify-app rotate-secret ${id} --secret prompt` })),
    connections: live.flatMap(ofConnection),
    destinations: (await destinations.list()).flatMap((one) => {
      const isUsed = live.some(({ destinationId }) => destinationId === one.id);
      return isUsed || isRecent ? ofDestination(one, isUsed) : [];
    }),
    endpoints: (await listEndpoints(pool)).map(ofEndpoint),
    invitations: (await waysWithKeys(pool)).map(ofInvitation),
    'API keys': ((await keys?.list()) ?? []).flatMap(ofApiKey),
    'second steps': (await everyPerson(pool))
      .filter(({ hasFactor }) => hasFactor)
      .map(({ id, email }) => ({ by: id, what: `second step of ${email}`, how: `people reset-factor ${email}` })),
  };
  return Object.values(secrets)
    .flat()
    .filter(isLeft)
    .map(({ what, how }) => ({ what, how }));
}

/** Nobody can see here that a key was ended which no store uses. */
const UNUSED_DAYS = 30;

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
function ofDestination({ id, baseUrl, keyEnd, createdAt }: ListedDestination, isUsed: boolean): Secret[] {
  const how = isUsed
    ? 'a new one there, then reconnect each of its stores, or COMPLIANCE_API_KEY'
    : `no connected store uses it: end it there, or set another COMPLIANCE_API_KEY (listed for ${UNUSED_DAYS} days)`;
  return baseUrl === null ? [] : [{ by: id, madeAt: createdAt, what: `key …${keyEnd ?? '?'} of ${baseUrl}`, how }];
}

/** The rest of an address may be a key. */
function ofEndpoint({ id, url }: ListedEndpoint): Secret {
  return {
    by: id,
    what: `secret that signs events for ${new URL(url).host}`,
    how: `events rotate-secret ${id} --revoke-now, and give the new one to the receiver`,
  };
}

function ofInvitation({ id, createdAt }: { id: string; createdAt: string }): Secret {
  const how = 'its merchant makes new ones in the store, and gives them again';
  return { by: id, madeAt: createdAt, what: `keys of a store that is not connected yet (invitation ${id})`, how };
}

function ofApiKey({ id, hint, label, createdAt, revokedAt, endsAt }: ListedKey): Secret[] {
  if (revokedAt !== null || (endsAt !== null && new Date(endsAt) <= new Date())) return [];
  return [{ by: id, madeAt: createdAt, what: `API key ${hint}… (${label ?? 'without label'})`, how: `service keys rotate ${id}, then revoke the old one` }];
}
