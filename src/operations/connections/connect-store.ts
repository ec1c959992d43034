import type { Connection } from '../../bridge/connections/connection.ts';
import type { Earlier, NewConnection, OpenedConnection } from '../../bridge/connections/new-connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Credentials } from '../../bridge/ledger/connections/destination-store.ts';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Actor, Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import type { FirstTry } from '../one-first.ts';
import { refuseStoreName } from '../plain-name.ts';
import { Refusal } from '../refusal.ts';
import { refuseUnknown } from './change-settings.ts';
import { type DecidedAgain, decideAgain } from './decide-again.ts';
import { takeQuarantined } from './store-hosts.ts';
import { refuseInsecure, storeIdentity } from './verify-credentials.ts';

export type ConnectDeps = {
  pool: Pool;
  connections: { create(input: NewConnection, said: Authorship): Promise<OpenedConnection> };
  compliance: Pick<ComplianceAccess, 'destination'>;
  /** Null: no order goes first; not given: one does, for a minute. */
  firstTry?: FirstTry | null;
  fetchJson: FetchJson;
  /** Hosts to which keys may go over http, beside private ones. */
  trustedHttpHosts: readonly string[];
  notify: Notify;
  by: Actor;
};

/** `credentials` null: the configured ones. `identity`: the platform's own id of the store, if `access` was asked for it already. */
export type ConnectRequest = Omit<NewConnection, 'destinationId' | 'identity' | 'readFrom'> & { credentials: Credentials | null; identity?: string };

export type Connected = {
  connection: Connection;
  earlier: Earlier;
  /** Orders that stay in review; absent: none does. */
  notReleased?: DecidedAgain['notReleased'];
};

/** Connects a store to a shop of the compliance service, which has one live connection at most. A store that was disconnected goes on as it was. */
export async function connectStore(deps: ConnectDeps, { credentials, ...input }: ConnectRequest): Promise<Connected> {
  const { connections, compliance, fetchJson } = deps;
  refuseStoreName(input.name, [input.store, input.access?.url, ...input.hosts]);
  refuseInsecure(input.access, deps.trustedHttpHosts);
  const destinationId = await compliance.destination(credentials);
  if (input.settings !== null) await refuseUnknown(deps.pool, destinationId, input.settings);
  const identity = input.identity ?? (await storeIdentity(storefrontOf(storefronts, input.platform), input.access, meansToTry(fetchJson, input.secret)));
  const readFrom = input.recordFrom ?? input.settings?.recordFrom;
  const opened = await connections.create({ ...input, destinationId, identity, readFrom }, { by: deps.by });
  if (!('connection' in opened)) throw refusal(input, opened);
  const { connection, earlier } = opened;
  if (earlier.is !== 'same') return { connection, earlier };
  // Hosts that its options name were made the store's.
  for (const { host } of earlier.earlier.hosts.filter((one) => one.ownership === 'quarantined' && input.hosts.includes(one.host)))
    await takeQuarantined(deps.pool, connection, host);
  const { notReleased } = await decideAgain(deps, { connection, settings: input.settings, span: input.recordFrom !== null, storeApi: true });
  return { connection, earlier, ...(notReleased === undefined ? {} : { notReleased }) };
}

/** The store is connected by the same app already, to another shop. */
export class StoreTaken extends Refusal {
  constructor() {
    super('conflict', {
      en: 'this store is connected already, by another link and to another shop; open that link, or ask the person who sent it',
      bg: 'този магазин вече е свързан с друга връзка и към друг обект; отворете нея или се обърнете към този, който я изпрати',
    });
  }
}

function refusal({ shopId }: Pick<NewConnection, 'shopId'>, not: Exclude<OpenedConnection, { connection: Connection }>): Refusal {
  if ('barred' in not) return not.barred === 'store' ? new StoreTaken() : appGone();
  if ('taken' in not) {
    return new Refusal('conflict', {
      en: `the shop ${shopId} is connected already, as ${not.taken}`,
      bg: `обектът ${shopId} вече е свързан като ${not.taken}`,
      advice: `\`orderbridge reconnect ${not.taken}\` changes its keys, address and settings; to connect another store, \`orderbridge disconnect ${not.taken}\` first`,
    });
  }
  if (not.unclear.length === 0) {
    return new Refusal('missing', {
      en: `no disconnected store of this platform was connected to the shop ${shopId} before`,
      bg: `към обекта ${shopId} не е бил свързван магазин на тази платформа`,
    });
  }
  const unclear = {
    en: 'it is not clear which earlier store of the shop this is; say which by its connection',
    bg: 'не е ясно кой от предишните магазини на обекта е това; посочете го с връзката му',
  };
  return new Refusal('conflict', {
    ...unclear,
    choices: {
      header: ['connection', 'name', 'store', 'disconnected'],
      rows: not.unclear.map(({ id, name, store, closedAt }) => [id, name, store, closedAt]),
    },
  });
}

function appGone(): Refusal {
  return new Refusal('missing', {
    en: 'the app that the store approved is not kept here any more; choose the store again, and approve another one',
    bg: 'приложението, което магазинът одобри, вече не се пази тук; изберете магазина отново и одобрете друго',
  });
}
