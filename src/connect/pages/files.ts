import { dayName, monthName } from '../../contract/local-text.ts';
import type { BoardCard } from '../../operations/months/month-board.ts';
import { savedFile, versionOf } from '../../operations/months/versions.ts';
import { monthStatus, monthStatuses } from '../../service/audit/summary/month-status.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, table } from '../../web/tables.ts';
import type { ConnectContext, ConnectPage } from '../base/connect-page.ts';

const KINDS = ['xml', 'bookkeeping'] as const;

/** `GET /connect/{token}/status/files/{month}/{kind}`: the file of a month that was filed, or else was made last. */
export const filesPage: ConnectPage = {
  path: '/status/files/:month/:kind',
  of: 'status',
  code: 'always',
  async get({ deps: { connections, service }, onboarding, req, base }) {
    const kind = KINDS.find((one) => one === req.params['kind']);
    const month = String(req.params['month']);
    const connection = onboarding.connectionId === null ? null : await connections.find(onboarding.connectionId);
    const isNamed = service !== null && connection !== null && kind !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month);
    const { file } = isNamed ? await versionOf(service.audit, { shopId: connection.shopId, month }, null) : { file: null };
    return isNamed && file !== null ? savedFile(service.audit, file, kind) : { goTo: `${base}/status` };
  },
};

/** `months` null: another service keeps them. */
export function monthsView(months: readonly BoardCard[] | null, { words, base }: Pick<ConnectContext, 'words' | 'base'>): Html {
  const { status: say, own, lang } = words;
  if (months === null || months.length === 0) return html`<h2>${say.months}</h2>\n<p>${months === null ? say.monthsElsewhere : say.monthsNone}</p>`;
  const { month, state, orders, term } = say.columns;
  const files = (card: BoardCard) => KINDS.map((kind) => html`<a href="${base}/status/files/${card.month}/${kind}">${own.figures.file[kind]}</a> `);
  const columns: Columns<BoardCard> = [
    { name: month, cell: (card) => monthName(card.month, lang) },
    { name: state, cell: (card) => monthStatuses[monthStatus(card)].name[lang] },
    { name: orders, n: true, cell: (card) => card.orders },
    { name: term, cell: ({ deadline }) => dayName(deadline, lang) },
    { name: own.figures.files, cell: (card) => (card.version === null ? nothing : html`${files(card)}`) },
  ];
  return html`<h2>${say.months}</h2>
${table({ caption: say.months, columns, rows: months.toSorted((a, b) => b.month.localeCompare(a.month)) })}`;
}
