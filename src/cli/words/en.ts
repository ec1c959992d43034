import { appsInEnglish } from './apps-en.ts';
import { auditFileInEnglish } from './audit-file-en.ts';
import { monthsInEnglish } from './months-en.ts';
import { orderInEnglish } from './order-en.ts';
import { readingInEnglish } from './reading-en.ts';
import { serviceInEnglish } from './service-en.ts';
import { storesInEnglish } from './stores-en.ts';
import { workInEnglish } from './work-en.ts';

const orders = (n: number): string => (n === 1 ? '1 order' : `${n} orders`);
const things = (n: number): string => (n === 1 ? '1 thing needs' : `${n} things need`);

/** What commands print for people. */
export const en = {
  status: {
    ok: 'ok: all is well.',
    attention: (n: number) => `attention: orders are recorded as they come; ${things(n)} a look.`,
    failing: (n: number, others: number) =>
      `failing: orders can’t be recorded, or a legal term is past, for ${n === 1 ? '1 reason' : `${n} reasons`}${others === 0 ? '' : `; ${things(others)} a look besides`}.`,
    levels: { ok: 'ok', attention: 'attention', failing: 'failing' },
    since: (time: string) => `since ${time}`,
    count: (n: number) => `count ${n}`,
    sum: (total: string) => `sum ${total}`,
  },
  review: {
    none: 'Nothing waits for a person.',
    cut: (n: number) => `Only the newest ${n} of a kind are shown.`,
    orders,
    toDo: (todo: string) => `To do: ${todo}`,
    ofStore: (store: string) => ` of ${store}`,
    more: (n: number, ofStore: string) => `and ${n} more${ofStore}`,
    each: '`orderbridge review --all` lists each.',
    together: (code: string) => `Once it is put right: \`orderbridge release --code ${code}\`; of one store: add \`--connection STORE\`.`,
    unconfirmedTodo:
      'Look at the compliance service: if the record is there, `orderbridge resolve ORDER --recorded ITS_ID`; if it is not, `orderbridge resolve ORDER --not-recorded`.',
    host: (host: string, store: string, connection: string) => `host ${host}, store ${store}, connection ${connection}`,
    held: (n: number, from: string, to: string) => (n === 1 ? `1 webhook of ${from}` : `${n} webhooks from ${from} to ${to}`),
    isHeld: 'held',
    isInReview: 'review',
    order: ({ orderId, number, total, store, connection, id }: ReviewOrderName) =>
      `order ${orderId} (${number ?? 'number not known'}), ${total ?? 'total not known'}, store ${store}, connection ${connection}, id:${id}`,
    lost: 'a create’s reply was lost',
    webhook: (topic: string, time: string) => `webhook ${topic || '(its body names the topic)'} of ${time}`,
    from: (store: string, connection: string, id: string) => `store ${store}, connection ${connection}, delivery ${id}`,
  },
  orders: {
    none: 'No order found.',
    more: (limit: number) => `There are more than ${limit} orders; narrow the list, or raise --limit.`,
    unreadable: (message: string) => `One order is not listed: ${message}`,
  },
  order: {
    decidedAgain: (named: string) => `The order ${named} is decided again.`,
    apart: (orderId: string) => `It is a sale of its own, the order ${orderId}; it is decided again.`,
    joined: (orderId: string) => `It is the order ${orderId}, which is decided again.`,
    kept: (named: string) => `The order ${named} is still a sale; it is decided again by that.`,
    removed: (named: string) => `The order ${named} is no sale; a record of it is deleted.`,
    settled: (named: string, words: string) => `The order ${named} is settled: ${words}`,
    wordIsTaken: 'The compliance service does not show its records, so your word is taken for it.',
    settledAs: {
      recorded: (id: string) => `recorded as ${id}, which counts as orderbridge’s own: a later refund deletes or replaces it.`,
      'not-a-sale': 'it is no sale. If anything new comes of it, it waits for a person again.',
      elsewhere: 'it is recorded elsewhere. If anything new comes of it, it waits for a person again.',
    },
    resolved: (named: string, id: string | null) => `The order ${named} is ${id === null ? 'not recorded' : `recorded as ${id}`}; it is decided again.`,
    looked: {
      found: (id: string) => `The service has it, as ${id}.`,
      several: (ids: string) => `The service has several records of it: ${ids}. Delete all but one there first.`,
      none: 'The service lists its records, and has none of this order.',
      unlisted: 'The service does not list its records: look there yourself.',
    },
  },
  sheet: orderInEnglish,
  stores: storesInEnglish,
  apps: appsInEnglish,
  reading: readingInEnglish,
  work: workInEnglish,
  service: serviceInEnglish,
  people: {
    added: (email: string, role: string) => `${email} is ${role === 'viewer' ? 'a' : 'an'} ${role} now. They choose a password here, once, within 3 days:`,
    reset: (email: string) => `The password of ${email} is taken away. They choose another here, once, within 3 days:`,
    disabled: (email: string) => `${email} can’t sign in any more.`,
    enabled: (email: string) => `${email} may sign in again.`,
    none: 'Nobody can sign in yet: `orderbridge people add --role owner EMAIL` lets somebody in.',
    linkUntil: (time: string) => `has a link until ${time}`,
    issuer: (host: string) => `by ${host}`,
  },
  invitations: {
    invited: (id: string) => `The merchant connects a store here, within 14 days (invitation ${id}):`,
    renewed: 'His new link; those before open nothing any more:',
    mailed: 'It was mailed to him.',
    noMail: 'It was not mailed: for that SMTP_URL and PUBLIC_URL must be set. Send it to him yourself.',
    notMailed: (why: string) => `It could not be mailed (${why}). Send it to him yourself.`,
    noPages: 'CONSOLE is off here: no process with this setting serves /connect, where the link leads.',
    revoked: 'These links open nothing any more.',
    confirmHow: 'say --confirm or --refuse',
    confirmed: (company: string) => `The company ${company} is confirmed; the merchant can go on.`,
    refused: (company: string) => `The company ${company} is not confirmed; no shop is made, and the merchant may name another.`,
    others: (names: string) => `Others have this company, too, and share its document numbers: ${names}.`,
    settleHow: 'say which with --is UUID, or --none',
    noLinks: 'no such link of this invitation opens anything',
    settled: 'The merchant can go on.',
    none: 'No merchant was invited yet: `orderbridge invite` prints a link.',
  },
  activity: { none: 'Nothing was done yet.', order: (name: string) => `order ${name}` },
  deliveries: { none: 'No webhook of this connection has come yet.', noneRefused: 'No webhook of this connection was refused.' },
  doctor: {
    marks: { ok: 'ok', remark: 'note', wrong: 'WRONG' },
    settings: 'Settings of requests to the compliance API:',
    wrong: (what: string) => `not right: ${what}; the findings say what to do`,
  },
  months: monthsInEnglish,
  auditFile: auditFileInEnglish,
};

/** What a command prints for people. */
export type CliWords = typeof en;

type ReviewOrderName = { orderId: string; number: string | null; total: string | null; store: string; connection: string; id: number };
