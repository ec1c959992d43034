import { MOST_COUNTED, type StoreFigures, settingGaps, storeFigures } from '../../bridge/ledger/store-figures.ts';
import { type ConnectionReport, describeConnections } from './list-connections.ts';
import { apiOf, type ShownStore, type ValueGap, valueGap } from './show-store.ts';

/** `figures`: as they were a moment ago; looked up if absent. */
type Deps = Parameters<typeof describeConnections>[0] & { figures?: () => Promise<StoreFigures> };

/** A store in the list of all. `recorded`, `asked`: orders of the last 24 hours; `waiting`: for a person, now. */
export type StoreInList = ConnectionReport & {
  api: ShownStore['api'];
  /** `listedAt` null: its webhooks are not listed. `problems`: topics whose webhook does not work. */
  webhooks: { listedAt: string | null; problems: string[]; error: string | null };
  figures: { recorded: number; asked: number; waiting: number };
  gapsOfSettings: ValueGap[];
};

/** `isMore`: of some figure there are more than `most`, and not all are counted. */
export type StoreList = { stores: StoreInList[]; isMore: boolean; most: number };

/** Every store, live ones first. */
export async function listStores(deps: Deps, base: string): Promise<StoreList> {
  const [described, figures, gaps] = await Promise.all([
    describeConnections(deps, base),
    deps.figures?.() ?? storeFigures(deps.pool),
    settingGaps(deps.pool, null),
  ]);
  const { recorded, asked, waiting } = figures;
  const stores = described.map(({ connection, report, watch }): StoreInList => {
    const { id } = connection;
    const wrong = (watch?.problems ?? []).filter(({ kind }) => kind !== 'left-over' && kind !== 'not-arriving');
    return {
      ...report,
      api: apiOf(connection),
      webhooks: { listedAt: watch?.listedAt ?? null, problems: wrong.map(({ topic }) => topic), error: watch?.error ?? null },
      figures: { recorded: recorded.counts.get(id) ?? 0, asked: asked.counts.get(id) ?? 0, waiting: waiting.counts.get(id) ?? 0 },
      gapsOfSettings: gaps.filter(({ connectionId }) => connectionId === id).map(valueGap),
    };
  });
  const isLive = ({ state }: StoreInList) => state === 'connected';
  return {
    stores: [...stores.filter(isLive), ...stores.filter((one) => !isLive(one))],
    isMore: recorded.isMore || asked.isMore || waiting.isMore,
    most: MOST_COUNTED,
  };
}
