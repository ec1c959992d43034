import { NotRead } from '../../bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../bridge/reconciliation/read-page.ts';
import { PAGE, SMALL_PAGE } from '../../bridge/reconciliation/sync-run.ts';
import type { ChangedPage } from '../../bridge/storefronts/store-reader.ts';

/** `isFirst`: of this run. `isAnew`: the list was begun anew. */
type Place = { after: string | null; size: number; isFirst: boolean; isAnew: boolean };

/**
 * What changed in a store since an instant, page by page, from where an earlier list ended; from the beginning, once, if the store does not take that place
 * any more. A store that can't give a large page gives smaller ones.
 */
export async function* listedPages(store: ReadableStore, { since, after }: { since: string; after: string | null }): AsyncGenerator<ChangedPage> {
  let at: Place = { after, size: PAGE, isFirst: true, isAnew: false };
  while (at.isFirst || at.after !== null) {
    const { after: from, size } = at;
    const page = await store.changedSince({ since, after: from, size }).catch((thrown: unknown) => insteadOf(at, thrown));
    if ('heads' in page) yield page;
    at = 'heads' in page ? { ...at, after: page.next, isFirst: false } : page;
  }
}

/** Where to read in place of a page that can't be had. */
function insteadOf(at: Place, thrown: unknown): Place {
  if (!(thrown instanceof NotRead)) throw thrown;
  if (thrown.wasTooMuch && at.size > SMALL_PAGE) return { ...at, size: SMALL_PAGE };
  if (at.isAnew || at.after === null || !(at.isFirst || thrown.refusesPlace)) throw thrown;
  return { ...at, after: null, isFirst: true, isAnew: true };
}
