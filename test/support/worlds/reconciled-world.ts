import { openQueues } from '../../../src/app/queues.ts';
import { openReconcile } from '../../../src/app/reconcile-access.ts';
import { reconcile } from '../../../src/operations/reconciliation/reconcile.ts';
import type { ReconcileDeps } from '../../../src/operations/reconciliation/reconcile-deps.ts';
import { type Reconciled, reconciledDto } from '../../../src/operations/reconciliation/report.ts';
import { type WindowInput, windowOf } from '../../../src/operations/reconciliation/window.ts';
import { BY } from '../../support/samples/by.ts';
import type { Bridge, Connected } from './bridge.ts';
import type { ListedShop } from './listed-shop.ts';

export type Reconciling = WindowInput & { dryRun?: boolean; shop: ListedShop | null };

/** What the command uses, beside a running bridge. */
export async function reconcileDeps(bridge: Bridge, shop: ListedShop | null): Promise<ReconcileDeps & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const queues = setup.use(openQueues(bridge.app.core));
  const deps = setup.use(await openReconcile(bridge.app.core, queues, { signal: new AbortController().signal, by: BY }));
  const owned = setup.move();
  return { ...deps, openStore: async (connection) => shop?.opened(connection) ?? null, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** `orderbridge reconcile` of one connection whose store sells in one currency. */
export async function reconciled(bridge: Bridge, { connection }: Pick<Connected, 'connection'>, { shop, dryRun = false, ...window }: Reconciling) {
  await using deps = await reconcileDeps(bridge, shop);
  const fresh = (await bridge.app.core.connections.find(connection.id)) ?? connection;
  const { signal } = new AbortController();
  const input = { window: windowOf(window, Date.now()), dryRun, timeoutMs: 20_000, signal, onRead: () => undefined };
  const { results, isWhole } = await reconcile(deps, fresh, input);
  const [first, ...others] = results;
  if (first === undefined || others.length > 0) throw new Error(JSON.stringify(results));
  return { ...reconciledDto(first), isWhole, kinds: kindsOf(first) };
}

function kindsOf({ differences }: Reconciled): string[] {
  return differences.map(({ kind, orderId, code }) => `${orderId} ${kind}${code === null ? '' : ` ${code}`}`).toSorted();
}
