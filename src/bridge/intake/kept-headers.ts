import type { Delivery, Storefront } from '../storefronts/contract.ts';

export type KeptHeaders = Readonly<Record<string, string>>;

/** Of every platform. What is not named here or by its storefront is kept nowhere: some platforms send keys, and new headers come unannounced. */
const EVERYWHERE = ['host', 'user-agent', 'content-type', 'content-length'];
const LONGEST = 200;

/** The headers of a webhook that people may see, bounded. */
export function keptHeaders({ keptHeaders: own }: Pick<Storefront, 'keptHeaders'>, headers: Delivery['headers']): KeptHeaders {
  const kept: Record<string, string> = {};
  for (const name of [...own, ...EVERYWHERE]) {
    const value = headers.get(name);
    if (value !== undefined) kept[name] = value.slice(0, LONGEST);
  }
  return kept;
}
