import type { Connection } from '../../bridge/connections/connection.ts';
import { BRIDGE_AUDIT_LOG, bridgeActs, bridgeActsInBulgarian } from '../../bridge/ledger/bridge-acts.ts';
import { type OrderName, orderNames } from '../../bridge/ledger/orders/read-orders.ts';
import { namesOfPeople } from '../../bridge/ledger/people/people-store.ts';
import type { Lang } from '../../contract/messages.ts';
import { ownValue } from '../../contract/own-value.ts';
import { countActs, hasAuditLog, type KeptAct, readActs } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SERVICE_AUDIT_LOG, serviceActs, serviceActsInBulgarian } from '../../service/audit-log/service-acts.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { namedOrder } from '../orders/named-order.ts';

type Deps = { pool: Pool; connections: FindConnection & { list(): Promise<Connection[]> } };

/** Where a list goes on: below these ids of each audit log. */
export type ActivityMark = { bridge: number | null; compliance: number | null };

/** `order`: as a person names it; `orders`: their ids. `who`: `person:ID`, `cli:user@host`… Absent: of any. `from` and `until`: instants, ISO. */
export type ActivityWanted = {
  order?: string | undefined;
  orders?: readonly number[];
  connection?: string | undefined;
  who?: string | undefined;
  act?: string | undefined;
  acts?: readonly string[];
  from?: string | null;
  until?: string | null;
};
type ActivityFilter = ActivityWanted & { before?: ActivityMark | undefined; limit: number };

/** One act, with names for its ids. `auditLog`: whose it is. `means`: the act in words, `bg` in Bulgarian. */
export type Activity = Omit<KeptAct, 'orderRef'> & {
  auditLog: 'bridge' | 'compliance';
  means: string;
  bg: string;
  /** The name of its connection's store. */
  store: string | null;
  order: OrderName | null;
};

/** What was done, the newest first: by people, and by the program about orders; at our own compliance service, too, if it is in this database. */
export async function listActivity(deps: Deps, { limit, before, ...wanted }: ActivityFilter): Promise<Activity[]> {
  const { pool, connections } = deps;
  const { isWhole, ...acts } = await actsWanted(deps, wanted);
  const own = await readActs(pool, BRIDGE_AUDIT_LOG, { ...acts, beforeId: before?.bridge ?? undefined, limit });
  const service = isWhole ? await readActs(pool, SERVICE_AUDIT_LOG, { ...acts, beforeId: before?.compliance ?? undefined, limit }) : [];
  const names = await orderNames(
    pool,
    own.flatMap(({ orderRef: id }) => id ?? []),
  );
  const stores = new Map((await connections.list()).map(({ id, name }) => [id, name]));
  const named = (auditLog: Activity['auditLog'], { orderRef: id, ...act }: KeptAct): Activity => ({
    ...{
      auditLog,
      ...act,
      means: meansOf(auditLog, act.act),
      bg: ownValue(auditLog === 'bridge' ? bridgeActsInBulgarian : serviceActsInBulgarian, act.act) ?? act.act,
    },
    store: act.connectionId === null ? null : (stores.get(act.connectionId) ?? null),
    order: id === null ? null : (names.get(id) ?? null),
  });
  return merged(
    own.map((act) => named('bridge', act)),
    service.map((act) => named('compliance', act)),
  ).slice(0, limit);
}

/** `isWhole`: our service's acts are among them; it knows neither stores nor the ids of the ledger. */
async function actsWanted({ pool, connections }: Deps, { order, orders, connection, ...by }: ActivityWanted) {
  const orderRef = order === undefined ? orders : (await namedOrder({ pool }, order)).id;
  const connectionId = connection === undefined ? undefined : (await knownConnection(connections, connection)).id;
  return { ...by, orderRef, connectionId, isWhole: orderRef === undefined && connectionId === undefined && (await hasAuditLog(pool, SERVICE_AUDIT_LOG)) };
}

/** How many acts there are; of each audit log none beyond `most` are counted. */
export async function countActivity(deps: Deps, wanted: ActivityWanted, most: number): Promise<number> {
  const { isWhole, ...acts } = await actsWanted(deps, wanted);
  const counts = await Promise.all(
    [BRIDGE_AUDIT_LOG, ...(isWhole ? [SERVICE_AUDIT_LOG] : [])].map((auditLog) => countActs(deps.pool, auditLog, { ...acts, most })),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Every act that can be done, with what it means, by its name. */
export function knownActs(lang: Lang): (readonly [act: string, means: string])[] {
  const all = lang === 'bg' ? { ...bridgeActsInBulgarian, ...serviceActsInBulgarian } : { ...bridgeActs, ...serviceActs };
  return Object.entries(all).toSorted(([, a], [, b]) => a.localeCompare(b, lang));
}

/** An act of a later release has its name alone. */
function meansOf(auditLog: Activity['auditLog'], act: string): string {
  return ownValue(auditLog === 'bridge' ? bridgeActs : serviceActs, act) ?? act;
}

/** Where the list goes on after these acts. */
export function markAfter(acts: readonly Activity[], before: ActivityMark): ActivityMark {
  const lowest = (auditLog: Activity['auditLog']) => acts.filter((act) => act.auditLog === auditLog).at(-1)?.id ?? before[auditLog];
  return { bridge: lowest('bridge'), compliance: lowest('compliance') };
}

/** Names of people by how the audit log names them. */
export async function authors({ pool }: { pool: Pool }): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await namesOfPeople(pool, null))].map(([id, name]) => [`person:${id}`, name]));
}

/** The same, and shops by the names of their stores. */
export async function namesInActs({
  pool,
  connections,
}: Pick<Deps, 'pool'> & { connections: Pick<Deps['connections'], 'list'> }): Promise<ReadonlyMap<string, string>> {
  const [people, all] = await Promise.all([authors({ pool }), connections.list()]);
  return new Map([...all.map(({ shopId, name }) => [shopId, name] as const), ...people]);
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What an act is about, such as `SHOP 2026-10`, with names for the ids of people and shops. */
export function namedSubject(subject: string, names: ReadonlyMap<string, string>): string {
  return subject.replace(ID, (id) => names.get(`person:${id}`) ?? names.get(id) ?? id);
}

/** The newest first; of each audit log in the order of its ids, by which the list goes on, and which that of its instants may differ from. */
function merged(own: readonly Activity[], service: readonly Activity[]): Activity[] {
  const left = [...service];
  const all = own.flatMap((act) => {
    const older = left.findIndex(({ at }) => at <= act.at);
    return [...left.splice(0, older === -1 ? left.length : older), act];
  });
  return [...all, ...left];
}

/** A field that differs, by its path; null: it is not there. */
export type ChangedField = { field: string; was: string | null; is: string | null };

/** What an act changed, nested fields by their path. */
export function changedFields({ before, after }: { before: unknown; after: unknown }): ChangedField[] {
  const [was, is] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => was[field] !== is[field]);
  return names.map((field) => ({ field, was: was[field] ?? null, is: is[field] ?? null }));
}

function flat(value: unknown, path = ''): Record<string, string> {
  if (value === undefined || (value === null && path === '')) return {};
  if (value === null || typeof value !== 'object') return { [path]: value === null ? '-' : String(value) };
  if (Array.isArray(value)) return { [path]: JSON.stringify(value) };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(part, path === '' ? key : `${path}.${key}`)));
}

/** Between two acts of a run. */
const GAP_MS = 60_000;

/** The same that one of them did to one thing after another, as a bulk action does; the newest first. */
type ActRun = readonly [Activity, ...Activity[]];

/** So many runs of acts that are the newest first, and how many of the acts are in them: a list goes on after those. */
export function runsOf(acts: readonly Activity[], most: number): { runs: ActRun[]; acts: number } {
  const runs: [Activity, ...Activity[]][] = [];
  for (const [place, act] of acts.entries()) {
    const run = runs.find((one) => goesOn(one, act));
    if (run !== undefined) run.push(act);
    else if (runs.length === most) return { runs, acts: place };
    else runs.push([act]);
  }
  return { runs, acts: acts.length };
}

// Each change of settings differs from the others.
function goesOn(run: ActRun, act: Activity): boolean {
  const last = run.at(-1) ?? run[0];
  const isSame = (['auditLog', 'who', 'act', 'why'] as const).every((field) => last[field] === act[field]);
  return isSame && last.order !== null && act.order !== null && Date.parse(last.at) - Date.parse(act.at) <= GAP_MS;
}
