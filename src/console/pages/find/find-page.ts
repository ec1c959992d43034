import { findAnything, findByBuyer, type SoughtText, soughtIn } from '../../../operations/find/find-anything.ts';
import { may } from '../../../operations/people/rights.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Page, PageContext, ShownPage } from '../../base/page.ts';
import { findAddress } from '../../frame/parts.ts';
import { inAddress, visibleStores } from '../orders/order-list-request.ts';
import { addressView, type Results, resultsView } from './find-view.ts';
import { pagesNamed } from './named-pages.ts';

/**
 * `POST /console/find`, which the search of all pages sends: the orders of a buyer, by their e-mail address, which is so in no address of a page; anything
 * else goes on to `GET`: whatever a text may mean; the only thing that it means is gone to.
 */
export const findPage: Page = {
  path: '/find',
  right: 'orders.see',
  async get(context) {
    const { person, words } = context;
    const text = inAddress(context);
    const sought = soughtIn(text('q'));
    if (sought.text === '' || sought.text.includes('@')) return shown(context, sought, sought.text === '' ? nothing : addressView(context, sought));
    const deps = await depsOf(context);
    const found = await findAnything(deps, sought);
    const results = {
      ...found,
      ...deps,
      stores: may(person.role, 'stores.see') ? found.stores : [],
      pages: pagesNamed(sought.text, { role: person.role, lang: words.lang, hasService: context.deps.service !== null }),
    };
    // Somebody who is shown a list while they type goes on by themselves.
    const only = text('list') === '' ? onlyOne(results) : null;
    return only === null ? shown(context, sought, resultsView(context, { sought, results })) : { goTo: only };
  },
  post: {
    right: 'orders.see',
    async act(context, form) {
      const sought = soughtIn(form.text('q'));
      const { text, email } = sought;
      if (!text.includes('@')) return { goTo: findAddress(text) };
      const mayLook = may(context.person.role, 'buyers.see');
      if (email === null || !mayLook) return { ...shown(context, sought, addressView(context, sought)), status: mayLook ? 422 : 403 };
      const deps = await depsOf(context);
      const found = await findByBuyer(deps, { email, by: context.by });
      return shown(context, sought, resultsView(context, { sought, results: { ...found, ...deps, pages: [] } }));
    },
  },
};

async function depsOf(context: PageContext) {
  return { pool: context.deps.pool, connections: await visibleStores(context), isAll: context.person.shops === null };
}

/** The address of the only thing that is found; orders by a part of their numbers count only if nothing else is found. */
function onlyOne({ groups, webhooks, stores, pages }: Results): string | null {
  const orders = (isPart: boolean) =>
    groups.filter(({ by }) => (by === 'part') === isPart).flatMap((group) => group.orders.map(({ id }) => `/console/orders/${id}`));
  const others = [...webhooks.map(({ id }) => `/console/webhooks/${id}`), ...stores.map(({ id }) => `/console/stores/${id}`), ...pages.map(({ path }) => path)];
  const whole = new Set([...orders(false), ...others]);
  const [only = null, ...more] = whole.size === 0 ? orders(true) : whole;
  return more.length === 0 ? only : null;
}

/** An address of a person is not repeated in the title, which browsers keep. */
function shown({ words: { find } }: PageContext, { text }: SoughtText, found: Html): ShownPage {
  const title = text === '' || text.includes('@') ? find.title : find.titleOf(text);
  const body = text === '' ? html`<p>${find.searched} ${find.notSearched}</p>` : html`<div id="found">${found}</div>`;
  return { title, place: 'orders', body };
}
