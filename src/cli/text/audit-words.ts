import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import type { Blocked, Empty, Generation, Version } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { addMonths } from '../../service/law/months.ts';
import { byLevel, findingsSection, sumsText } from './audit-report-text.ts';
import { plural } from './plural.ts';

/** How a command on a month is typed. */
export function auditCommandLine(name: 'generate' | 'show' | 'mark-filed' | 'mark-rejected' | 'nothing-to-file', { shopId, month }: MonthKey): string {
  return `\`orderbridge service audit ${name} --shop ${shopId} --month ${month}\``;
}

/** A version that was just made, for people. */
export function versionText({ version, sums, bytes, sha256, findings }: Version, currency: string): string[] {
  const { warnings } = byLevel(findings);
  return [
    ...textFields([
      ['version', String(version)],
      ['contents', `${sumsText(sums)} (${currency})`],
      ['size', `${bytes} bytes`],
      ['SHA-256', sha256],
      ['warnings', String(warnings.length)],
    ]),
    ...findingsSection('WARNINGS', warnings),
  ];
}

/** What to do with a file that was made, as of `today`. */
export function nextStepText(key: MonthKey, today: string): string {
  const deadline = deadlineOf(key.month);
  return `File it in the agency’s portal ${today > deadline ? `at once (it was due on ${deadline})` : `by ${deadline}`}, then ${auditCommandLine('mark-filed', key)}.`;
}

/** Everything that prevents the file of a month, each with what to do. */
export function blockedText({ errors, missingRates }: Pick<Blocked, 'errors' | 'missingRates'>): string[] {
  const recorded = errors.some(({ order }) => order !== null) ? ['', 'A recorded order can’t be edited: delete it and create it again as it should be.'] : [];
  return [...findingsSection('ERRORS', errors), ...recorded, ...(missingRates.length === 0 ? [] : ratesText(missingRates))].slice(1);
}

function ratesText(missing: Blocked['missingRates']): string[] {
  const rows = missing.map(({ currency, day, orders, numbers }) => [currency, day, String(orders), oneLine(numbers.join(', '))]);
  const never = [...new Set(missing.flatMap((one) => (one.never === true ? [one.currency] : [])))];
  const header = ['currency', 'day', 'orders', 'numbers (the first 20)'] as const;
  return [
    '',
    'EXCHANGE RATES THAT ARE MISSING',
    '',
    ...textTable(header, rows).map((line) => `  ${line}`),
    `  → \`orderbridge service rates fetch\` fetches the bank’s newest sheet, \`orderbridge service rates import\` takes a sheet of those days from a file.`,
    ...(never.length === 0
      ? []
      : [`  → the bank publishes no rate of ${never.join(', ')} for these days: delete these orders, and create them in the currency that was paid`]),
  ];
}

type Refused = Exclude<Generation, { kind: 'generated' | 'waiting' }>;
type Blank = Exclude<Refused, { kind: 'blocked' | 'empty' }>['kind'];

/** Why a month has no new file, and what to do. */
export function refusalWords(refused: Refused, key: MonthKey): string {
  if (refused.kind === 'blocked') return blockedWords(refused, key);
  return refused.kind === 'empty' ? emptyWords(refused.summary, key) : blankWords[refused.kind](key);
}

export const blankWords: Readonly<Record<Blank, (key: MonthKey) => string>> = {
  filed: (key) =>
    `the file of ${key.month} is marked as filed, so no other was made; if the agency or you found errors in it, say so with ${auditCommandLine('mark-rejected', key)} and make it again`,
  'not-ended': ({ month }) => `${month} is not over; its file can be made from ${addMonths(month, 1)}-01 on`,
  busy: (key) => `another process is making this very file; ${auditCommandLine('show', key)} shows it when it is made`,
  'no-shop': () => 'the shop was deleted meanwhile',
  'test-shop': () => 'the shop was made with a test key: its orders are in no file',
  'not-ours': ({ month }) => `the shop was not here in ${month}: a file of it is made with the software that it had then`,
};

function blockedWords({ errors, missingRates }: Blocked, { month }: MonthKey): string {
  const what = [
    ...(errors.length === 0 ? [] : [plural(errors.length, 'error')]),
    ...(missingRates.length === 0 ? [] : [plural(missingRates.length, 'missing exchange rate')]),
  ];
  return `no file of ${month} was made: ${what.join(' and ')}; do what is said above, then make it again`;
}

function emptyWords({ returns, leftOut }: Empty['summary'], key: MonthKey): string {
  const holds = [
    ...(returns.count > 0 ? [`returns: ${returns.count}`] : []),
    ...(leftOut.orders > 0 ? [`orders that the shop’s auditNoReceiptOrders leaves out: ${leftOut.orders}`] : []),
  ];
  return `${key.month} has no order for a file${holds.length === 0 ? '' : ` (${holds.join(', ')})`}, and the agency’s schema allows none without; ${auditCommandLine('show', key)} says what the merchant has to do`;
}
