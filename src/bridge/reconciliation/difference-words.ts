import type { Said } from '../../contract/said.ts';
import { failureWords } from '../order/failure.ts';
import type { Why } from './difference.ts';
import { differencesInBulgarian, unreadInBulgarian } from './differences-in-bulgarian.ts';

/** `complianceId`: of the record in question. `code`: why a person or a pause has the order. `isReadable`: the store was read, so that its facts are of now. */
export type About = { order: string; complianceId: string | null; code: string | null; isReadable: boolean };

/** What is done about a difference, or what to do. */
export function differenceWords(why: Why, about: About): Said {
  const without = about.isReadable ? null : { en: unread[why], bg: unreadInBulgarian[why] };
  return { en: (without?.en ?? words[why])(about), bg: (without?.bg ?? differencesInBulgarian[why])(about) };
}

const words: Record<Why, (about: About) => string> = {
  unknown: () => 'It is read from the store and recorded.',
  stale: () => 'It changed in the store after the last news that the ledger has of it: it is read again, and its record follows.',
  older: () =>
    'The store shows an older state of it than it gave before, such as after a backup was restored: what is recorded stays. Do again in the store what is missing there, such as a refund; or, if it never took place, save the order there, and its record follows.',
  gone: () => 'The store has it no more, and did not say so: it is treated as a deleted order.',
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
    `No order of the ledger or the store stands for the record ${complianceId}. Made by other software or by hand: leave it; else delete it there.`,
  'file-missing': () => 'It was recorded after the newest version of the month’s file was made: make another version.',
  'file-left': () => 'The newest version of the month’s file lists it, though it is recorded no more: make another version.',
  'file-differs': () => 'The newest version of the month’s file lists another amount: make another version.',
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
  if (code === 'unconfirmed') return `It is not known whether it was recorded: \`orderbridge resolve ${order}\` says so.`;
  return failureWords(code).todo.replaceAll('ORDER', order);
}
