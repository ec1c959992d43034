import type { Connection } from '../../bridge/connections/connection.ts';
import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import type { NothingReason } from '../../bridge/order/desired.ts';
import { noFacts } from '../../bridge/order/facts.ts';
import type { stateOfNothing } from '../../bridge/order/order-state.ts';
import { viewOf } from '../../bridge/order/view.ts';
import type { Said } from '../../contract/said.ts';

type Ignored = { [why in NothingReason]: (typeof stateOfNothing)[why] extends 'ignored' ? why : never }[NothingReason];
type Span = Pick<Connection, 'recordFrom' | 'gaps'>;

const words: Readonly<Record<Ignored, (paidAt: string, span: Span) => string>> = {
  trial: () => 'the store is on trial: nothing is submitted (`orderbridge start-recording`)',
  'before-record-from': (paidAt, { recordFrom }) => `paid ${paidAt}, before recordFrom ${recordFrom} (\`settings\` changes it)`,
  disconnected: (paidAt, { gaps }) => `paid ${paidAt}, while the store was disconnected${gapWords(paidAt, gaps)}`,
  test: () => 'a test order',
  draft: () => 'a draft',
  free: () => 'free, nothing was paid (`freeOrders`)',
  'gift-card': () => 'only gift cards were sold (`giftCards`)',
};

const inBulgarian: typeof words = {
  trial: () => 'магазинът е в проба: нищо не се изпраща (`orderbridge start-recording`)',
  'before-record-from': (paidAt, { recordFrom }) => `платена в ${paidAt}, преди recordFrom ${recordFrom} (\`settings\` го променя)`,
  disconnected: (paidAt, { gaps }) => {
    const gap = gapAt(paidAt, gaps);
    const when = gap === undefined ? '' : ` (от ${gap.from} до ${gap.until}; \`orderbridge backfill\` приема такива поръчки)`;
    return `платена в ${paidAt}, докато магазинът е бил изключен${when}`;
  },
  test: () => 'пробна поръчка',
  draft: () => 'чернова',
  free: () => 'безплатна, нищо не е платено (`freeOrders`)',
  'gift-card': () => 'продадени са само ваучери (`giftCards`)',
};

/** Why an order is ignored, in words with ISO instants; null: it is not, by today's settings. */
export function ignoredWords({ facts }: Pick<KeptOrder, 'facts'>, why: NothingReason, span: Span): Said | null {
  const paidAt = viewOf({ ...facts, customer: noFacts.customer })?.paidAt;
  if (paidAt === undefined || !isIgnored(why)) return null;
  const at = new Date(paidAt).toISOString();
  return { en: words[why](at, span), bg: inBulgarian[why](at, span) };
}

function isIgnored(why: NothingReason): why is Ignored {
  return why in words;
}

function gapWords(paidAt: string, gaps: Span['gaps']): string {
  const gap = gapAt(paidAt, gaps);
  return gap === undefined ? '' : ` (from ${gap.from} until ${gap.until}; \`orderbridge backfill\` takes such orders in)`;
}

function gapAt(paidAt: string, gaps: Span['gaps']): Span['gaps'][number] | undefined {
  const at = Date.parse(paidAt);
  return gaps.find(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
}
