import { writeBridgeActs } from '../bridge/ledger/bridge-acts.ts';
import {
  changeSecrets,
  deleteEndpoint,
  enableEndpoint as enableInLedger,
  insertEndpoint,
  type ListedEndpoint,
  listEndpoints,
} from '../bridge/ledger/events/endpoint-store.ts';
import { findEvent, type ListedEvent, replayInLedger } from '../bridge/ledger/events/event-store.ts';
import type { Config } from '../config/config.ts';
import { newStandardSecret } from '../contract/standard-webhook.ts';
import { isUuid } from '../contract/uuid.ts';
import type { Actor } from '../platform/audit-log/audit-log.ts';
import { codeOf } from '../platform/error-words.ts';
import { isPrivateLiteral } from '../platform/http/public-only.ts';
import { insecureWords } from '../platform/may-carry-secrets.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { hasService } from '../service/database/service-tables.ts';
import { type FindConnection, knownConnection } from './connections/known-connection.ts';
import { besideOlder } from './connections/store-secrets.ts';
import { Refusal } from './refusal.ts';
import { numbersOf } from './service/numbers.ts';

type Deps = { pool: Pool };
type AddDeps = Deps & { connections: FindConnection; config: Pick<Config, 'trustedHttpHosts' | 'allowPrivateAddresses'> };

/** Of a store, of the shops of a company (ЕИК), or, without both, of all. `withBuyers`: an owner gives it buyers. */
type Adding = { url: string; connection?: string | undefined; company?: string | undefined; withBuyers: boolean; by: Actor };

/** `secret` is shown once. */
export type MadeEndpoint = { id: string; secret: string };

/** Has events sent to an address from now on. */
export async function addEndpoint(deps: AddDeps, { url, connection, company, withBuyers, by }: Adding): Promise<MadeEndpoint> {
  const { pool, connections } = deps;
  const address = addressOf(url, deps.config);
  if (connection !== undefined && company !== undefined)
    throw new Refusal('invalid', { en: 'give a store or a company, not both', bg: 'посочете магазин или фирма, не и двете' });
  const shopId = connection === undefined ? null : (await knownConnection(connections, connection)).shopId;
  const secret = newStandardSecret();
  const of = { shopId, company: company === undefined ? null : await companyHere(pool, company) };
  return { id: await unlessBusy(insertEndpoint(pool, { url: address, ...of, withBuyers, secret }, { by })), secret };
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Nothing was changed where a transaction that changed orders does not end. */
function unlessBusy<T>(changing: Promise<T>): Promise<T> {
  return changing.catch((thrown: unknown) => {
    if (codeOf(thrown) !== LOCK_NOT_AVAILABLE) throw thrown;
    throw new Refusal('unavailable', {
      en: 'a transaction that changed orders does not end, so that what became of them would be missed',
      bg: 'транзакция, която е променила поръчки, не приключва и това, което е станало с тях, би се пропуснало',
      advice: { en: 'do it again later', bg: 'опитайте пак по-късно' },
    });
  });
}

const LONGEST_URL = 2_000;

function addressOf(text: string, { trustedHttpHosts, allowPrivateAddresses }: AddDeps['config']): string {
  const url = text.length > LONGEST_URL ? null : URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === '';
  if (isPlain && (allowPrivateAddresses || !isPrivateLiteral(url)) && insecureWords(url.href, trustedHttpHosts) === null) return url.href;
  throw new Refusal('invalid', {
    en: 'no events can be sent to this address',
    bg: 'до този адрес не могат да се изпращат събития',
    advice: { en: 'give one with https:// and a public host, without a password and #', bg: 'дайте такъв с https:// и публичен хост, без парола и #' },
  });
}

async function companyHere(pool: Pool, company: string): Promise<string> {
  if (await hasService(pool)) return (await numbersOf({ pool }, company)).merchant;
  throw new Refusal('invalid', {
    en: 'companies are known only to our own compliance service, which is not in this database',
    bg: 'фирмите са известни само на собствената услуга за отчитане, а тя не е в тази база данни',
    advice: { en: 'give a store', bg: 'посочете магазин' },
  });
}

const LEAST = 4;

/** The endpoint of an id, or of its beginning if no other begins so. */
export async function knownEndpoint({ pool }: Deps, named: string): Promise<ListedEndpoint> {
  const all = await listEndpoints(pool);
  const [found, ...others] = all.filter(({ id }) => id === named || (named.length >= LEAST && id.startsWith(named)));
  if (found !== undefined && others.length === 0) return found;
  throw new Refusal('missing', {
    en: `no endpoint, or more than one, has the id ${named}`,
    bg: `няма адрес с идентификатор ${named} или са повече от един`,
    advice: '`orderbridge events` lists them',
  });
}

type Changing = { id: string; by: Actor };

/** A new secret signs from now on, beside the old one for a day, or (`revokeNow`) alone. */
export async function rotateEndpoint(
  deps: Deps,
  { id: named, revokeNow, by }: Changing & { revokeNow: boolean },
): Promise<MadeEndpoint & { oldUntil: string | null }> {
  const { id } = await knownEndpoint(deps, named);
  const secret = newStandardSecret();
  const { secrets, oldUntil } = besideOlder(secret, revokeNow);
  await changeSecrets(deps.pool, id, { secrets, said: { by } });
  return { id, secret, oldUntil };
}

/** One that was disabled is sent events again, those first that it missed. Returns its id. */
export async function enableEndpoint(deps: Deps, { id: named, by }: Changing): Promise<string> {
  const { id } = await knownEndpoint(deps, named);
  if (await unlessBusy(enableInLedger(deps.pool, id, { by }))) return id;
  throw new Refusal('conflict', { en: 'this endpoint is not disabled', bg: 'този адрес не е спрян' });
}

/** With all that it was sent. Returns its id. */
export async function removeEndpoint(deps: Deps, { id: named, by }: Changing): Promise<string> {
  const { id } = await knownEndpoint(deps, named);
  await deleteEndpoint(deps.pool, id, { by });
  return id;
}

/** With what was answered to it. */
export async function seeEvent(deps: Deps, { id, by }: Changing): Promise<ListedEvent> {
  const event = await knownEvent(deps, id);
  await seeAnswers(deps, [event], by);
  return event;
}

/** Sends an event again, under the same id. Returns its endpoint. */
export async function replayEvent(deps: Deps, { id, by }: Changing): Promise<string> {
  const { endpoint } = await knownEvent(deps, id);
  if (await replayInLedger(deps.pool, id, { by })) return endpoint;
  throw new Refusal('conflict', {
    en: 'its endpoint is disabled',
    bg: 'адресът му е спрян',
    advice: { en: 'enable it first', bg: 'първо натиснете „Изпращай отново“ при адреса' },
  });
}

/** Somebody is shown what was answered to these: where that may repeat a buyer it is a look, written before. Without a status the words are our own. */
export async function seeAnswers({ pool }: Deps, events: readonly ListedEvent[], by: Actor): Promise<void> {
  const looks = events.filter(({ hasBuyer, status, answer }) => hasBuyer && status !== null && answer !== null && answer !== '');
  await writeBridgeActs(
    pool,
    looks.map(({ id, orderRef }) => ({ who: by, act: 'buyer.seen' as const, ...(orderRef === null ? {} : { orderRef }), subject: id })),
  );
}

async function knownEvent({ pool }: Deps, id: string): Promise<ListedEvent> {
  const event = isUuid(id) ? await findEvent(pool, id) : null;
  if (event === null) throw new Refusal('missing', { en: 'there is no such event', bg: 'няма такова събитие' });
  return event;
}
