import { monthName } from '../../../contract/local-text.ts';
import { pauseRemedy } from '../../../operations/connections/pauses.ts';
import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import { storePauseWords } from '../../../operations/orders/why-not-sent.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { coded, money, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { whyWords } from '../orders/order-label.ts';

/** The state of an order in one sentence. */
export function sentence(orderDetail: OrderDetail, words: Words): Html {
  const { report } = orderDetail;
  const { sentence: say } = words.order;
  switch (report.state) {
    case 'recorded':
      return recorded(orderDetail, words);
    case 'review':
      return html`${report.record === null ? say.review(reasonOf(orderDetail, words)) : say.reviewRecorded(reasonOf(orderDetail, words))}`;
    case 'resolved':
      return resolved(orderDetail, words);
    case 'ignored':
      return html`${say.ignored(reasonOf(orderDetail, words))}`;
    case 'queued':
      return report.pause === null ? html`${say.queued}` : html`${reasonOf(orderDetail, words)}${mending(orderDetail, words)}`;
    default:
      return html`${say[report.state]}`;
  }
}

/** What a person does so that it is sent; nothing where it goes on by itself. */
function mending({ report: { pause }, store }: OrderDetail, words: Words): Html {
  const { lang } = words;
  if (pause !== null && storePauseWords(pause) !== null)
    return html`${pause.detail === '' ? '.' : ` (${pause.detail}).`} ${words.order.sentence.pausedByStoreSince} ${when(pause.since, words)}.`;
  const remedy = pause === null ? null : pauseRemedy(pause, store.id);
  return remedy === null ? nothing : html` ${coded(remedy.said[lang])}`;
}

/** Why it is as it is; '' where its state says it all. */
export function reasonOf({ report }: OrderDetail, words: Words): string {
  const ignored = report.state === 'ignored' && report.desired.kind === 'nothing' ? report.desired.why : null;
  return whyWords({ ...report, ignored }, words);
}

function recorded(orderDetail: OrderDetail, words: Words): Html {
  const { orderTotal, currency, recordedTotal, recordedCurrency } = orderDetail.report;
  const refunded = orderDetail.sources.refunded?.all ?? null;
  const amount = (value: string | null, of: string | null) => money(value === null || of === null ? null : `${value} ${of}`, words);
  return html`${words.order.sentence.recorded(amount(orderTotal, currency), refunded === null ? null : amount(refunded, currency), amount(recordedTotal, recordedCurrency))} ${documentWords(orderDetail, words)}`;
}

function documentWords({ document }: OrderDetail, { order: { sentence: say }, lang }: Words): Html {
  if (document === null) return nothing;
  const { number, month } = document;
  if (month === null) return html`${say.document(number)}, ${say.noMonth}.`;
  return html`${say.document(number)}${say.ofMonth(monthName(month.month, lang))}, ${say.months[month.state] ?? month.state}.`;
}

function resolved({ report, happened }: OrderDetail, words: Words): Html {
  const { sentence: say, resolvedAs } = words.order;
  const said = report.resolution;
  if (said === null) return nothing;
  const act = happened.find((one) => one.is === 'act' && one.act.act === 'order.resolved' && one.act.who === said.who);
  const who = whoWords({ who: said.who, name: act?.is === 'act' ? act.name : null }, words);
  return html`${say.resolved(resolvedAs[said.how], who)} ${words.order.event.because(said.why)}`;
}

/** Who did it: the program, a person by their name, or as the audit log names them. */
export function whoWords({ who, name }: { who: string; name: string | null | undefined }, { order: { event } }: Words): string {
  return who === 'orderbridge' ? event.program : (name ?? who.replace(/^cli:/, ''));
}
