import type { Happened } from '../../../operations/sheets/order-sheet.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Words } from '../../words/words.ts';
import { clock } from './clock.ts';

type Request = Extract<Happened, { is: 'request' }>['request'];

/** What was sent, without the buyer, and what came back; folded. */
export function requestDetails({ record, status, detail, complianceId, at, endedAt }: Request, words: Words): Html {
  const { event } = words.order;
  const fact = (name: string, value: Html | null) => (value === null ? nothing : html`<dt>${name}</dt><dd>${value}</dd>\n`);
  const text = (value: string | number | null) => (value === null || value === '' ? null : html`${value}`);
  return html`<details><summary>${event.request}</summary>
<dl class="facts">${fact(event.began, clock(at, words))}${fact(event.ended, endedAt === null ? null : clock(endedAt, words))}${fact(event.status, text(status))}${fact(event.answer, text(detail))}${fact(event.complianceId, text(complianceId))}</dl>
${record === null ? nothing : html`<p class="soft">${event.sent}</p><pre>${JSON.stringify(record, null, 2)}</pre>`}</details>`;
}
