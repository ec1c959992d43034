import { notesSwitchedOff } from '../bridge/bridge-events.ts';
import type { RecordReader } from '../bridge/client/port.ts';
import { NOTES_WARNING } from '../bridge/connections/connection.ts';
import { type StoreNote, type StoreNotesDeps, writeNotes } from '../bridge/delivery/store-notes.ts';
import { listOnboardings } from '../bridge/ledger/invitations/onboarding-store.ts';
import { createNoteLedger } from '../bridge/ledger/store-note-store.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { noteText } from '../operations/note-text.ts';
import { PROGRAM } from '../platform/audit-log/audit-log.ts';
import { eachUnlessStopped, type Run } from '../platform/jobs/job-kind.ts';
import type { Core } from './core.ts';
import type { Endpoints } from './gateway.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';

/** Longer than any call of a store. */
const SETTLE_MS = 30_000;

/** Where document numbers are. */
type Records = { client: Pick<RecordReader, 'readRecord'>; endpoints: Endpoints };

/** Writes what became of orders into their stores. */
export function noteRun(core: Core, storefronts: Storefronts, records: Records): Run {
  const { connections, config, log, pool, recording } = core;
  const keys = openStoreKeys(core);
  const deps: StoreNotesDeps = {
    ...{ ledger: createNoteLedger(pool), stores: openStoreCalls(core), storefronts },
    connection: (id) => connections.find(id),
    means: (connection, fetchJson) => storeMeans(connection, { fetchJson, now: Date.now(), ...keys }),
    lang: async (connection) => (await listOnboardings(pool, { connection, limit: 1 }))[0]?.lang ?? 'bg',
    text: async (note, lang, signal) => noteText(note, { document: await documentOf(records, note, signal), lang }),
    async switchOff(id, why) {
      // After a kill in between it is done again.
      await connections.warn(id, NOTES_WARNING, `notes at its orders are off since the store refused one: ${why}`);
      await connections.changeSettings(id, { by: PROGRAM, why, edit: ({ settings }) => ({ ...settings, notes: false }) });
      notesSwitchedOff(log, { connectionId: id, why });
    },
    settleMs: SETTLE_MS * config.retryScale,
  };
  return eachUnlessStopped(recording, (job, signal) => writeNotes(deps, job, signal));
}

/** Null: it has no record, or one that is gone by now, or the service lists none. */
async function documentOf({ client, endpoints }: Records, { destinationId, complianceId }: StoreNote, signal: AbortSignal): Promise<string | null> {
  if (destinationId === null || complianceId === null) return null;
  const record = await client.readRecord(await endpoints(destinationId), complianceId, signal);
  return record === null || record === 'not-listed' ? null : record.documentNumber;
}
