import type { Connection } from '../../bridge/connections/connection.ts';
import { newestOrders } from '../../bridge/ledger/left-out-orders.ts';
import { endWays } from '../../bridge/ledger/onboarding-store.ts';
import { recordedElsewhereUntil } from '../../bridge/ledger/trial-store.ts';
import type { NothingReason } from '../../bridge/order/decisions/desired.ts';
import { moneyOf } from '../../bridge/reconciliation/order-words.ts';
import { toDto } from '../../contract/order-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type OrderSources, orderSources } from '../order-detail/order-sources.ts';
import { sumWords } from '../orders/sum-words.ts';
import { Refusal } from '../refusal.ts';
import { startMoment } from '../trial/preview-start.ts';
import { startRecording } from '../trial/start-recording.ts';
import { type SeenOrder, termsIfStarted, wantedFor } from './dry-run.ts';
import type { Onboarding } from './onboarding.ts';

type Deps = { pool: Pool; now(): Date } & Parameters<typeof startRecording>[0];
type OfStore = Pick<Onboarding, 'connectionId'>;

/** Until when the store was recorded for another company, whose those orders are; null: it was not. ISO instant. */
export function otherCompanyUntil({ pool }: { pool: Pool }, connection: Connection): Promise<string | null> {
  return recordedElsewhereUntil(pool, connection);
}

/** Ends the trial of the store that a merchant connected, and their way with it. `from`: now, month, a day, or an instant. */
export async function startStore(deps: Deps, { connectionId }: OfStore, { from, by }: { from: string; by: Actor }): Promise<void> {
  if (connectionId === null) return;
  const moment = startMoment(from, deps.now());
  const connection = await deps.connections.find(connectionId);
  const until = connection === null ? null : await otherCompanyUntil(deps, connection);
  if (until !== null && Date.parse(moment) < Date.parse(until)) throw recordedElsewhere(until);
  await startRecording(deps, { id: connectionId, from: moment, by });
}

/** What was sold until then is another company's: it would be reported twice. */
function recordedElsewhere(until: string): Refusal {
  return new Refusal(
    'conflict',
    { en: `until ${until} this store was recorded for another company`, bg: `до ${until} този магазин се отчиташе за друга фирма` },
    {
      advice: {
        en: 'choose a later day; if that company should not have recorded it, write to whoever sent you the link',
        bg: 'изберете по-късен ден; ако онази фирма не е трябвало да го отчита, пишете на този, който ви изпрати връзката',
      },
    },
  );
}

/** The way is done: also where the store recorded before the way knew it. */
export async function endWay({ pool }: { pool: Pool }, { connectionId }: OfStore): Promise<void> {
  if (connectionId !== null) await endWays(pool, connectionId);
}

/** An order that came as a webhook. `sum`: what would be recorded; null: nothing, and `code` or `why` says why. */
export type CameOrder = { number: string; at: string | null; sum: string | null; code: string | null; why: NothingReason | null };

const SHOWN = 5;

/** The newest orders that came, the newest first, and what would become of them. */
export async function cameByNow({ pool }: { pool: Pool }, connection: Connection): Promise<CameOrder[]> {
  const terms = termsIfStarted(connection);
  return (await newestOrders(pool, connection.id, SHOWN)).map(({ platformId, facts }): CameOrder => {
    const wanted = wantedFor({ orderId: platformId, facts }, terms);
    return {
      number: facts.snapshot?.number ?? platformId,
      at: facts.snapshotSeenAt,
      sum: wanted.kind === 'record' ? sumWords([moneyOf(wanted.record)]) : null,
      code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
      why: wanted.kind === 'nothing' ? wanted.why : null,
    };
  });
}

/** An order line by line beside what would be recorded of it. `code`: why a person would be asked; null: nobody would be. */
export type DryRunOrder = { number: string; placedAt: string; sources: OrderSources; code: string | null };

/** The newest of these orders that should be recorded, the recordable ones first; null: none should be. `orders`: the newest first. */
export function newestDryRun(orders: readonly SeenOrder[], connection: Connection): DryRunOrder | null {
  const terms = termsIfStarted(connection);
  const all = orders.map((order) => ({ order, wanted: wantedFor(order, terms) }));
  const chosen = all.find(({ wanted }) => wanted.kind === 'record') ?? all.find(({ wanted }) => wanted.kind === 'problems');
  if (chosen === undefined) return null;
  const { order, wanted } = chosen;
  const { snapshot } = order.facts;
  const record = wanted.kind === 'record' ? toDto(wanted.record, null, connection.shopId) : null;
  return {
    number: snapshot?.number ?? order.orderId,
    placedAt: snapshot?.placedAt ?? '',
    // As if it stood, so that only the store and the record are compared.
    sources: orderSources(order, { desired: record === null ? { kind: 'problems', problems: [] } : { kind: 'record', record }, record, state: 'ignored' }),
    code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
  };
}
