import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { KeptStep } from '../../bridge/ledger/kept-order.ts';
import type { Receipt } from '../../bridge/order/receipt.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import { heldWords, storeHoldWords } from '../../operations/orders/held-words.ts';
import { ignoredWords } from '../../operations/orders/ignored-words.ts';
import type { OrderReport } from '../../operations/orders/order-report.ts';
import { codeWords } from '../../operations/words/code-words.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateName } from '../../operations/words/state-words.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { type CliWords, en } from '../words/en.ts';
import { money } from './money.ts';

/** `connection`: that of the order. `width`: the columns of the terminal; undefined: it is none. */
type Around = { connection?: Pick<Connection, 'name' | 'recordFrom' | 'gaps'>; width?: number | undefined };
/** The same with its words; `width`: within a section. */
type In = Around & { words: CliWords['sheet'] };

/** One order for people. */
export function orderText(order: OrderReport, { width, ...around }: Around = {}): string[] {
  const words = en.sheet;
  const said: In = { ...around, words, width: width === undefined ? undefined : width - INDENT.length };
  const { sections } = words;
  return [
    ...aboutLines(order, said).map((line) => withLocalTimes(line)),
    ...section(sections.facts, factLines(order, words)),
    ...(order.desired.kind === 'problems' ? section(sections.lines, storeLines(order, said)) : []),
    ...section(sections.desired, desiredLines(order, said)),
    ...section(sections.current, order.record === null ? [words.none] : recordLines(order.record, said)),
    ...(order.unconfirmed === null ? [] : section(sections.lost, recordLines(order.unconfirmed, said))),
    ...section(sections.webhooks, deliveryLines(order.deliveries, said)),
    ...section(sections.submissions, submissionLines(order.submissions, said)),
  ];
}

function aboutLines(order: OrderReport, said: In): string[] {
  const { review, todo } = order;
  const { words, connection } = said;
  const { fields } = words;
  const store = connection === undefined ? oneLine(order.store) : `${oneLine(connection.name)} (${oneLine(order.store)})`;
  return textFields([
    [fields.order, words.name(order.orderId, order.number, store)],
    [fields.state, stateWords(order, said)],
    ...(review === null ? [] : [[fields.why, `${review.code}: ${oneLine(problemWords(review, 'en'))}`] as const]),
    ...(order.refusal === null ? [] : [[fields.refusal, oneLine(order.refusal)] as const]),
    ...(todo === null ? [] : [[fields.toDo, todo] as const]),
    ...(order.settled === null ? [] : [[fields.said, saidWords(order.settled, words)] as const]),
    [fields.orderTotal, money(order.orderTotal, order.currency) ?? words.notKnown],
    [fields.recordedTotal, money(order.recordedTotal, order.recordedCurrency) ?? words.nothingRecorded],
    [fields.complianceId, order.complianceId ?? '-'],
    ...order.warnings.map((warning) => [fields.warning, oneLine(warning.en)] as const),
    ...(order.receipt === null ? [] : [[fields.receipt, receiptWords(order.receipt, said)] as const]),
  ]);
}

/** What the state means; of an ignored order, why it is. */
function stateWords({ state, behind, means, held, facts, desired }: OrderReport, { words, connection }: In): string {
  const name = stateName(state, 'en');
  if (held !== null) return words[storeHoldWords(held) === null ? 'held' : 'heldByStore'](name, heldWords(held, 'en'), held.detail);
  const why = state === 'ignored' && desired.kind === 'nothing' && connection !== undefined ? ignoredWords({ facts }, desired.why, connection)?.en : null;
  return `${name}${behind ? words.workedOn : ''}: ${why == null ? means : `${why}.`}`;
}

function saidWords({ how, complianceId, who, at, why, counts }: NonNullable<OrderReport['settled']>, words: In['words']): string {
  const what = how === 'recorded' ? words.asId(words.settledAs[how], complianceId) : words.settledAs[how];
  return `${words.by({ what, who, at, why: oneLine(why) })}${counts ? '' : words.before}`;
}

function receiptWords(receipt: Receipt, { words: { receipt: words } }: In): string {
  switch (receipt.state) {
    case 'due':
      return words.due(receipt.since);
    case 'got':
      return words.got(receipt.at, receipt.id === null ? '' : oneLine(receipt.id));
    case 'refused':
      return `${words.refused(receipt.at, oneLine(receipt.detail))} ${codeWords('receipt.refused', 'en').todo}`;
  }
}

const INDENT = '  ';

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines.map((line) => INDENT + line)];
}

function factLines({ facts, olderThere, personalDataErased }: OrderReport, words: In['words']): string[] {
  const { snapshot, deletedAt, restoredAt } = facts;
  const state = snapshot === null ? [words.onlyParts] : [words.asOf(`${snapshot.status}, ${snapshot.lifecycle}, ${snapshot.payment}`, snapshot.updatedAt)];
  const gateways = snapshot === null || snapshot.gateways.length === 0 ? [] : [words.paidBy(snapshot.gateways.join(', '))];
  const refunds = Object.values(facts.refunds).map(({ id, at, amount }) => words.refund(id, at, money(amount, snapshot?.currency ?? null)));
  const listed = (snapshot?.refunds ?? [])
    .filter(({ id }) => facts.refunds[id] === undefined)
    .map(({ id, amount }) => words.refund(id, null, `${amount} ${snapshot?.currency ?? ''}`));
  const lines = [
    ...state,
    ...gateways,
    ...refunds,
    ...listed,
    ...(deletedAt === null ? [] : [words.deleted(deletedAt)]),
    ...(restoredAt === null ? [] : [words.restored(restoredAt)]),
    ...(olderThere === null ? [] : [words.olderThere(words.asOf(olderThere.status, olderThere.updatedAt), olderThere.at)]),
    ...(personalDataErased ? [words.erased] : []),
  ];
  return lines.map((line) => withLocalTimes(oneLine(line)));
}

/** What the lines add up to is compared with the total by whoever decides. */
function storeLines({ facts: { snapshot } }: OrderReport, { words, width }: In): string[] {
  if (snapshot === null) return [words.notKnown];
  const rows = snapshot.lines.map(({ kind, name, quantity, gross, discount, vatRate }) => [quantity, name, kind, gross, discount, `${vatRate} %`]);
  const sums = [words.total(`${snapshot.total} ${snapshot.currency}`), ...(snapshot.kept === undefined ? [] : [words.kept(snapshot.kept)])];
  const header = ['quantity', 'name', 'kind', words.price(snapshot.currency), 'discount', 'VAT'];
  return [...textTable(header, rows, { width, give: ['kind'], keep: ['quantity'] }), oneLine(sums.join(', '))];
}

function desiredLines({ desired: should, facts }: OrderReport, said: In): string[] {
  const { words, connection } = said;
  if (should.kind === 'nothing') {
    const why = connection === undefined ? null : ignoredWords({ facts }, should.why, connection)?.en;
    return [words.noRecord(withLocalTimes(why ?? should.why))];
  }
  if (should.kind === 'problems') return should.problems.map((problem) => words.undecided(problem.code, oneLine(problemWords(problem, 'en'))));
  return recordLines(should.record, said);
}

function recordLines({ lineItems, currency, precision, paymentType, paymentProcessorName, transactionId }: CreateOrderDto, { words, width }: In): string[] {
  const lines = lineItems.map(({ name, quantity, price, discount = 0, vatRate, vatGroup }) => [
    String(quantity),
    name,
    price.toFixed(precision),
    discount === 0 ? null : discount.toFixed(precision),
    `${vatRate} %`,
    vatGroup,
  ]);
  const payment = [paymentType, paymentProcessorName, transactionId].filter((part) => part !== undefined).join(', ');
  const header = ['quantity', 'name', words.price(currency), 'discount', 'VAT', 'group'];
  return [...textTable(header, lines, { width, keep: ['quantity'] }), words.payment(oneLine(payment))];
}

function deliveryLines(deliveries: readonly KeptDelivery[], { words, width }: In): string[] {
  const rows = deliveries.map(({ id, arrivedAt, topic, outcome, kept }) => [localTime(arrivedAt), topic, outcome, kept ? 'kept' : 'gone', id]);
  const header = ['arrived', 'topic', 'outcome', 'body', 'delivery'] as const;
  return rows.length === 0 ? [words.none] : textTable(header, rows, { give: ['body'], keep: ['arrived', 'delivery'], width });
}

function submissionLines(steps: readonly KeptStep[], { words, width }: In): string[] {
  const rows = steps.map(({ at, kind, outcome, status, attempts, endedAt, complianceId, detail }) => [
    localTime(at),
    kind,
    outcome ?? 'no answer yet',
    status === null ? null : String(status),
    String(attempts),
    endedAt === null ? null : localTime(endedAt),
    detail,
    complianceId,
  ]);
  const header = ['began', 'step', 'outcome', 'status', 'tries', 'ended', 'detail', 'compliance id'] as const;
  const fit = { give: ['tries', 'ended', 'compliance id'], keep: ['began', 'step'], wrap: 'detail' } as const;
  return rows.length === 0 ? [words.none] : textTable(header, rows, { ...fit, width });
}
