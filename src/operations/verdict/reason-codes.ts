import { ownValue } from '../../contract/own-value.ts';

/**
 * `what`: the subject in a word or two, for `doctor`. `means`: for those who may see no names, too. `isWrong`: of attention, that something does not
 * work; absent, it only waits for a person, or is worth knowing.
 */
type Entry = { level: 'failing' | 'attention'; what: string; means: string; isWrong?: true };

/**
 * Everything that the verdict can name, as one code in one table: what it means, for status, docs, the label of a gauge, and alerts. The level is the
 * worst that a reason of this code has.
 */
export const reasonCodes = {
  'database.down': { level: 'failing', what: 'database', means: 'The database does not answer: nothing can be recorded.' },
  'check.failed': { level: 'failing', what: 'check', means: 'Something could not be checked, so that nobody knows whether it is right.' },
  'server.down': { level: 'failing', what: 'server', means: 'No server runs: webhooks reach nobody, and nothing is submitted.' },
  'queue.down': { level: 'failing', what: 'queue', means: 'The queue does not answer: webhooks wait in the database, and nothing is submitted.' },
  'queue.paused': { level: 'failing', what: 'queue', means: 'Somebody paused a queue: nothing is taken from it.' },
  'destination.paused': {
    level: 'failing',
    what: 'compliance service',
    means: 'The compliance service is down, throttles, or does not take the key: its orders wait.',
  },
  'shop.paused': { level: 'failing', what: 'compliance shop', means: 'The compliance service does not know a shop, or refuses it: its orders wait.' },
  'shop.unknown': { level: 'failing', what: 'compliance shop', means: 'The compliance service does not know the shop of a connected store.', isWrong: true },
  'key.unknown': { level: 'failing', what: 'compliance key', means: 'The key of a connected store is revoked, unknown, or can’t be read.' },
  'secrets.closed': { level: 'failing', what: 'secrets', means: 'Secrets of a connected store can’t be read or used.', isWrong: true },
  'month.late': { level: 'failing', what: 'audit files', means: 'A month was not marked as filed by the end of its term.' },
  'month.blocked': { level: 'attention', what: 'audit files', means: 'The file of a month can’t be made.', isWrong: true },
  'month.unmailed': {
    level: 'attention',
    what: 'audit files',
    means: 'Mails about the audit file of a month did not reach an address of its shop.',
    isWrong: true,
  },
  'month.due': { level: 'attention', what: 'audit files', means: 'The term of a month ends soon, and its file is not marked as filed.' },
  'orders.parked': { level: 'attention', what: 'parked orders', means: 'Orders wait for a person.' },
  'orders.unconfirmed': { level: 'attention', what: 'unconfirmed orders', means: 'It is not known whether these orders are recorded.' },
  'orders.outstanding': { level: 'attention', what: 'paid orders', means: 'Paid orders were reported that are not recorded.' },
  'orders.unread': {
    level: 'attention',
    what: 'unread orders',
    means: 'Orders of a store could not be read whole, so that they are not recorded as they are.',
  },
  'webhooks.parked': { level: 'attention', what: 'parked webhooks', means: 'Webhooks are signed and can’t be read, so that their orders are not known.' },
  'hosts.held': { level: 'attention', what: 'held webhooks', means: 'Webhooks name another host than their store’s, and are held.' },
  'backlog.old': { level: 'attention', what: 'backlog', means: 'Work has been waiting for longer than it should.', isWrong: true },
  'receipts.paused': { level: 'attention', what: 'receipts', means: 'The compliance service gives no receipts now; records are not affected.' },
  'store.paused': { level: 'attention', what: 'store APIs', means: 'The API of a store hangs, fails or refuses its key.' },
  'store.unread': { level: 'attention', what: 'store APIs', means: 'A store has not been read by its API for long.' },
  'webhooks.broken': { level: 'attention', what: 'webhooks', means: 'A store has something wrong with its webhooks.', isWrong: true },
  'webhooks.refused': { level: 'attention', what: 'webhooks', means: 'The webhooks of a store are refused one after the other.' },
  'webhooks.silent': { level: 'attention', what: 'webhooks', means: 'A store that used to send webhooks sends none.' },
  'privacy.not-forgotten': {
    level: 'attention',
    what: 'erased buyers',
    means: 'Buyers were erased here by a privacy request, and the compliance service still has them.',
  },
  'deliveries.not-told': {
    level: 'attention',
    what: 'deliveries',
    means: 'The compliance service was not told when orders were delivered, so that the file of another month may list them.',
  },
  'mails.failed': { level: 'attention', what: 'mail', means: 'Mails reached no recipient.', isWrong: true },
  'mail.down': { level: 'attention', what: 'mail', means: 'The mail server can’t be used.', isWrong: true },
  'rates.missing': {
    level: 'attention',
    what: 'exchange rates',
    means: 'Recorded orders have no exchange rate, which blocks the files of their months.',
    isWrong: true,
  },
  'rates.old': { level: 'attention', what: 'exchange rates', means: 'No exchange rates were fetched for a week.' },
  'company.shared': { level: 'attention', what: 'companies', means: 'A company is of several owners of API keys, and nobody has confirmed it.' },
  'disk.full': { level: 'attention', what: 'disk', means: 'The disk is nearly full.', isWrong: true },
  'clock.off': { level: 'attention', what: 'clock', means: 'The clock of this machine is wrong.', isWrong: true },
  'public.silent': { level: 'attention', what: 'PUBLIC_URL', means: 'The public address does not lead here.', isWrong: true },
  'queue.unsafe': { level: 'attention', what: 'queue', means: 'The settings of Redis can lose webhooks that were accepted.', isWrong: true },
  'database.unsafe': { level: 'attention', what: 'database', means: 'The settings of PostgreSQL can lose what was recorded.', isWrong: true },
  'admin.short': { level: 'attention', what: 'dashboard', means: 'The dashboard is off, because its password could be guessed.', isWrong: true },
  'alerts.broken': { level: 'attention', what: 'alerts', means: 'Alerts don’t arrive.', isWrong: true },
} as const satisfies Record<string, Entry>;

export type ReasonCode = keyof typeof reasonCodes;

/** Is it more than a thing that waits for a person? */
export function isWrong({ code, level }: { code: ReasonCode; level: 'failing' | 'attention' }): boolean {
  return level === 'failing' || ownValue<Entry>(reasonCodes, code)?.isWrong === true;
}
