import { failureWords } from '../order/facts/failure.ts';
import type { Knowledge } from './compare-summary.ts';

/** What is not as it should be of one order: the store, the ledger, the compliance service and the month's file should agree. */
export const KINDS = ['unknown-here', 'stale-here', 'older-there', 'gone-there', 'not-recorded', 'record-differs', 'record-unknown', 'not-in-file'] as const;
export type DifferenceKind = (typeof KINDS)[number];

/** Decimal text with VAT. */
export type Money = { currency: string; total: string };

/**
 * What the store has. `paid`: what of it should be recorded, as far as the list says; null: nothing. `isOlder`: it gave a later state before. `known`: the
 * ledger knows that it is gone.
 */
export type StoreFinding = { is: 'unread' } | { is: 'gone'; known: boolean } | { is: 'there'; knowledge: Knowledge; isOlder?: true; paid: Money | null };

/** What the ledger has. `isRight`: the current record is the wanted one. `code`: why a person or a pause has the order, or its state. */
export type LedgerFinding = { wanted: 'record' | 'nothing' | 'person'; current: Money | null; isRight: boolean; code: string | null };

/**
 * What the service has for the order. same, differs: its current record. none: not that one. found: a record of this very sale that the order does not
 * stand for. other: a record under its id, made at another moment.
 */
export type ServiceFinding = 'unread' | 'none' | 'same' | 'differs' | 'found' | 'other';

/** Of a recorded order, in the newest version of its month's file. left: the file lists it, though it is recorded no more. */
export type FileFinding = 'unread' | 'listed' | 'missing' | 'differs' | 'left';

/** One order, or (`ledger` null) one that the ledger does not know. */
export type Compared = { store: StoreFinding; ledger: LedgerFinding | null; service: ServiceFinding; file: FileFinding };

/** Which words say what is done about it: see `differenceWords`. */
export const WHYS = [
  ...(['unknown', 'stale', 'older', 'gone', 'gone-person', 'adopt', 'conflict', 'record-gone', 'waits', 'person', 'replace', 'other-content'] as const),
  ...(['other-money', 'unclaimed', 'file-missing', 'file-differs', 'file-left'] as const),
] as const;
export type Why = (typeof WHYS)[number];

export type FoundDifference = { kind: DifferenceKind; why: Why };

/** The first difference that explains the others; null: all agree, or the order counts nowhere. Pure and total. */
export function differenceOf({ store, ledger, service, file }: Compared): FoundDifference | null {
  if (ledger === null) return unknownOrder(store, service) ?? byFile(file);
  return byStore(store, ledger) ?? byRecord(ledger, service) ?? byAge(store, ledger) ?? byMoney(store, ledger) ?? byFile(file);
}

function unknownOrder(store: StoreFinding, service: ServiceFinding): FoundDifference | null {
  if (store.is === 'there' && store.paid !== null) return { kind: 'unknown-here', why: 'unknown' };
  return service === 'found' || service === 'other' ? { kind: 'record-unknown', why: 'unclaimed' } : null;
}

function byStore(store: StoreFinding, { wanted, current }: LedgerFinding): FoundDifference | null {
  if (store.is === 'unread') return null;
  if (store.is === 'there') {
    const counts = store.paid !== null || current !== null;
    return store.knowledge !== 'known' && counts ? { kind: 'stale-here', why: 'stale' } : null;
  }
  if (!store.known && (current !== null || wanted !== 'nothing')) return { kind: 'gone-there', why: 'gone' };
  return store.known && wanted === 'person' ? { kind: 'not-recorded', why: 'gone-person' } : null;
}

function byRecord(ledger: LedgerFinding, service: ServiceFinding): FoundDifference | null {
  const { wanted, current, isRight } = ledger;
  if (current === null) return withoutRecord(ledger, service);
  if (service === 'found') return { kind: 'record-differs', why: 'adopt' };
  if (service === 'none' || service === 'other')
    return wanted === 'nothing' ? { kind: 'record-differs', why: 'replace' } : { kind: 'not-recorded', why: 'record-gone' };
  if (wanted === 'person') return { kind: 'not-recorded', why: 'person' };
  if (!isRight) return ledger.code === null ? { kind: 'record-differs', why: 'replace' } : { kind: 'not-recorded', why: 'person' };
  return service === 'differs' ? { kind: 'record-differs', why: 'other-content' } : null;
}

function withoutRecord({ wanted, code }: LedgerFinding, service: ServiceFinding): FoundDifference | null {
  if (wanted === 'nothing') return service === 'found' ? { kind: 'record-unknown', why: 'adopt' } : null;
  if (service === 'found') return { kind: 'not-recorded', why: 'adopt' };
  if (service === 'other') return { kind: 'not-recorded', why: 'conflict' };
  return { kind: 'not-recorded', why: code === null ? 'waits' : 'person' };
}

function byAge(store: StoreFinding, { current }: LedgerFinding): FoundDifference | null {
  if (store.is !== 'there' || store.isOlder !== true || (store.paid === null && current === null)) return null;
  return { kind: 'older-there', why: 'older' };
}

function byMoney(store: StoreFinding, { current }: LedgerFinding): FoundDifference | null {
  if (store.is !== 'there' || current === null) return null;
  const { paid } = store;
  const isSame = paid !== null && paid.currency === current.currency && Number(paid.total) === Number(current.total);
  return isSame ? null : { kind: 'record-differs', why: 'other-money' };
}

function byFile(file: FileFinding): FoundDifference | null {
  if (file === 'left') return { kind: 'not-in-file', why: 'file-left' };
  if (file === 'missing') return { kind: 'not-in-file', why: 'file-missing' };
  return file === 'differs' ? { kind: 'not-in-file', why: 'file-differs' } : null;
}

/** `complianceId`: of the record in question. `code`: why a person or a pause has the order. `isReadable`: the store was read, so that its facts are of now. */
type About = { order: string; complianceId: string | null; code: string | null; isReadable: boolean };

/** What is done about a difference, or what to do; only the command line says it. */
export function differenceWords(why: Why, about: About): string {
  return ((about.isReadable ? undefined : unread[why]) ?? words[why])(about);
}

const words: Record<Why, (about: About) => string> = {
  unknown: () => 'It is read from the store and recorded.',
  stale: () => 'It changed in the store after the last news that the ledger has of it: it is read again, and its record follows.',
  older: () =>
    'The store shows an older state of it than it gave before, such as after a backup was restored: what is recorded stays. Do again in the store what is missing there, such as a refund; or, if it never took place, save the order there, and its record follows.',
  gone: () => 'It is gone from the store, which didn’t report it: it is treated as a deleted order.',
  'gone-person': (about) => `The store has it no more. ${asked(about)}`,
  adopt: ({ complianceId }) => `The service has the record ${complianceId} of this very sale: the ledger takes it as its own, and replaces it if it differs.`,
  conflict: ({ complianceId, order }) =>
    `The service has the record ${complianceId} under its id, made for a sale of another moment: look whose it is, then \`orderbridge release ${order} --other\`, or delete it there.`,
  'record-gone': ({ complianceId }) => `The service no longer has its record ${complianceId}: it is recorded again.`,
  waits: () => 'It is being recorded.',
  person: asked,
  replace: () => 'Its record is being replaced or deleted.',
  'other-content': ({ complianceId }) =>
    `The record ${complianceId} at the service has other content than the ledger sent: compare both, and correct it there.`,
  'other-money': () => 'What the customer paid and kept by the store’s list is not what is recorded: compare both.',
  unclaimed: ({ complianceId }) =>
    `No order of the ledger or the store belongs to the record ${complianceId}. Made by other software or by hand: leave it; else delete it there.`,
  'file-missing': () => 'It was recorded after the newest version of the month’s file was made: make a new version.',
  'file-left': () => 'The newest version of the month’s file lists it, although it is no longer recorded: make a new version.',
  'file-differs': () => 'The newest version of the month’s file lists another amount: make a new version.',
};

// Without the store nobody knows whether the ledger's facts are of now, so nothing is decided by them.
const unread: Partial<Record<Why, (about: About) => string>> = {
  adopt: ({ complianceId }) =>
    `The service has the record ${complianceId} of this sale. The store was not read, so the ledger takes it as its own only if its content is the same: send the order again from the store, then reconcile once more.`,
  'record-gone': ({ complianceId }) =>
    `The service no longer has its record ${complianceId}. The store was not read, so nothing is recorded again: send the order again from the store.`,
};

function asked({ code, order }: About): string {
  if (code === null) return 'It waits.';
  if (code === 'unconfirmed') return `It is not known whether it was recorded: \`orderbridge confirm ${order}\` says so.`;
  return failureWords(code).todo.replaceAll('ORDER', order);
}
