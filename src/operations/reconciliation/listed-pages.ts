import { NotRead } from '../../bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../bridge/reconciliation/read-page.ts';
import { PAGE, SMALL_PAGE } from '../../bridge/reconciliation/walk.ts';
import type { ChangedPage } from '../../bridge/storefronts/store-reader.ts';

/** What changed in a store since an instant, page by page, from where an earlier list ended. A store that can't give a large page gives smaller ones. */
export async function* listedPages(store: ReadableStore, { since, after }: { since: string; after: string | null }): AsyncGenerator<ChangedPage> {
  let size = PAGE;
  for (let next = after, isFirst = true; isFirst || next !== null; isFirst = false) {
    const page: ChangedPage = await store.changedSince({ since, after: next, size }).catch((thrown: unknown) => {
      if (!(thrown instanceof NotRead) || !thrown.wasTooMuch || size === SMALL_PAGE) throw thrown;
      size = SMALL_PAGE;
      return store.changedSince({ since, after: next, size });
    });
    yield page;
    next = page.next;
  }
}
