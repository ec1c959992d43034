import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { recordedElsewhereUntil, type Started } from '../../bridge/ledger/connections/trial-store.ts';
import { endWays } from '../../bridge/ledger/invitations/onboarding-store.ts';
import type { Actor, Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { requireLive } from '../connections/reconnect-store.ts';
import type { Onboarding } from '../onboarding/onboarding.ts';
import { Refusal } from '../refusal.ts';
import { startMoment } from './preview-start.ts';

type Deps = { connections: FindConnection & { startRecording(id: string, from: string, said: Authorship): Promise<Started | null> }; notify: Notify };

/** `again`: how many orders that the trial left out are decided again. */
type Recording = { connection: Connection; again: number };

/**
 * Ends the trial of a connection: orders paid from then on (an ISO instant) are recorded, those that came before by being decided again, and those that
 * only the store has by its being read since then.
 */
export async function startRecording(
  { connections, notify }: Deps,
  { id: named, from, ...said }: Authorship & { id: string; from: string },
): Promise<Recording> {
  const connection = await onTrial(connections, named);
  const started = await connections.startRecording(connection.id, from, said);
  if (started === null) throw recorded(connection);
  notify(started.notices);
  return { connection: started.connection, again: started.notices.length };
}

/** The live connection on trial that somebody names; refuses another one. */
export async function onTrial(connections: FindConnection, named: string): Promise<Connection> {
  const connection = await knownConnection(connections, named);
  requireLive(connection);
  if (connection.trialSince === null) throw recorded(connection);
  return connection;
}

function recorded({ id, name, recordFrom }: Connection): Refusal {
  return new Refusal('conflict', {
    en: `${name} is not on trial: it is recorded since ${recordFrom}`,
    bg: `${name} не е в проба: отчита се от ${recordFrom}`,
    advice: `\`orderbridge backfill ${id}\` takes in orders from before`,
  });
}

type StartStoreDeps = { pool: Pool; now(): Date } & Parameters<typeof startRecording>[0];
type OfStore = Pick<Onboarding, 'connectionId'>;

/** Until when the store was recorded for another company, whose those orders are; null: it was not. ISO instant. */
export function otherCompanyUntil({ pool }: { pool: Pool }, connection: Connection): Promise<string | null> {
  return recordedElsewhereUntil(pool, connection);
}

/** Ends the trial of the store that a merchant connected, and their way with it. `from`: now, month, a day, or an instant. */
export async function startStore(deps: StartStoreDeps, { connectionId }: OfStore, { from, by }: { from: string; by: Actor }): Promise<void> {
  if (connectionId === null) return;
  const moment = startMoment(from, deps.now());
  const connection = await deps.connections.find(connectionId);
  const until = connection === null ? null : await otherCompanyUntil(deps, connection);
  if (until !== null && Date.parse(moment) < Date.parse(until)) throw recordedElsewhere(until);
  await startRecording(deps, { id: connectionId, from: moment, by });
}

/** What was sold until then is another company's: it would be reported twice. */
function recordedElsewhere(until: string): Refusal {
  return new Refusal('conflict', {
    en: `until ${until} this store was recorded for another company`,
    bg: `до ${until} този магазин се отчиташе за друга фирма`,
    advice: {
      en: 'choose a later day; if that company should not have recorded it, write to the person who sent you the link',
      bg: 'изберете по-късен ден; ако онази фирма не е трябвало да го отчита, пишете на този, който ви изпрати връзката',
    },
  });
}

/** The way is done: also where the store recorded before the way knew it. */
export async function endWay({ pool }: { pool: Pool }, { connectionId }: OfStore): Promise<void> {
  if (connectionId !== null) await endWays(pool, connectionId);
}
