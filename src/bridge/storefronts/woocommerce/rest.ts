import type { StoreAccess } from '../contract.ts';
import { callRest, type RestMeans } from './call-rest.ts';
import { wooCode } from './payload.ts';
import { restFailure } from './rest-failure.ts';
import type { RestCall } from './rest-request.ts';
import type { Tried } from './rest-way.ts';

/** What WooCommerce answers; `found` false: its own word that there is nothing of this id. */
export type Found = { found: true; body: unknown } | { found: false };

/**
 * A store's REST API. `find` and `get` throw `Failure('storefront.unreachable')`, or `storefront.refused` if the key is refused, with words that say
 * what to do.
 */
export type Rest = {
  call(call: RestCall): Promise<Tried>;
  find(call: RestCall | string): Promise<Found>;
  /** What is always there, such as a list. */
  get(path: string): Promise<unknown>;
  /** As `get`; `pages`: how many pages the list has, if the store says it. */
  list(path: string): Promise<{ body: unknown; pages: number | undefined }>;
  /** A parameter that changes, for lists: a cache in between must not answer with an older one. */
  uncached: string;
};

export function restOf(access: StoreAccess, means: RestMeans): Rest {
  const call = (given: RestCall) => callRest(access, given, means);
  const find = async (given: RestCall | string): Promise<Found> => {
    const asked = typeof given === 'string' ? { path: given } : given;
    const tried = await call(asked);
    const { status, body } = tried.answer;
    if (status === 200 || status === 201) return { found: true, body };
    if (status === 404 && isGone(body)) return { found: false };
    throw restFailure(access, tried, asked.method);
  };
  const list = async (path: string) => {
    const tried = await call({ path });
    const { status, body, totalPages: pages } = tried.answer;
    if (status === 200) return { body, pages };
    throw restFailure(access, tried);
  };
  const get = async (path: string) => (await list(path)).body;
  return { call, find, get, list, uncached: `_=${means.now}` };
}

// A wrong address answers 404 too; only WooCommerce's own error code means that it is gone.
function isGone(body: unknown): boolean {
  return /^woocommerce_rest_.*invalid_.*id$/.test(wooCode(body) ?? '');
}
