import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptDelivery } from '../../bridge/ledger/deliveries/delivery-store.ts';
import type { KeptStep } from '../../bridge/ledger/orders/read-orders.ts';
import type { Receipt } from '../../bridge/order/decisions/claim.ts';
import { resolvedAs } from '../../bridge/order/decisions/wanted.ts';
import type { CreateOrderDto } from '../../contract/order-dto.ts';
import type { OrderReport } from '../../operations/orders/order-report.ts';
import { ignoredWords, pauseWords, storePauseWords } from '../../operations/orders/why-not-sent.ts';
import { codeWords, problemWords, stateName } from '../../operations/words.ts';
import { localOrNone, localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

/** `connection`: that of the order. `names`: of people, by how the audit log names them. `width`: the columns of the terminal; undefined: it is none. */
type TextContext = {
  connection?: Pick<Connection, 'name' | 'recordFrom' | 'gaps'>;
  names?: ReadonlyMap<string, string> | undefined;
  width?: number | undefined;
};

/** One order for people. */
export function orderText(order: OrderReport, { width, ...around }: TextContext = {}): string[] {
  const said = { ...around, width: width === undefined ? undefined : width - INDENT.length };
  return [
    ...aboutLines(order, said).map((line) => withLocalTimes(line)),
    ...section('Facts', factLines(order)),
    ...(order.desired.kind === 'problems' ? section('Lines in the store', storeLines(order, said)) : []),
    ...section('Desired record', desiredLines(order, said)),
    ...section('Current record', order.record === null ? ['none'] : recordLines(order.record, said)),
    ...(order.unconfirmed === null ? [] : section('Record whose reply was lost', recordLines(order.unconfirmed, said))),
    ...section('Webhooks', deliveryLines(order.deliveries, said)),
    ...section('Submissions', submissionLines(order.submissions, said)),
  ];
}

function aboutLines(order: OrderReport, { connection, names }: TextContext): string[] {
  const { review, todo } = order;
  const store = connection === undefined ? oneLine(order.store) : `${oneLine(connection.name)} (${oneLine(order.store)})`;
  return textFields([
    ['order', `${order.orderId} (${order.number ?? 'number not known'}) of ${store}`],
    ['state', stateWords(order, connection)],
    ...(review === null ? [] : [['why', `${review.code}: ${oneLine(problemWords(review, 'en'))}`] as const]),
    ...(order.refusal === null ? [] : [['repeat refused', oneLine(order.refusal)] as const]),
    ...(todo === null ? [] : [['to do', todo] as const]),
    ...(order.resolution === null ? [] : [['said', saidWords(order.resolution, names)] as const]),
    ['order total', money(order.orderTotal, order.currency) ?? 'not known'],
    ['recorded total', money(order.recordedTotal, order.recordedCurrency) ?? 'nothing is recorded'],
    ['compliance id', order.complianceId ?? '-'],
    ...order.warnings.map((warning) => ['warning', oneLine(warning.en)] as const),
    ...(order.receipt === null ? [] : [['receipt', receiptWords(order.receipt)] as const]),
  ]);
}

const PAUSED = 'it is submitted automatically as soon as that ends, and `orderbridge status` says what to do';
const PAUSED_BY_STORE = 'it is called again by itself, `orderbridge connections` shows its state, and after six hours a person is asked';

/** What the state means; of an ignored order, why it is. */
function stateWords({ state, pending, means, pause, facts, desired }: OrderReport, connection: TextContext['connection']): string {
  const name = stateName(state, 'en');
  if (pause !== null) return `${name}, ${pauseWords(pause)} (${pause.detail}); ${storePauseWords(pause) === null ? PAUSED : PAUSED_BY_STORE}`;
  const why = state === 'ignored' && desired.kind === 'nothing' && connection !== undefined ? ignoredWords({ facts }, desired.why, connection) : null;
  return `${name}${pending ? ', being worked on' : ''}: ${why == null ? means : `${why}.`}`;
}

function saidWords({ how, complianceId, who, at, why, counts }: NonNullable<OrderReport['resolution']>, names: TextContext['names']): string {
  const what = how === 'recorded' ? `${resolvedAs[how]} as ${complianceId}` : resolvedAs[how];
  return `${what}, by ${names?.get(who) ?? who} at ${at}: “${oneLine(why)}”${counts ? '' : ' (before the newest change)'}`;
}

function receiptWords(receipt: Receipt): string {
  switch (receipt.state) {
    case 'due':
      return `due since ${receipt.since}; it is requested automatically`;
    case 'got':
      return `got at ${receipt.at}${receipt.id === null ? '' : `, ${oneLine(receipt.id)}`}`;
    case 'refused':
      return `refused at ${receipt.at}: ${oneLine(receipt.detail)}. ${codeWords('receipt.refused', 'en').todo}`;
  }
}

const INDENT = '  ';

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines.map((line) => INDENT + line)];
}

function factLines({ facts, olderThere, personalDataErased, personalDataUnopened }: OrderReport): string[] {
  const { snapshot, deletedAt, deletedOn, restoredAt } = facts;
  const state =
    snapshot === null ? ['only parts of it are known so far'] : [`${snapshot.status}, ${snapshot.lifecycle}, ${snapshot.payment}, as of ${snapshot.updatedAt}`];
  const gateways = snapshot === null || snapshot.gateways.length === 0 ? [] : [`paid by ${snapshot.gateways.join(', ')}`];
  const refunds = Object.values(facts.refunds).map(({ id, at, amount }) => refundText(id, at, money(amount, snapshot?.currency ?? null)));
  const listed = (snapshot?.refunds ?? [])
    .filter(({ id }) => facts.refunds[id] === undefined)
    .map(({ id, amount }) => refundText(id, null, `${amount} ${snapshot?.currency ?? ''}`));
  const lines = [
    ...state,
    ...gateways,
    ...refunds,
    ...listed,
    ...(deletedAt === null ? [] : [`deleted in the store, reported at ${deletedAt}`]),
    ...(deletedOn === undefined ? [] : [`deleted in the store at ${deletedOn}`]),
    ...(restoredAt === null ? [] : [`restored in the store, reported at ${restoredAt}`]),
    ...(olderThere === null
      ? []
      : [
          `the store shows an older state since, seen at ${olderThere.at}: ${olderThere.status}, as of ${olderThere.updatedAt}; what is recorded stays (\`orderbridge reconcile\`: older-there)`,
        ]),
    ...(personalDataErased ? ['personal data is erased'] : []),
    ...(personalDataUnopened ? ['personal data can’t be decrypted: what is recorded anew is so without its buyer, until the store sends the order again'] : []),
  ];
  return lines.map((line) => withLocalTimes(oneLine(line)));
}

function refundText(id: string, at: string | null, amount: string | null): string {
  return `refund ${id}${at === null ? '' : ` at ${at}`}: ${amount ?? 'amount by its transactions'}`;
}

/** What the lines add up to is compared with the total by anyone who decides. */
function storeLines({ facts: { snapshot } }: OrderReport, { width }: TextContext): string[] {
  if (snapshot === null) return ['not known'];
  const rows = snapshot.lines.map(({ kind, name, quantity, gross, discount, vatRate }) => [quantity, name, kind, gross, discount, `${vatRate} %`]);
  const sums = [`total ${snapshot.total} ${snapshot.currency}`, ...(snapshot.kept === undefined ? [] : [`paid and kept ${snapshot.kept}`])];
  const header = ['quantity', 'name', 'kind', `price ${snapshot.currency}`, 'discount', 'VAT'];
  return [...textTable(header, rows, { width, give: ['kind'], keep: ['quantity'] }), oneLine(sums.join(', '))];
}

function desiredLines({ desired: should, facts }: OrderReport, said: TextContext): string[] {
  const { connection } = said;
  if (should.kind === 'nothing') {
    const why = connection === undefined ? null : ignoredWords({ facts }, should.why, connection);
    return [`none: ${withLocalTimes(why ?? should.why)}`];
  }
  if (should.kind === 'problems') return should.problems.map((problem) => `can't be decided: ${problem.code}: ${oneLine(problemWords(problem, 'en'))}`);
  return recordLines(should.record, said);
}

function recordLines({ lineItems, currency, precision, paymentType, paymentProcessorName, transactionId }: CreateOrderDto, { width }: TextContext): string[] {
  const lines = lineItems.map(({ name, quantity, price, discount = 0, vatRate, vatGroup }) => [
    String(quantity),
    name,
    price.toFixed(precision),
    discount === 0 ? null : discount.toFixed(precision),
    `${vatRate} %`,
    vatGroup,
  ]);
  const payment = [paymentType, paymentProcessorName, transactionId].filter((part) => part !== undefined).join(', ');
  const header = ['quantity', 'name', `price ${currency}`, 'discount', 'VAT', 'group'];
  return [...textTable(header, lines, { width, keep: ['quantity'] }), `payment: ${oneLine(payment)}`];
}

/** What is left of its body. */
function bodyWords(kept: boolean, cut: boolean): string {
  if (cut) return kept ? 'cut (the day was full)' : 'not kept (the day was full)';
  return kept ? 'kept' : 'gone';
}

function deliveryLines(deliveries: readonly KeptDelivery[], { width }: TextContext): string[] {
  const rows = deliveries.map(({ id, arrivedAt, topic, outcome, kept, cut }) => [localTime(arrivedAt), topic, outcome, bodyWords(kept, cut), id]);
  const header = ['arrived', 'topic', 'outcome', 'body', 'delivery'] as const;
  return rows.length === 0 ? ['none'] : textTable(header, rows, { give: ['body'], keep: ['arrived', 'delivery'], width });
}

function submissionLines(steps: readonly KeptStep[], { width }: TextContext): string[] {
  const rows = steps.map(({ at, kind, outcome, status, attempts, endedAt, complianceId, detail }) => [
    localTime(at),
    kind,
    outcome ?? 'no answer yet',
    status === null ? null : String(status),
    String(attempts),
    localOrNone(endedAt),
    detail,
    complianceId,
  ]);
  const header = ['began', 'step', 'outcome', 'status', 'tries', 'ended', 'detail', 'compliance id'] as const;
  const fit = { give: ['tries', 'ended', 'compliance id'], keep: ['began', 'step'], wrap: 'detail' } as const;
  return rows.length === 0 ? ['none'] : textTable(header, rows, { ...fit, width });
}
