import type { Connection } from '../../bridge/connections/connection.ts';
import {
  addPerson as addInLedger,
  type Changed,
  changePerson as changeInLedger,
  disablePerson,
  type PersonChange,
  resetPerson,
} from '../../bridge/ledger/people/change-person.ts';
import { openLinks } from '../../bridge/ledger/people/link-store.ts';
import { everyPerson, type NewPerson, namesOfPeople, personOfEmail } from '../../bridge/ledger/people/people-store.ts';
import { liveSessions } from '../../bridge/ledger/people/session-store.ts';
import { emailAddress } from '../../contract/email-address.ts';
import { byName } from '../../contract/local-text.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { shopNames } from '../../service/reading/read-shops.ts';
import { refuseName } from '../plain-name.ts';
import { Refusal } from '../refusal.ts';
import { passwordLink } from './links.ts';
import { findPerson, type Person } from './sessions.ts';

type Deps = { pool: Pool };
type By = { by: Actor };

/** `seenAt`: of the sessions that go on; null: there is none. `linkUntil`: until when a link lets them choose a password. */
export type ListedPerson = Person & { sessions: number; seenAt: string | null; linkUntil: string | null };

export async function listPeople({ pool }: Deps): Promise<ListedPerson[]> {
  const [people, sessions, links] = await Promise.all([everyPerson(pool), liveSessions(pool, null), openLinks(pool)]);
  const until = new Map(links.map(({ person, expiresAt }) => [person, expiresAt]));
  const sessionsOf = Map.groupBy(sessions, ({ person }) => person);
  return people.map((person) => {
    const own = sessionsOf.get(person.id) ?? [];
    return { ...person, sessions: own.length, seenAt: own[0]?.seenAt ?? null, linkUntil: until.get(person.id) ?? null };
  });
}

/** The person of an id or an e-mail address; refuses if there is none. */
export async function knownPerson(deps: Deps, named: string): Promise<Person> {
  const person = (await findPerson(deps, named)) ?? (await personOfEmail(deps.pool, named));
  if (person === null)
    throw new Refusal('missing', {
      en: 'nobody has this address or id',
      bg: 'няма човек с този адрес или идентификатор',
      advice: '`orderbridge people list` shows everybody',
    });
  return person;
}

/** Lets somebody in; `link` is a path by which they choose a password. */
export async function addPerson({ pool }: Deps, { by, ...given }: NewPerson & By): Promise<{ person: Person; link: string }> {
  if (!emailAddress.safeParse(given.email).success) throw new Refusal('invalid', { en: 'this is not an e-mail address', bg: 'това не е имейл адрес' });
  refuseName(given.name);
  const person = await addInLedger(pool, { ...given, ...narrowed(given) }, { by });
  if (person === null)
    throw new Refusal('conflict', {
      en: 'somebody has this address already',
      bg: 'вече има човек с този адрес',
      advice: '`orderbridge people list` shows everybody',
    });
  return { person, link: await passwordLink({ pool }, person) };
}

export async function changePerson({ pool }: Deps, id: string, { by, ...change }: PersonChange & By): Promise<void> {
  refuseName(change.name ?? '');
  const role = change.role ?? (await knownPerson({ pool }, id)).role;
  settle(
    await changeInLedger(pool, id, { change: { ...change, ...('shops' in change || change.role ? narrowed({ role, shops: change.shops ?? null }) : {}) }, by }),
  );
}

/** Their password and sessions end; they choose another by the link. */
export async function resetPassword({ pool }: Deps, { id, isDisabled }: Pick<Person, 'id' | 'isDisabled'>, { by }: By): Promise<{ link: string }> {
  if (isDisabled)
    throw new Refusal('conflict', {
      en: 'this person is disabled',
      bg: 'достъпът на този човек е спрян',
      advice: '`orderbridge people enable` lets them in again',
    });
  await resetPerson(pool, id, { by });
  return { link: await passwordLink({ pool }, { id }) };
}

export async function setDisabled({ pool }: Deps, { id }: Pick<Person, 'id'>, { isDisabled, by }: { isDisabled: boolean } & By): Promise<void> {
  settle(await disablePerson(pool, id, { isDisabled, by }));
}

/** Only accountants are limited to shops, and they to at least one. */
function narrowed({ role, shops }: Pick<NewPerson, 'role' | 'shops'>): Pick<NewPerson, 'shops'> {
  if (shops === null) return { shops };
  if (role !== 'accountant')
    throw new Refusal('invalid', { en: 'only accountants can be limited to shops', bg: 'само счетоводители могат да бъдат ограничени до магазини' });
  if (shops.length === 0)
    throw new Refusal('invalid', {
      en: 'an accountant who is limited to shops needs at least one',
      bg: 'за счетоводител, който е ограничен до магазини, е нужен поне един',
    });
  if (!shops.every(isUuid))
    throw new Refusal('invalid', {
      en: 'a shop is named by its id at the compliance service',
      bg: 'магазин се посочва с идентификатора на обекта си в услугата за отчитане',
    });
  return { shops: [...new Set(shops.map((shop) => shop.toLowerCase()))].sort() };
}

function settle(changed: Changed): void {
  if (changed === 'missing') throw new Refusal('missing', { en: 'this person is not there any more', bg: 'този човек вече го няма' });
  if (changed === 'last-owner')
    throw new Refusal('conflict', {
      en: 'this is the last owner: without one nobody could let anybody in',
      bg: 'това е последният собственик: без него никой не може да дава достъп',
      advice: { en: 'make somebody else an owner first', bg: 'първо направете друг собственик' },
    });
}

type ShopDeps = { pool: Pool; connections: { list(): Promise<Connection[]> }; service: object | null };

export type NamedShop = { id: string; name: string };

/** Shops of the compliance service as people know them: by their names there if it is ours, else by those of their stores. */
export async function namedShops({ pool, connections, service }: ShopDeps): Promise<NamedShop[]> {
  const own = service === null ? [] : await shopNames(pool);
  const stores = new Map<string, Set<string>>();
  for (const { shopId, name } of await connections.list()) stores.set(shopId, (stores.get(shopId) ?? new Set()).add(name));
  const known = new Map([...stores].map(([id, names]) => [id, [...names].join(', ')]));
  for (const { id, name } of own) known.set(id, name);
  return [...known].map(([id, name]) => ({ id, name })).sort((a, b) => byName(a.name, b.name));
}

const PERSON = /^person:(.+)$/;

/** The names, or else the addresses, of the people among those who did something; anyone who is no person of the console is not in it. */
export async function actorNames(pool: Pool, actors: readonly Actor[]): Promise<Map<Actor, string>> {
  const ids = actors.flatMap((actor) => PERSON.exec(actor)?.[1] ?? []).filter(isUuid);
  return new Map([...(await namesOfPeople(pool, ids))].map(([id, name]) => [`person:${id}`, name]));
}
