import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { dayName, monthName, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** The record, its document and month, and the order in the store. */
export function factsView(orderDetail: OrderDetail, words: Words): Html {
  const { facts: say } = words.order;
  const { report, storeAddress } = orderDetail;
  const known = [...recordFacts(orderDetail, words), ...storeFacts(orderDetail, words)];
  return html`${report.warnings.length === 0 ? nothing : html`<ul class="banner attention">${lines(report.warnings.map((warning) => html`<li>${warning[words.lang]}</li>`))}</ul>\n`}<dl class="facts">
${lines(known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>
${report.personalDataErased ? html`<p class="soft">${say.erased}</p>\n` : nothing}${
  storeAddress === null ? nothing : html`<p><a class="verb second" href="${storeAddress}" rel="noreferrer">${say.showInStore}</a></p>`
}`;
}

type Fact = readonly [string, Html];

function recordFacts({ report, document }: OrderDetail, words: Words): Fact[] {
  const { facts: say } = words.order;
  const { complianceId, receipt } = report;
  return [
    ...(document === null ? [] : documentFacts(document, words)),
    [
      say.complianceId,
      complianceId === null ? html`${report.state === 'unconfirmed' ? words.order.sources.unknown : say.none}` : html`<code>${complianceId}</code>`,
    ],
    ...(receipt === null ? [] : [[say.receipt, receiptWords(receipt, words)] as const]),
  ];
}

function documentFacts({ number, day, month }: NonNullable<OrderDetail['document']>, { order: { facts: say, sentence }, lang }: Words): Fact[] {
  const listed = month === null ? sentence.noMonth : `${monthName(month.month, lang)}, ${sentence.months[month.state] ?? month.state}`;
  return [
    [say.document, html`${number}, ${dayName(day, lang)}`],
    [say.month, html`${listed}`],
  ];
}

function receiptWords(receipt: NonNullable<OrderDetail['report']['receipt']>, words: Words): Html {
  const said = words.order.facts.receipts[receipt.state];
  const at = when(receipt.state === 'due' ? receipt.since : receipt.at, words);
  return html`${said}${receipt.state === 'refused' && receipt.detail !== '' ? `: ${receipt.detail}` : ''} ${at}`;
}

function storeFacts({ report, store }: OrderDetail, words: Words): Fact[] {
  const { facts: say } = words.order;
  const { olderThere, facts } = report;
  const { snapshot } = facts;
  const gateways = snapshot?.gateways ?? [];
  return [
    [say.store, html`${store.name}`],
    [say.storeId, html`<code>${report.orderId}</code>`],
    ...(snapshot === null ? [] : [[say.storeStatus, html`<code>${snapshot.status}</code> ${when(snapshot.updatedAt, words)}`] as const]),
    ...(olderThere === null
      ? []
      : [
          [
            say.olderThere,
            html`<code>${olderThere.status}</code> ${when(olderThere.updatedAt, words)}. ${say.olderThereSeen} ${when(olderThere.at, words)}`,
          ] as const,
        ]),
    ...(gateways.length === 0 ? [] : [[say.gateways, html`<code>${gateways.join(', ')}</code>`] as const]),
  ];
}
