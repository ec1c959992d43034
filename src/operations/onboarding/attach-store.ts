import { appOf, type Connection } from '../../bridge/connections/connection.ts';
import { findOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Sealer } from '../../platform/seal.ts';
import { type ConnectDeps, connectStore, StoreTaken } from '../connections/connect-store.ts';
import { Refusal } from '../refusal.ts';
import { keptStore, noteConnection, ofOurs, type SealedStore, sealStore } from './kept-store.ts';
import { type Onboarding, saveNewest, toOnboarding } from './onboarding.ts';
import { nameOf, type StoreProgress, storeProgress } from './store.ts';

export type AttachDeps = Omit<ConnectDeps, 'compliance' | 'by' | 'firstTry' | 'connections'> & {
  connections: ConnectDeps['connections'] & { find(id: string): Promise<Connection | null>; list(): Promise<Connection[]> };
  sealer: Sealer;
};

/** `secret`: of its webhooks, if the connection was made just now. */
export type AttachedStore = { onboarding: Onboarding; connection: Connection; secret: string | null };

/**
 * Makes the connection of a merchant's store, on trial: once, whatever is pressed twice or cut short. The secret is kept before there is a connection, so
 * that one which was made by a press that died is known again.
 */
export async function attachStore(deps: AttachDeps, given: Onboarding, by: Actor): Promise<AttachedStore> {
  const known = await existing(deps, given);
  if (known !== null) return known;
  const { onboarding, store, sealed } = await prepared(deps, given);
  const made = await connected(deps, { onboarding, store, sealed }, by);
  const connection = made ?? (await ofOurs(deps, onboarding, sealed));
  if (connection === null) return (await existing(deps, onboarding)) ?? refuseTaken();
  const saved = await noteConnection(deps, onboarding, { connectionId: connection.id, by });
  if (saved === null) return (await existing(deps, onboarding)) ?? refuseTaken();
  return { onboarding: saved, connection, secret: made === null ? null : sealed.secret };
}

/** The connection that the onboarding has by now; null: none. */
async function existing({ pool, connections }: AttachDeps, { id }: Onboarding): Promise<AttachedStore | null> {
  const stored = await findOnboarding(pool, id);
  if (stored?.connectionId == null) return null;
  const connection = await connections.find(stored.connectionId);
  return connection === null ? null : { onboarding: toOnboarding(stored), connection, secret: null };
}

type Prepared = { onboarding: Onboarding; store: StoreProgress; sealed: SealedStore & { secret: string } };

/** One of two presses keeps the secret, and both go on with it: the second one must not be sent back to a page on which nothing happens. */
async function prepared(deps: AttachDeps, { id }: Onboarding): Promise<Prepared> {
  const kept = await saveNewest(deps, id, (newest) => {
    const { platform, sealed } = toConnect(deps, newest);
    if (sealed.secret !== undefined) return null;
    const { newSecret, api } = storefrontOf(storefronts, platform);
    // What an app sends is signed with its own secret, wherever it goes: nothing is signed with this one.
    const fresh = appOf(sealed.access) === null ? newSecret?.() : api?.subscriptions?.newSecret();
    if (fresh === undefined) throw tooEarly();
    return { sealed: sealStore(deps.sealer, id, { ...sealed, secret: fresh }) };
  });
  const { store, sealed } = toConnect(deps, kept);
  const { secret } = sealed;
  if (secret === undefined) throw tooEarly();
  return { onboarding: kept, store, sealed: { ...sealed, secret } };
}

/** What the steps before found. */
function toConnect({ sealer }: AttachDeps, onboarding: Onboarding) {
  const store = storeProgress(onboarding);
  const { platform, shopId, destinationId } = onboarding;
  const sealed: SealedStore = keptStore(sealer, onboarding) ?? { access: null };
  if (store === null || platform === null || (store.kind === 'address' && sealed.access === null) || shopId === null || destinationId === null)
    throw tooEarly();
  return { store, platform, sealed };
}

/** Null: the shop has a live connection already. */
async function connected(deps: AttachDeps, { onboarding, store, sealed }: Prepared, by: Actor): Promise<Connection | null> {
  const { platform, shopId, destinationId } = onboarding;
  if (platform === null || shopId === null || destinationId === null) throw tooEarly();
  const { deliveriesNameStore, storeNameOf } = storefrontOf(storefronts, platform);
  const name = nameOf(store);
  const hosts = store.kind === 'own' || !deliveriesNameStore ? [] : [store.home, store.url].flatMap((address) => storeHost(address) ?? []);
  try {
    const { connection } = await connectStore(
      { ...deps, compliance: { destination: async () => destinationId }, firstTry: null, by },
      {
        ...{ platform, name, shopId, secret: sealed.secret, access: sealed.access, settings: null, recordFrom: null, claim: null, credentials: null },
        ...{
          ownShop: !deliveriesNameStore,
          hosts: [...new Set(hosts)],
          trial: true,
          ...(sealed.granted === undefined ? {} : { identity: sealed.granted.identity, granted: sealed.granted.token }),
        },
        store: storeNameOf?.({ name, url: sealed.access?.url ?? null }) ?? null,
      },
    );
    return connection;
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** That the shop has a store is looked into; anything else is thrown on. */
function otherwise(thrown: unknown): null {
  if (thrown instanceof Refusal && thrown.kind === 'conflict' && !(thrown instanceof StoreTaken)) return null;
  throw thrown;
}

function refuseTaken(): never {
  throw new Refusal('conflict', {
    en: 'this company’s shop has another connected store already: a shop has one at a time; ask the person who sent the link',
    bg: 'към обекта на тази фирма вече е свързан друг магазин: обектът има само един; обърнете се към този, който ви изпрати връзката',
  });
}

function tooEarly(): Refusal {
  return new Refusal('conflict', { en: 'the store or its company is not known yet', bg: 'магазинът или фирмата му още не са известни' });
}
