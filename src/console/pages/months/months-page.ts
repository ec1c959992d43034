import { ledgerOutstanding } from '../../../operations/months/ledger-outstanding.ts';
import { monthsOf } from '../../../operations/months/list-months.ts';
import { monthBoard } from '../../../operations/months/month-board.ts';
import { html } from '../../../web/html.ts';
import type { Page, PageContext, Reply } from '../../base/page.ts';
import { boardView, shopChoice } from './board-view.ts';
import { foreignView } from './foreign-view.ts';
import { monthPath } from './of-month.ts';
import { olderView } from './older-view.ts';

/** `GET /console/months`: what is to be done for each month of each shop; `?month=`: of that month alone, or the page of the one that is left; `?older=1`: all months of a shop. */
export const monthsPage: Page = {
  path: '/months',
  right: 'months.see',
  async get(context) {
    const { deps, person, words } = context;
    if (deps.service === null) {
      const outstanding = await ledgerOutstanding(deps, person.shops);
      return { title: words.months.title, place: 'months', body: foreignView(outstanding, words) };
    }
    return shownBoard(context, deps.service);
  },
};

async function shownBoard({ req, person, words }: PageContext, { audit }: NonNullable<PageContext['deps']['service']>): Promise<Reply> {
  const shop = String(req.query['shop'] ?? '') || null;
  const board = await monthBoard(audit, { allowed: person.shops, shop });
  const month = String(req.query['month'] ?? '');
  const ofMonth = board.cards.filter((card) => card.month === month);
  const [one, ...others] = ofMonth.filter(
    ({ column, orders, version, outstanding }) => column !== 'filed' && (orders > 0 || version !== null || outstanding !== null),
  );
  if (one !== undefined && others.length === 0) return { goTo: monthPath(one) };
  const isOlder = req.query['older'] !== undefined;
  const only = board.shop ?? (board.shops.length === 1 ? (board.shops[0] ?? null) : null);
  const at = { place: 'months' } as const;
  if (!isOlder)
    return {
      ...at,
      title: words.months.title,
      body: boardView(ofMonth.length === 0 ? board : { ...board, cards: ofMonth }, {
        words,
        isLimited: person.shops !== null,
        month: ofMonth.length === 0 ? null : month,
      }),
    };
  if (only === null) return { ...at, title: words.months.older, body: html`<p>${words.months.chooseFirst}</p>\n${shopChoice(board, words, true)}` };
  return { ...at, title: words.months.olderOf(only.name), body: olderView({ shop: only, months: await monthsOf(audit, only.id) }, words) };
}
