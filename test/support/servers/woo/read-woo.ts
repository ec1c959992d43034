import { createFetchJson } from '../../../../src/bridge/store-api/fetch-json.ts';
import type { FetchJson, StoreAccess } from '../../../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../../../src/bridge/storefronts/read-payload.ts';
import type { OrderSummary } from '../../../../src/bridge/storefronts/store-reader.ts';
import { changedSince } from '../../../../src/bridge/storefronts/woocommerce/changed-since.ts';
import { startWooServer, type WooHost } from './start-woo-server.ts';

const fetchJson = createFetchJson({
  allowPrivateAddresses: true,
  timeouts: { connectMs: 5_000, headersMs: 10_000, totalMs: 10_000 },
  parse: parseJson,
});

export const TEN = '2026-11-22T10:00:00.000Z';

/**
 * A WooCommerce stand-in whose clock begins at `TEN`, and what its storefront reads there by the real client. `https`: it is called as behind TLS,
 * at an address of its own, since what is learned of a store is kept by its address.
 */
export async function startWooReader({ https = false, ...host }: Partial<WooHost> & { https?: boolean } = {}) {
  const clock = { now: Date.parse(TEN) };
  const store = await startWooServer({ now: () => clock.now, ...host });
  const secure = store.url.replace(/^http:/, 'https:');
  if (https && host.home === undefined) store.host.home = secure;
  const throughTls: FetchJson = (request) => fetchJson({ ...request, url: request.url.replace(/^https:/, 'http:') });
  const means = () => ({ fetchJson: https ? throughTls : fetchJson, now: clock.now });
  const access = (key?: 'write' | 'read' | 'customer'): StoreAccess => ({ ...store.access(key), ...(https ? { url: secure } : {}) });
  const list = async ({ since = TEN, size = 100, onPage }: { since?: string; size?: number; onPage?(page: number): void } = {}) => {
    const summaries: OrderSummary[] = [];
    let after: string | null = null;
    for (let page = 1; page === 1 || after !== null; page += 1) {
      const read: { summaries: OrderSummary[]; next: string | null } = await changedSince(access(), { since, after, size }, means());
      summaries.push(...read.summaries);
      after = read.next;
      onPage?.(page);
    }
    return summaries;
  };
  return { store, clock, means, access, list, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
