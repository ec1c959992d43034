import { z } from 'zod';
import type { Lang } from '../../contract/messages.ts';
import { errorWords } from '../../platform/error-words.ts';
import { DONE, type JobEnd } from '../../platform/jobs/job-kind.ts';
import type { Job } from '../../platform/jobs/job-store.ts';
import type { Connection } from '../connections/connection.ts';
import type { OrderNotes, StoreAccess, Storefronts, StoreMeans } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/registry.ts';
import { calledStore } from '../storefronts/store-host.ts';
import type { CallEnd, StoreCalls } from './store-calls.ts';

export const storeNote = z.object({
  orderRef: z.int(),
  id: z.int(),
  orderId: z.string(),
  state: z.enum(['recorded', 'replaced', 'removed', 'unrecorded', 'review']),
  code: z.string().nullable(),
  detail: z.string().nullable(),
  complianceId: z.string().nullable(),
  destinationId: z.string().nullable(),
  triedMs: z.number().nullable(),
});

/**
 * A change of an order of which its store gets a note. `orderId`: the platform's. `code`: why it needs review, null if it is unconfirmed; `detail`: the words
 * of that, while it is why. `triedMs`: how long ago a call began that may have written it; null: none did.
 */
export type StoreNote = z.output<typeof storeNote>;

/** The changes of a connection's orders that wait for their note. */
export type NoteLedger = {
  /** Some of them, the oldest first, those of orders that were tried last; of an order they are in order. */
  waiting(connectionId: string): Promise<StoreNote[]>;
  /** A call that writes it begins. False: the job is another process's by now. */
  begin(job: Job, note: StoreNote): Promise<boolean>;
  written(note: StoreNote): Promise<void>;
  drop(connectionId: string): Promise<void>;
};

export type StoreNotesDeps = {
  ledger: NoteLedger;
  stores: StoreCalls;
  storefronts: Storefronts;
  /** Past the cache. */
  connection(id: string): Promise<Connection | null>;
  means(connection: Connection, fetchJson: StoreMeans['fetchJson']): Promise<StoreMeans>;
  /** The merchant's. */
  lang(connectionId: string): Promise<Lang>;
  /** The whole note, which ends with `noteMark`. */
  text(note: StoreNote, lang: Lang, signal: AbortSignal): Promise<string>;
  /** We may not write: notes are off from now on. */
  switchOff(connectionId: string, why: string): Promise<void>;
  /** A call may reach the store's database so long after it began. */
  settleMs: number;
};

/** What tells one change from any other: the same in each try of its note. */
function changeOf({ orderRef, id }: Pick<StoreNote, 'orderRef' | 'id'>): string {
  return `${orderRef}-${id}`;
}

/** The last line of a note, by which programs in the store read the state. */
export function noteMark(note: Pick<StoreNote, 'orderRef' | 'id' | 'state'>, document: string | null): string {
  return `(orderbridge: ${note.state} ${document ?? '-'} ${changeOf(note)})`;
}

/** So many orders whose note failed say that it is not the order. */
const MOST_FAILURES = 3;
const LATER_MS = 1_000;
const LATER: JobEnd = { is: 'waits', ms: LATER_MS };

type NotedStore = { connection: Connection; access: StoreAccess; notes: OrderNotes };
type Writing = NotedStore & { deps: StoreNotesDeps; lang: Lang; job: Job; signal: AbortSignal };

/** Writes the notes of the connection whose job it is, one after the other. */
export async function writeNotes(deps: StoreNotesDeps, job: Job, signal: AbortSignal): Promise<JobEnd> {
  const store = await notedStore(deps, job.key);
  if (store === null) {
    await deps.ledger.drop(job.key);
    return DONE;
  }
  const waiting = await deps.ledger.waiting(job.key);
  if (waiting.length === 0) return DONE;
  const left = await writeWaiting({ ...store, deps, lang: await deps.lang(job.key), job, signal }, waiting);
  return left ?? { is: 'again', ms: 0 };
}

/** Where its document number is; null: it has none. */
function serviceOf({ complianceId, destinationId }: StoreNote): string | null {
  return complianceId === null ? null : destinationId;
}

/** Null: all are written. */
async function writeWaiting(writing: Writing, waiting: readonly StoreNote[]): Promise<JobEnd | null> {
  const left = new Map<number, JobEnd>();
  const unread = new Map<string | null, NoteEnd>();
  let failures = 0;
  for (const note of waiting) {
    // Those of one order are in order.
    if (left.has(note.orderRef)) continue;
    const service = serviceOf(note);
    const ended = unread.get(service) ?? (await writeNote(writing, note));
    const { end, waits } = ended;
    if (end.is !== 'done') left.set(note.orderRef, end);
    if (waits === 'service') unread.set(service, ended);
    else if (end.is === 'failed') failures += 1;
    if (waits === 'store' || failures === MOST_FAILURES) return end;
  }
  const [first] = left.values();
  return first ?? null;
}

/** Null: its orders get no notes. */
async function notedStore({ connection: find, storefronts }: StoreNotesDeps, id: string): Promise<NotedStore | null> {
  const connection = await find(id);
  if (connection === null || connection.closedAt !== null || !connection.settings.notes || connection.access === null) return null;
  const notes = storefrontOf(storefronts, connection.platform).api?.orderNotes;
  return notes === undefined ? null : { connection, access: connection.access, notes };
}

/** `waits`: the other notes of this order, of the compliance service that could not be read, or all of the store. */
type NoteEnd = { end: JobEnd; waits: 'order' | 'service' | 'store' };

async function writeNote(writing: Writing, note: StoreNote): Promise<NoteEnd> {
  const { deps, connection, access, lang, job, signal } = writing;
  const settles = note.triedMs === null ? 0 : deps.settleMs - note.triedMs;
  if (settles > 0) return { end: { is: 'waits', ms: settles }, waits: 'order' };
  const text = await deps.text(note, lang, signal).catch((thrown: unknown) => ({ failed: errorWords(thrown) }));
  if (typeof text !== 'string') return { end: { is: 'failed', why: text.failed, afterMs: null }, waits: 'service' };
  const called = await deps.stores.call(
    calledStore(connection.id, access),
    async (fetchJson) => call(writing, { note, text }, await deps.means(connection, fetchJson)),
    signal,
  );
  if (called.kind !== 'read') return notCalled(called);
  if (called.value === 'taken') return { end: LATER, waits: 'store' };
  if (typeof called.value === 'string') {
    await deps.ledger.written(note);
    return { end: DONE, waits: 'order' };
  }
  await deps.switchOff(job.key, called.value.refused);
  await deps.ledger.drop(job.key);
  return { end: DONE, waits: 'store' };
}

/** Of a call before nobody knows what became: it is repeated only if the store can be read, and has no such note. */
async function call({ deps, access, notes, job }: Writing, { note, text }: { note: StoreNote; text: string }, means: StoreMeans) {
  const { orderId, triedMs } = note;
  // Those that can't be looked for go behind the others, too.
  if (triedMs !== null && !(await deps.ledger.begin(job, note))) return 'taken';
  const found = triedMs === null ? false : await notes.has(access, { orderId, words: ` ${changeOf(note)})` }, means);
  if (found !== false) return found === null ? 'gone' : 'written';
  return (await deps.ledger.begin(job, note)) ? notes.write(access, { orderId, text }, means) : 'taken';
}

function notCalled(called: Exclude<CallEnd<unknown>, { kind: 'read' }>): NoteEnd {
  if (called.kind === 'full') return { end: LATER, waits: 'store' };
  if (called.kind === 'paused') return { end: { is: 'waits', ms: Math.max(LATER_MS, called.pause.leftMs) }, waits: 'store' };
  const { failure, pause } = called;
  const afterMs = pause === null ? null : Math.max(0, pause.leftMs);
  return { end: { is: 'failed', why: failure.message, afterMs }, waits: pause === null ? 'order' : 'store' };
}
