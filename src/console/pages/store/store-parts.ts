import { type ShownStore, showStore } from '../../../operations/connections/stores.ts';
import { type Html, html } from '../../../web/html.ts';
import type { PageContext } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';

const MINUTE_MS = 60_000;

/** The id of the store that an address is about. */
export function idOf({ req }: PageContext): string {
  return String(req.params['id']);
}

/** The store that an address is about; refuses one that is not known. */
export async function storeOf(context: PageContext): Promise<ShownStore> {
  return showStore(context.deps, await context.deps.stores.base(), idOf(context));
}

export function addressOf({ connectionId }: Pick<ShownStore, 'connectionId'>): string {
  return `/console/stores/${connectionId}`;
}

/** The way back above a page about a store. */
export function wayBack(store: ShownStore, { store: { back } }: Words): Html {
  return html`<p><a href="/console/stores">${back}</a> · <a href="${addressOf(store)}">${store.name}</a></p>
`;
}

/** How long until then: “23 h 12 min”. */
export function leftUntil(until: string, now: Date, { store: { left } }: Words): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(until) - now.getTime()) / MINUTE_MS));
  return left(Math.floor(minutes / 60), minutes % 60);
}
