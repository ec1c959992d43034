import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connections/connection.ts';
import { liveSecrets } from '../connections/connection.ts';
import type { CallEnd, StoreCalls } from '../delivery/store-calls.ts';
import { Failure } from '../order/failure.ts';
import type { StoreAccess, StoreApi, StoreMeans } from '../storefronts/contract.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { ReadableStore } from './read-page.ts';

type Called = { calls: StoreCalls; connection: Connection; api: StoreApi; now(): number; signal: AbortSignal };

/** A place is free again in a moment; a store that fails is called again when its pause is over, so often. */
const LOOK_MS = 200;
const MOST_PAUSES = 5;
const LONGEST_PAUSE_MS = 30_000;

/** A store as the commands read it, one request after the other; null: its API lists no orders, or there is no access to it. */
export async function calledStore(called: Called): Promise<ReadableStore | null> {
  const { connection, api } = called;
  const { access } = connection;
  const { changedSince, ordersById } = api;
  if (access === null || changedSince === undefined || ordersById === undefined) return null;
  const read = <T>(ask: (means: StoreMeans) => Promise<T>) => patiently(called, access, ask);
  const { storeName } = api;
  return {
    connection,
    storeName: storeName === undefined ? null : await read((means) => storeName(access, means)),
    changedSince: (query) => read((means) => changedSince(access, query, means)),
    ordersById: (sought) => read((means) => ordersById(access, sought, means)),
  };
}

async function patiently<T>({ calls, connection, now, signal }: Called, access: StoreAccess, ask: (means: StoreMeans) => Promise<T>): Promise<T> {
  const store = { host: storeHost(access.url) ?? access.url, connectionId: connection.id };
  const [secret] = liveSecrets(connection, now());
  for (let pauses = 0; ; ) {
    const end = await calls.call(store, (fetchJson) => ask({ fetchJson, now: now(), ...(secret === undefined ? {} : { secret }) }), signal);
    if (end.kind === 'read') return end.value;
    if (end.kind !== 'full') pauses += 1;
    const waitMs = waitOf(end, now());
    if (waitMs === null || pauses > MOST_PAUSES) throw failureOf(end);
    await sleep(waitMs, undefined, { signal });
  }
}

type NotRead = Exclude<CallEnd<unknown>, { kind: 'read' }>;

/** Null: it is of no use to call again. */
function waitOf(end: NotRead, now: number): number | null {
  if (end.kind === 'full') return LOOK_MS;
  const { pause } = end;
  if (pause === null || pause.code === 'storefront.refused') return null;
  const ms = Math.max(LOOK_MS, Date.parse(pause.until) - now);
  return ms > LONGEST_PAUSE_MS ? null : ms;
}

function failureOf(end: NotRead): Error {
  if (end.kind === 'failed') return end.failure;
  return end.kind === 'paused' ? new Failure('storefront.unreachable', end.pause.detail) : new Failure('storefront.unreachable', 'all of its places are taken');
}
