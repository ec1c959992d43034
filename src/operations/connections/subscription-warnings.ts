import type { Connection } from '../../bridge/connections/connection.ts';
import type { WatchState } from '../../bridge/ledger/watch-store.ts';
import type { KeptProblem } from '../../bridge/reconciliation/watch-ledger.ts';

/** What a person should know of the webhooks of a live connection's store. `wrong`: some do not come at all. `remarks`: worth knowing. */
export type SubscriptionWarnings = { wrong: string[]; remarks: string[] };

export function subscriptionWarnings({ id, closedAt }: Pick<Connection, 'id' | 'closedAt'>, state: WatchState | undefined): SubscriptionWarnings {
  if (state === undefined || closedAt !== null) return { wrong: [], remarks: [] };
  const { problems, error } = state;
  const alike = Map.groupBy(problems, ({ words }) => words);
  const all = [...alike.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const topics = of.map(({ topic }) => topic).join(', ');
    return [{ kind: first.kind, words: `webhooks of ${topics}: ${first.words}; \`orderbridge subscriptions ${id}\` says what to do` }];
  });
  const isRemark = ({ kind }: Pick<KeptProblem, 'kind'>) => kind === 'left-over' || kind === 'not-arriving';
  const wrong = all.filter((one) => !isRemark(one)).map(({ words }) => words);
  const remarks = all.filter(isRemark).map(({ words }) => words);
  return { wrong, remarks: error === null ? remarks : [...remarks, `its webhooks can’t be listed (${error})`] };
}
