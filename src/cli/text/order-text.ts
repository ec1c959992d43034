import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { KeptStep } from '../../bridge/ledger/kept-order.ts';
import { failures } from '../../bridge/order/failure.ts';
import type { Receipt } from '../../bridge/order/receipt.ts';
import { settledAs } from '../../bridge/order/settled.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import { heldWords } from '../../operations/orders/held-words.ts';
import { ignoredWords } from '../../operations/orders/ignored-words.ts';
import type { OrderReport } from '../../operations/orders/order-report.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

/** `connection`: that of the order. `width`: the columns of the terminal; undefined: it is none. */
type Around = { connection?: Pick<Connection, 'name' | 'recordFrom' | 'gaps'>; width?: number | undefined };

/** One order for people. */
export function orderText(order: OrderReport, { connection, width }: Around = {}): string[] {
  const inner = width === undefined ? undefined : width - INDENT.length;
  return [
    ...aboutLines(order, connection).map((line) => withLocalTimes(line)),
    ...section('Facts', factLines(order)),
    ...(order.desired.kind === 'problems' ? section('Lines in the store', storeLines(order, inner)) : []),
    ...section('Desired record', desiredLines(order, { ...(connection === undefined ? {} : { connection }), width: inner })),
    ...section('Current record', order.record === null ? ['none'] : recordLines(order.record, inner)),
    ...(order.unconfirmed === null ? [] : section('Record whose reply was lost', recordLines(order.unconfirmed, inner))),
    ...section('Webhooks', deliveryLines(order.deliveries, inner)),
    ...section('Submissions', submissionLines(order.submissions, inner)),
  ];
}

function aboutLines(order: OrderReport, connection: Around['connection']): string[] {
  const { parked, todo } = order;
  return textFields([
    [
      'order',
      `${order.orderId} (${order.number ?? 'number not known'}) of ${connection === undefined ? oneLine(order.store) : `${oneLine(connection.name)} (${oneLine(order.store)})`}`,
    ],
    ['state', stateWords(order, connection)],
    ...(parked === null ? [] : [['why', `${parked.code}: ${oneLine(parked.detail)}`] as const]),
    ...(todo === null ? [] : [['to do', todo] as const]),
    ...(order.settled === null ? [] : [['said', saidWords(order.settled)] as const]),
    ['order total', money(order.orderTotal, order.currency) ?? 'not known'],
    ['recorded total', money(order.recordedTotal, order.recordedCurrency) ?? 'nothing is recorded'],
    ['compliance id', order.complianceId ?? '-'],
    ...(order.receipt === null ? [] : [['receipt', receiptWords(order.receipt)] as const]),
  ]);
}

/** What the state means; of an ignored order, why it is. */
function stateWords({ state, behind, means, held, facts, desired }: OrderReport, connection: Around['connection']): string {
  if (held !== null)
    return `${state}, ${heldWords(held)} (${held.detail}); it is submitted automatically as soon as that ends, and \`orderbridge status\` says what to do`;
  const why = state === 'ignored' && desired.kind === 'nothing' && connection !== undefined ? ignoredWords({ facts }, desired.why, connection) : null;
  return `${state}${behind ? ', being worked on' : ''}: ${why === null ? means : `${why}.`}`;
}

function saidWords({ how, complianceId, who, at, why, counts }: NonNullable<OrderReport['settled']>): string {
  const what = how === 'recorded' ? `${settledAs[how]} as ${complianceId}` : settledAs[how];
  return `${what}, by ${who} at ${at}: “${oneLine(why)}”${counts ? '' : ' (before the newest change)'}`;
}

function receiptWords(receipt: Receipt): string {
  switch (receipt.state) {
    case 'due':
      return `due since ${receipt.since}; it is requested automatically`;
    case 'got':
      return `got at ${receipt.at}${receipt.id === null ? '' : `, ${oneLine(receipt.id)}`}`;
    case 'refused':
      return `refused at ${receipt.at}: ${oneLine(receipt.detail)}. ${failures['receipt.refused'].todo}`;
  }
}

const INDENT = '  ';

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines.map((line) => INDENT + line)];
}

function factLines({ facts, personalDataErased }: OrderReport): string[] {
  const { snapshot, deletedAt, restoredAt } = facts;
  const state =
    snapshot === null ? ['only parts of it are known so far'] : [`${snapshot.status}, ${snapshot.lifecycle}, ${snapshot.payment}, as of ${snapshot.updatedAt}`];
  const gateways = snapshot === null || snapshot.gateways.length === 0 ? [] : [`paid by ${snapshot.gateways.join(', ')}`];
  const refunds = Object.values(facts.refunds).map(
    ({ id, at, amount }) => `refund ${id} at ${at}: ${money(amount, snapshot?.currency ?? null) ?? 'amount by its transactions'}`,
  );
  const listed = (snapshot?.refunds ?? [])
    .filter(({ id }) => facts.refunds[id] === undefined)
    .map(({ id, amount }) => `refund ${id}: ${amount} ${snapshot?.currency ?? ''}`);
  const lines = [
    ...state,
    ...gateways,
    ...refunds,
    ...listed,
    ...(deletedAt === null ? [] : [`deleted in the store, reported at ${deletedAt}`]),
    ...(restoredAt === null ? [] : [`restored in the store, reported at ${restoredAt}`]),
    ...(personalDataErased ? ['personal data is erased'] : []),
  ];
  return lines.map((line) => withLocalTimes(oneLine(line)));
}

/** What the lines add up to is compared with the total by whoever decides. */
function storeLines({ facts: { snapshot } }: OrderReport, width: number | undefined): string[] {
  if (snapshot === null) return ['not known'];
  const rows = snapshot.lines.map(({ kind, name, quantity, gross, discount, vatRate }) => [quantity, name, kind, gross, discount, `${vatRate} %`]);
  const sums = [`total ${snapshot.total} ${snapshot.currency}`, ...(snapshot.kept === undefined ? [] : [`paid and kept ${snapshot.kept}`])];
  return [
    ...textTable(['quantity', 'name', 'kind', `price ${snapshot.currency}`, 'discount', 'VAT'], rows, { width, give: ['kind'], keep: ['quantity'] }),
    oneLine(sums.join(', ')),
  ];
}

function desiredLines({ desired: should, facts }: OrderReport, { connection, width }: Around): string[] {
  if (should.kind === 'nothing') {
    const words = connection === undefined ? null : ignoredWords({ facts }, should.why, connection);
    return [`none: ${withLocalTimes(words ?? should.why)}`];
  }
  if (should.kind === 'problems') return should.problems.map(({ code, detail }) => `can't be decided: ${code}: ${oneLine(detail)}`);
  return recordLines(should.record, width);
}

function recordLines(
  { lineItems, currency, precision, paymentType, paymentProcessorName, transactionId }: CreateOrderDto,
  width: number | undefined,
): string[] {
  const lines = lineItems.map(({ name, quantity, price, discount = 0, vatRate, vatGroup }) => [
    String(quantity),
    name,
    price.toFixed(precision),
    discount === 0 ? null : discount.toFixed(precision),
    `${vatRate} %`,
    vatGroup,
  ]);
  const payment = [paymentType, paymentProcessorName, transactionId].filter((part) => part !== undefined).join(', ');
  return [
    ...textTable(['quantity', 'name', `price ${currency}`, 'discount', 'VAT', 'group'], lines, { width, keep: ['quantity'] }),
    `payment: ${oneLine(payment)}`,
  ];
}

function deliveryLines(deliveries: readonly KeptDelivery[], width: number | undefined): string[] {
  const rows = deliveries.map(({ id, arrivedAt, topic, outcome, kept }) => [localTime(arrivedAt), topic, outcome, kept ? 'kept' : 'gone', id]);
  return rows.length === 0
    ? ['none']
    : textTable(['arrived', 'topic', 'outcome', 'body', 'delivery'], rows, { width, give: ['body'], keep: ['arrived', 'delivery'] });
}

function submissionLines(steps: readonly KeptStep[], width: number | undefined): string[] {
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
  const header = ['began', 'step', 'outcome', 'status', 'tries', 'ended', 'detail', 'compliance id'];
  return rows.length === 0 ? ['none'] : textTable(header, rows, { width, give: ['tries', 'ended', 'compliance id'], keep: ['began', 'step'], wrap: 'detail' });
}
