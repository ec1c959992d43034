import type { StoreAccess } from '../contract.ts';
import { callRest, type RestMeans } from './call-rest.ts';
import { homeIn } from './home-in.ts';
import { restFailure } from './rest-failure.ts';
import { indexRequest } from './rest-request.ts';

/** The home URL, as webhooks name their store. A key that may not see the system status still finds it on the API's own page. */
export async function storeName(access: StoreAccess, means: RestMeans): Promise<string> {
  const tried = await callRest(access, { path: 'system_status?_fields=environment' }, means);
  const named = tried.answer.status === 200 ? homeIn(tried.answer.body) : null;
  if (named !== null) return named;
  const { status, body } = await means.fetchJson(indexRequest(access, tried.way.path));
  const home = status === 200 ? homeIn(body) : null;
  if (home !== null) return home;
  throw restFailure(access, tried);
}
