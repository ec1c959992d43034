import type { Connection } from '../../bridge/connections/connection.ts';
import { endWays } from '../../bridge/ledger/onboarding-store.ts';
import { recordedElsewhereUntil } from '../../bridge/ledger/trial-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { startMoment } from '../trial/preview-start.ts';
import { startRecording } from '../trial/start-recording.ts';
import type { Onboarding } from './onboarding.ts';

type Deps = { pool: Pool; now(): Date } & Parameters<typeof startRecording>[0];
type OfStore = Pick<Onboarding, 'connectionId'>;

/** Until when the store was recorded for another company, whose those orders are; null: it was not. ISO instant. */
export function otherCompanyUntil({ pool }: { pool: Pool }, connection: Connection): Promise<string | null> {
  return recordedElsewhereUntil(pool, connection);
}

/** Ends the trial of the store that a merchant connected, and his way with it. `from`: now, month, a day, or an instant. */
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
