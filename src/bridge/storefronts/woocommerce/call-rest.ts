import type { StoreAccess, StoreMeans } from '../contract.ts';
import { homeIn } from './home-in.ts';
import { knownStore, learn } from './known-stores.ts';
import { indexRequest, type RestCall, restRequest } from './rest-request.ts';
import { firstWay, isNoApi, nextWay, type Tried, type Way } from './rest-way.ts';

/** How requests are sent, and when (ms since 1970). */
export type RestMeans = Pick<StoreMeans, 'fetchJson' | 'now'>;

type Calling = { access: StoreAccess; call: RestCall; means: RestMeans };

/**
 * Calls the REST API by the way that worked before, else by each that the answers suggest: five requests at most. The answer, of any status, is
 * that of the way that works; if none does, the one that says most. Throws what `fetchJson` throws.
 */
export function callRest(access: StoreAccess, call: RestCall, means: RestMeans): Promise<Tried> {
  return callBy({ access, call, means }, knownStore(access.url).way ?? firstWay, []);
}

async function callBy(calling: Calling, way: Way, before: readonly Tried[]): Promise<Tried> {
  const { access, call, means } = calling;
  const home = way.auth === 'oauth' ? await homeOf(calling, way) : access.url;
  const request = restRequest(access, call, { way, home, now: means.now });
  const last: Tried = { way, sent: request.url, answer: await means.fetchJson(request) };
  const tried = [...before, last];
  const next = nextWay(access, tried, last);
  if (next !== null) return await callBy(calling, next, tried);
  const [first = last] = tried;
  // Where nothing is found by any path, the usual one shows why.
  if (isNoApi(last)) return first;
  if (last.answer.status < 300) learn(access.url, way.auth === 'oauth' ? { way, home } : { way });
  return last;
}

async function homeOf({ access, means }: Calling, { path }: Way): Promise<string> {
  const { home } = knownStore(access.url);
  if (home !== undefined) return home;
  const { status, body } = await means.fetchJson(indexRequest(access, path));
  return (status === 200 ? homeIn(body) : null) ?? access.url;
}
