import type { IncomingMessage } from 'node:http';
import { declaredLength, readBody } from '../../platform/http/read-body.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type Connection, liveSecrets } from '../connections/connection.ts';
import { asFailure, type FailureCode } from '../order/failure.ts';
import type { Delivery, Storefront } from '../storefronts/contract.ts';
import { isTooMany } from '../storefronts/hmac.ts';
import type { StoreApp } from '../storefronts/store-app.ts';
import { acceptAppDelivery } from './accept-app-delivery.ts';
import { type Acceptance, acceptDelivery, type Intake } from './accept-delivery.ts';
import type { WebhookPath } from './webhook-path.ts';

export type RequestDeps = {
  intake: Intake;
  /** Null: unknown. Throws if it can't be looked up. */
  connection(id: string): Promise<Connection | null>;
  /** Every connection that a store of this name ever had, live ones first. */
  connectionsOfStore(platform: string, store: string): Promise<Connection[]>;
  /** The secret of a storefront's app that the environment names. Null: there is none, and nothing at the address for all of its stores. */
  appSecret(storefront: Storefront): string | null;
  /** An app of the ledger. Null: unknown. Throws if it can't be looked up. */
  app(id: string): Promise<StoreApp | null>;
  /** Memory for large bodies: how to give it back, or null if there was none in time. Those of one key share, and keys take turns. */
  reserve(key: string, bytes: number): Promise<(() => void) | null>;
};

/** What the headers say of the sender: see `WebhookAnswer`. */
type Sender = { topic: string; isPlatforms: boolean };

/** `isNowhere`: its address leads to nothing. `err`: the error because of which it could not be taken. */
export type Verdict = Partial<Sender> & { connectionId: string | null; acceptance: Acceptance; isNowhere?: true; err?: unknown };

/** A storefront is answered within 2 s, even if queue and database are down. */
const LOOKUP_MS = 1_500;
const BODY_LIMIT = 5 * 1024 * 1024;
const BODY_MS = 10_000;
/** Bodies up to this size wait for no others. */
const SMALL = 64 * 1024;
const PING_LIMIT = 64;
const CAPACITY_AFTER_MS = 5_000;

/** Where a delivery goes: to a connection of its own address, or to the address of all stores of an app. */
type Door = { key: string; connectionId: string | null; storefront: Storefront; accept(delivery: Delivery): Promise<Verdict> };

/**
 * Takes one webhook request. What costs little is checked first: the address, then the headers, then the bytes. A body is read for a known
 * address and a claimed signature alone, and parsed once the signature is right.
 */
export async function acceptRequest(deps: RequestDeps, path: WebhookPath, request: IncomingMessage): Promise<Verdict> {
  const door = await doorOf(deps, path);
  if (door === null) return { ...refused(null, 'connection.unknown'), isNowhere: true };
  const headers = headersOf(request);
  const sender = senderOf(door.storefront, headers);
  try {
    return { ...sender, ...(await atDoor(deps, { door, headers, request })) };
  } catch (err) {
    return { connectionId: door.connectionId, ...sender, ...unavailable(err) };
  }
}

type AtDoor = { door: Door; headers: Delivery['headers']; request: IncomingMessage };

async function atDoor(deps: RequestDeps, { door, headers, request }: AtDoor): Promise<Verdict> {
  const code = headerProblem(door.storefront, { headers, declared: declaredLength(request) });
  if (code !== null) return refused(door.connectionId, code);
  let isOver = false;
  let release: () => void = () => undefined;
  try {
    const read = await readBody(request, {
      limit: BODY_LIMIT,
      withinMs: BODY_MS,
      free: SMALL,
      reserve: async (bytes) => {
        const giveBack = await deps.reserve(door.key, bytes);
        if (giveBack === null) return false;
        if (isOver) giveBack();
        else release = giveBack;
        return true;
      },
    });
    return read.ok ? await door.accept({ headers, body: read.body }) : unread(door, read.why);
  } finally {
    isOver = true;
    release();
  }
}

async function doorOf(deps: RequestDeps, { platform, connectionId, app }: WebhookPath): Promise<Door | null> {
  const { storefronts } = deps.intake;
  const storefront = Object.hasOwn(storefronts, platform) ? storefronts[platform] : undefined;
  if (storefront === undefined) return null;
  if (connectionId !== null) return connectionDoor(deps, storefront, connectionId);
  if (storefront.appWide === undefined) return null;
  if (app !== null) return namedAppDoor(deps, storefront, app);
  const secret = deps.appSecret(storefront);
  return secret === null ? null : appDoor(deps, storefront, { key: storefront.name, app: null, secrets: () => [secret] });
}

/** What an app has subscribed to is signed with the app's secrets, whatever its address. */
async function connectionDoor(deps: RequestDeps, storefront: Storefront, connectionId: string): Promise<Door | null> {
  const { intake } = deps;
  const connection = await withTimeout(LOOKUP_MS, deps.connection(connectionId));
  if (connection === null || connection.platform !== storefront.name) return null;
  const app = connection.app === null ? null : await withTimeout(LOOKUP_MS, deps.app(connection.app));
  const secretsOfApp = () => (app === null ? [] : liveSecrets(app, intake.now()));
  const accept: Door['accept'] = async (delivery) => ({
    connectionId,
    acceptance: await acceptDelivery(intake, { connection, delivery, secretsOfApp: secretsOfApp() }),
  });
  return { key: connectionId, connectionId, storefront, accept };
}

async function namedAppDoor(deps: RequestDeps, storefront: Storefront, id: string): Promise<Door | null> {
  const app = await withTimeout(LOOKUP_MS, deps.app(id));
  if (app === null || app.platform !== storefront.name) return null;
  return appDoor(deps, storefront, { key: `${storefront.name}/app/${id}`, app, secrets: () => liveSecrets(app, deps.intake.now()) });
}

/** `app` null: the one that the environment names. */
type AtApp = { key: string; app: StoreApp | null; secrets(): string[] };

function appDoor({ intake, connectionsOfStore }: RequestDeps, storefront: Storefront, { key, app, secrets }: AtApp): Door {
  const connectionsOf = (store: string) => withTimeout(LOOKUP_MS, connectionsOfStore(storefront.name, store));
  return {
    key,
    connectionId: null,
    storefront,
    accept: (delivery) => acceptAppDelivery(intake, { storefront, delivery, app, secrets: secrets(), connectionsOf }),
  };
}

function senderOf({ envelope, signatures }: Storefront, headers: Delivery['headers']): Sender {
  const { topic, deliveryId } = envelope(headers);
  return { topic, isPlatforms: topic !== '' || deliveryId !== null || signatures(headers) !== null };
}

/** The storefront repeats a delivery that can't be looked up or stored in time. */
export function unavailable(err: unknown): Pick<Verdict, 'acceptance' | 'err'> {
  const retryAfterMs = asFailure(err).retryAfterMs ?? 5_000;
  return { acceptance: { accepted: false, code: 'intake.unavailable', retryAfterMs }, err };
}

type Head = { headers: Delivery['headers']; declared: number | null };

/** What the headers alone are refused for; null: the body is worth reading. */
function headerProblem({ signatures, isPing }: Storefront, { headers, declared }: Head): FailureCode | null {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return 'body.encoded';
  if (declared !== null && declared > BODY_LIMIT) return 'body.too-large';
  const claims = signatures(headers);
  const mayBePing = isPing !== undefined && declared !== null && declared <= PING_LIMIT;
  if (claims === null) return mayBePing ? null : 'signature.missing';
  return isTooMany(claims) ? 'signature.mismatch' : null;
}

function refused(connectionId: string | null, code: FailureCode): Verdict {
  return { connectionId, acceptance: { accepted: false, code } };
}

function unread({ connectionId }: Door, why: 'too-large' | 'incomplete' | 'no-capacity'): Verdict {
  if (why === 'no-capacity') return { connectionId, acceptance: { accepted: false, code: 'intake.unavailable', retryAfterMs: CAPACITY_AFTER_MS } };
  return refused(connectionId, why === 'incomplete' ? 'body.incomplete' : 'body.too-large');
}

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
