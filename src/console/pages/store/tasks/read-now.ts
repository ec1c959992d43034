import { readNow } from '../../../../operations/reconciliation/read-now.ts';
import type { Page, PageContext, Reply } from '../../../base/page.ts';
import { addressOf, idOf } from '../store-parts.ts';

/** `POST /console/stores/ID/read`: a worker reads the store again, as soon as one can. */
export const readNowPage: Page = { path: '/stores/:id/read', right: 'stores.see', post: { right: 'orders.decide', act: read } };

async function read(context: PageContext): Promise<Reply> {
  const { pool, connections, stores } = context.deps;
  const { id } = await readNow({ pool, connections, storefronts: stores.storefronts }, { named: idOf(context), by: context.by });
  return { goTo: addressOf({ connectionId: id }), done: 'storeReadWanted' };
}
