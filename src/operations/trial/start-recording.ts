import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Started } from '../../bridge/ledger/trial-store.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { requireLive } from '../connections/reconnect-store.ts';
import { Refusal } from '../refusal.ts';

type Deps = { connections: FindConnection & { startRecording(id: string, from: string, said: Said): Promise<Started | null> }; notify: Notify };

/** `again`: how many orders that the trial left out are decided again. */
export type Recording = { connection: Connection; again: number };

/**
 * Ends the trial of a connection: orders paid from then on (an ISO instant) are recorded, those that came before by being decided again, and those that
 * only the store has by its being read since then.
 */
export async function startRecording({ connections, notify }: Deps, { id: named, from, ...said }: Said & { id: string; from: string }): Promise<Recording> {
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
  return new Refusal(
    'conflict',
    { en: `${name} is not on trial: it is recorded since ${recordFrom}`, bg: `${name} не е в проба: отчита се от ${recordFrom}` },
    {
      advice: {
        en: `\`orderbridge backfill ${id}\` takes in orders from before`,
        bg: `\`orderbridge backfill ${id}\` приема поръчки отпреди това`,
      },
    },
  );
}
