import type { KeptDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { KeptStep } from '../../bridge/ledger/kept-order.ts';
import { failures } from '../../bridge/order/failure.ts';
import type { Receipt } from '../../bridge/order/receipt.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import type { DesiredRecord, OrderReport } from '../../operations/orders/order-report.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

/** One order for people. */
export function orderText(order: OrderReport): string[] {
  const { parked, todo } = order;
  return [
    ...textFields([
      ['order', `${order.orderId} (${order.number ?? 'number not known'}) of ${oneLine(order.store)}`],
      ['state', `${order.state}${order.behind ? ', being worked on' : ''}: ${order.means}`],
      ...(parked === null ? [] : [['why', `${parked.code}: ${oneLine(parked.detail)}`] as const]),
      ...(todo === null ? [] : [['to do', todo] as const]),
      ['order total', money(order.orderTotal, order.currency) ?? 'not known'],
      ['recorded total', money(order.recordedTotal, order.recordedCurrency) ?? 'nothing is recorded'],
      ['compliance id', order.complianceId ?? '-'],
      ...(order.receipt === null ? [] : [['receipt', receiptWords(order.receipt)] as const]),
    ]),
    ...section('Facts', factLines(order)),
    ...section('Desired record', desiredLines(order.desired)),
    ...section('Current record', order.record === null ? ['none'] : recordLines(order.record)),
    ...(order.unconfirmed === null ? [] : section('Record whose reply was lost', recordLines(order.unconfirmed))),
    ...section('Webhooks', deliveryLines(order.deliveries)),
    ...section('Submissions', submissionLines(order.submissions)),
  ];
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

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines.map((line) => `  ${line}`)];
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
  return lines.map(oneLine);
}

function desiredLines(should: DesiredRecord): string[] {
  if (should.kind === 'nothing') return [`none (${should.why})`];
  if (should.kind === 'problems') return should.problems.map(({ code, detail }) => `can't be decided: ${code}: ${oneLine(detail)}`);
  return recordLines(should.record);
}

function recordLines({ lineItems, currency, precision, paymentType, paymentProcessorName, transactionId }: CreateOrderDto): string[] {
  const lines = lineItems.map(({ name, quantity, price, discount = 0, vatRate, vatGroup }) => [
    String(quantity),
    name,
    price.toFixed(precision),
    discount === 0 ? null : discount.toFixed(precision),
    `${vatRate} %`,
    vatGroup,
  ]);
  const payment = [paymentType, paymentProcessorName, transactionId].filter((part) => part !== undefined).join(', ');
  return [...textTable(['quantity', 'name', `price ${currency}`, 'discount', 'VAT', 'group'], lines), `payment: ${oneLine(payment)}`];
}

function deliveryLines(deliveries: readonly KeptDelivery[]): string[] {
  const rows = deliveries.map(({ id, arrivedAt, topic, outcome, kept }) => [arrivedAt, topic, outcome, id, kept ? 'kept' : 'gone']);
  return rows.length === 0 ? ['none'] : textTable(['arrived', 'topic', 'outcome', 'delivery', 'body'], rows);
}

function submissionLines(steps: readonly KeptStep[]): string[] {
  const rows = steps.map(({ at, kind, outcome, status, attempts, endedAt, complianceId, detail }) => [
    at,
    kind,
    outcome ?? 'no answer yet',
    status === null ? null : String(status),
    String(attempts),
    endedAt,
    complianceId,
    detail,
  ]);
  return rows.length === 0 ? ['none'] : textTable(['began', 'step', 'outcome', 'status', 'tries', 'ended', 'compliance id', 'detail'], rows);
}
