import type { Connection } from '../../bridge/connections/connection.ts';
import { writtenSettings } from '../../bridge/ledger/connections/connection-settings.ts';
import { type KeptOutboxJob, type KeptRequest, outboxJobsOfOrder, requestsOfOrder } from '../../bridge/ledger/connections/request-log.ts';
import { deliveriesOfOrder, type KeptDelivery } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { type KeptOrder, ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { issueKeyOf } from '../../bridge/ledger/review/review-groups.ts';
import { type NotTaken, type ResolvedAs, whyNotTaken } from '../../bridge/order/decisions/wanted.ts';
import { missingSettings } from '../../bridge/order/facts/failure.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type Activity, authors, listActivity } from '../activity/list-activity.ts';
import { checkedSettings, withSettings } from '../connections/change-settings.ts';
import { editedSettings } from '../connections/edited-settings.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type OrderReport, orderReport, withoutBuyer } from '../orders/order-report.ts';
import { isOpen, mappingAnew } from '../orders/reevaluate-order.ts';
import { pausedOrders } from '../orders/why-not-sent.ts';
import { orderToCheck } from '../review/check-one.ts';
import { type Chosen, changesFor } from '../review/chosen-settings.ts';
import { groupId, type IssueGroup } from '../review/issue-group.ts';
import { type DocumentOf, documentOf } from '../service/recorded-orders.ts';
import { type OrderSources, orderSources } from './order-sources.ts';

/** Something that happened to an order. `name`: of the person who did it. */
export type Happened =
  | { is: 'webhook'; at: string; delivery: KeptDelivery }
  | { is: 'request'; at: string; request: KeptRequest }
  | { is: 'outbox-job'; at: string; outboxJob: KeptOutboxJob }
  | { is: 'act'; at: string; act: Activity; name: string | null };

/** All about one order that anybody may see who may see orders: without the buyer. */
export type OrderDetail = {
  report: OrderReport;
  revision: number;
  /** Of the step whose outcome only a person can find out. */
  inDoubt: { kind: 'create' | 'delete'; at: string; complianceId: string | null } | null;
  store: Pick<Connection, 'id' | 'shopId' | 'name' | 'settings'>;
  /** Where the store shows it; null: not known. */
  storeAddress: string | null;
  sources: OrderSources;
  document: DocumentOf | null;
  happened: readonly Happened[];
  /** The words of a person that it may be decided by. */
  may: ReadonlySet<ResolvedAs>;
  /** The issue that it waits for with others, by its id in addresses, and whether a setting answers it; null: nobody is asked about it. */
  group: { id: string; isSetting: boolean } | null;
  /** Today's settings would record something else than stands, and its month is open. */
  isAnew: boolean;
};

type Deps = { pool: Pool; connections: FindConnection };

const MOST_ACTS = 200;

/** Null: there is none, or not of these shops. `shops` null: of any. */
export async function readOrderDetail(deps: Deps, id: number, shops: readonly string[] | null): Promise<OrderDetail | null> {
  const { pool, connections } = deps;
  const [kept] = await ordersOfIds(pool, [id]);
  if (kept === undefined || (shops !== null && !shops.includes(kept.shopId))) return null;
  const view = withoutBuyer(kept);
  const { complianceId } = view;
  const [deliveries, requests, connection, document, issueKey] = await Promise.all([
    deliveriesOfOrder(pool, id),
    requestsOfOrder(pool, id),
    knownConnection(connections, view.connectionId),
    complianceId === null ? null : documentOf({ pool }, complianceId),
    issueKeyOf(pool, id),
  ]);
  const pauses = await pausedOrders(pool, [view], [connection]);
  const report = orderReport({ view, connection, deliveries, steps: requests, pause: pauses.get(id) ?? null });
  return {
    report,
    revision: view.revision,
    inDoubt: doubtOf(view, requests),
    store: connection,
    storeAddress: addressOf(view, connection),
    sources: orderSources(view, report),
    document,
    happened: await story(deps, { id, deliveries, requests }),
    may: wordsOf(view),
    group: issueKey === null ? null : { id: groupId(issueKey), isSetting: missingSettings(issueKey.code, issueKey.pattern).length > 0 },
    isAnew: (document === null || isOpen(document)) && mappingAnew(view, connection) !== null,
  };
}

function doubtOf({ state, openStep }: KeptOrder, requests: readonly KeptRequest[]): OrderDetail['inDoubt'] {
  if (state !== 'unconfirmed' || openStep === null) return null;
  const at = requests.find(({ seq }) => seq === openStep.seq)?.at ?? '';
  return { kind: openStep.kind, at, complianceId: openStep.kind === 'delete' ? openStep.complianceId : null };
}

const WORDS = ['recorded', 'not-a-sale', 'elsewhere', 'kept', 'removed'] as const satisfies ResolvedAs[];

function wordsOf({ state, review, complianceId, openStep }: KeptOrder): ReadonlySet<ResolvedAs> {
  const found = { state, code: review?.code ?? null, complianceId, isStepOpen: openStep !== null };
  const isTaken = (why: NotTaken | null) => why === null;
  return new Set(WORDS.filter((how) => isTaken(whyNotTaken(found, how))));
}

function addressOf({ platform, store, orderId }: KeptOrder, { access }: Connection): string | null {
  const page = storefrontOf(storefronts, platform).orderPage;
  return page?.({ store, url: access?.url ?? null, orderId: orderId.replace(/~\d+$/, '') }) ?? null;
}

type Parts = { id: number; deliveries: readonly KeptDelivery[]; requests: readonly KeptRequest[] };

async function story({ pool, connections }: Deps, { id, deliveries, requests }: Parts): Promise<Happened[]> {
  const [acts, outboxJobs, names] = await Promise.all([
    listActivity({ pool, connections }, { order: `id:${id}`, limit: MOST_ACTS }),
    outboxJobsOfOrder(pool, id),
    authors({ pool }),
  ]);
  const all: Happened[] = [
    ...deliveries.map((delivery) => ({ is: 'webhook' as const, at: delivery.arrivedAt, delivery })),
    ...requests.map((request) => ({ is: 'request' as const, at: request.at, request })),
    ...outboxJobs.map((outboxJob) => ({ is: 'outbox-job' as const, at: outboxJob.madeAt, outboxJob })),
    ...acts.map((act) => ({ is: 'act' as const, at: act.at, act, name: names.get(act.who) ?? null })),
  ];
  return all.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** The order that would go first, with the record as it would be. */
export type AnswerPreview = { report: OrderReport; sources: OrderSources };

/** What the order of a group that would go first would be recorded as, if this were chosen; `again` as in a check. Reads only. */
export async function previewAnswer(
  { pool, connections }: { pool: Pool; connections: FindConnection },
  { group, chosen, again }: { group: IssueGroup; chosen: readonly Chosen[]; again: string | null },
): Promise<AnswerPreview | null> {
  const { id } = await orderToCheck(pool, group, again);
  const [order] = await ordersOfIds(pool, [id]);
  const connection = await knownConnection(connections, group.connectionId);
  const written = await writtenSettings(pool, connection.id);
  if (order === undefined || written === null) return null;
  const after = withSettings(connection, checkedSettings(written, editedSettings(written.settings, changesFor(connection, chosen))));
  const view = withoutBuyer(order);
  const report = orderReport({ view, connection: after, deliveries: [], steps: [] });
  // Against the store alone: what is recorded by now is not what would be.
  return { report, sources: orderSources(view, { ...report, record: null, state: 'unconfirmed' }) };
}
