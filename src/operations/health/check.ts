import type { Connection } from '../../bridge/connections/connection.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';
import type { Right } from '../people/rights.ts';
import type { FailedCheck, Level } from './health-status.ts';
import type { Round } from './round.ts';

/** So many stores with one cause are named, and told one by one where there are no more. */
export const MOST_NAMES = 3;

export type NameOf = (connectionId: string) => string;

/** Where a failed check is mended in the console; `label`: of what is pressed. `command`: what ends its cause, if that is no page. */
export type CheckAction = { label: 'review' | 'unconfirmed' | 'month' | 'store' | 'destination' | 'endpoint'; path: string; right: Right; command?: string };

/**
 * All about a code of a failed check. `level`: the worst that it has. `what`: the subject in a word or two, for `doctor`. `en` and `bg`: what it means, for
 * those who may see no names, too. `bgOf`: one failed check in Bulgarian, with names and counts; its English are its `words`. `isWrong`: something does
 * not work, or (false) it only waits for a person, or is worth knowing; absent, what is failing is wrong, and no other. `quotes`: its words repeat what a service or a store answered.
 */
export type Code = {
  level: Level;
  what: string;
  en: string;
  bg: string;
  isWrong?: boolean;
  quotes?: true;
  bgOf?(failed: FailedCheck, nameOf: NameOf): string;
  action?(failed: FailedCheck): CheckAction;
};
export type Codes = Readonly<Record<string, Code>>;

/** What `doctor` says of a subject besides its failed checks: that it is right, (`isNote`) what is worth knowing, or (`isWrong`) what only `doctor` finds wrong. */
export type DoctorRemark = { what: string; words: string; isNote?: boolean; isWrong?: true };

/**
 * One reading of what may be wrong: the codes that it can give, and how they are found in the database, the queue and this machine. It may throw. What must
 * be called over the network is called by `doctor`, and now and then by a server, which keeps it (`checks/network.ts`).
 */
export type Check = { name: string; codes: readonly string[]; read(round: Round): Promise<FailedCheck[]>; remarks?(round: Round): Promise<DoctorRemark[]> };

/** That a check could not be made. */
export const checkFailed = {
  'check.failed': {
    level: 'failing',
    what: 'check',
    en: 'Something could not be checked, so that nobody knows whether it is right.',
    bg: 'Нещо не можа да бъде проверено и никой не знае дали е наред.',
    isWrong: true,
    quotes: true,
  },
} as const satisfies Codes;

type Parts = Partial<Omit<FailedCheck, 'code' | 'words'>> & { words: string };

/** Makes failed checks of these codes, of their level unless `parts` say otherwise. */
export function failedBy<C extends string>(codes: Readonly<Record<C, Code>>): (code: C, parts: Parts) => FailedCheck {
  return (code, parts) => ({ code, level: codes[code].level, subject: null, count: null, total: null, since: null, verb: null, ...parts });
}

/** What is worth knowing of a connection, by the id that commands take. */
export function notes(what: string, { id }: Pick<Connection, 'id'>, words: readonly string[]): DoctorRemark[] {
  return words.map((each) => ({ what, words: `${id}: ${each}`, isNote: true }));
}

export const review = (): CheckAction => ({ label: 'review', path: '/console/review', right: 'orders.see' });

export function month({ subject }: Pick<FailedCheck, 'subject'>): CheckAction {
  return { label: 'month', path: `/console/months${subject === null ? '' : `?month=${subject}`}`, right: 'months.see' };
}

export function store({ subject, members }: FailedCheck): CheckAction {
  return {
    label: 'store',
    path: subject === null || members !== undefined ? '/console/stores' : `/console/stores/${encodeURIComponent(subject)}`,
    right: 'stores.see',
  };
}

/** Where a person must mend it, the page shows the pause, and the command ends its cause. */
export function destination({ verb }: Pick<FailedCheck, 'verb'>): CheckAction {
  const command = verb === null || verb === 'doctor' ? {} : { command: `orderbridge ${verb}` };
  return { label: 'destination', path: '/console/destinations', right: 'stores.see', ...command };
}

export function orders(count: number | null): string {
  return orderCount.bg(count ?? 0);
}

export function webhooks(count: number | null): string {
  return counted.bg(count ?? 0, 'известие', 'известия');
}

export function wait(count: number | null): string {
  return form.bg(count ?? 0, 'чака', 'чакат');
}

/** “Corner: известията му се отказват…” of “…, the store of this connection”. */
export function ofStore(words: string): NonNullable<Code['bgOf']> {
  return ({ subject }, nameOf) => (subject === null ? words : `${nameOf(subject)}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
}

/** “1990 магазина (Corner, Sova, Book и още 1987): известията им…” of many stores with one cause. */
export function ofStores({ of }: FailedCheck, words: string): string {
  const names = of?.names ?? [];
  const more = names.length > MOST_NAMES ? ` и още ${names.length - MOST_NAMES}` : '';
  return `${counted.bg(names.length, 'магазин', 'магазина')} (${names.slice(0, MOST_NAMES).join(', ')}${more}): ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** What it means in Bulgarian, and the same with the orders that wait: “…: поръчките чакат (чакат 2 поръчки).” */
export function withOrders(bg: string): Pick<Code, 'bg' | 'bgOf'> {
  return { bg, bgOf: ({ count }) => (count === null || count === 0 ? bg : `${bg.replace(/\.$/, '')} (${wait(count)} ${orders(count)}).`) };
}

/** “Месец 2026-10: …(2 магазина).” */
export function ofMonth(words: string): NonNullable<Code['bgOf']> {
  return ({ subject, count }) => `Месец ${subject ?? ''}: ${words}${count === null ? '' : ` (${counted.bg(count, 'магазин', 'магазина')})`}.`;
}
