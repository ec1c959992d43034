import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import type { Blocked, Empty, Generation, Version } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { addMonths } from '../../service/law/months.ts';
import { type CliWords, en } from '../words/en.ts';
import { byLevel, findingsSection } from './audit-report-text.ts';

/** How a command on a month is typed. */
export function auditCommandLine(name: 'generate' | 'show' | 'mark-filed' | 'mark-rejected' | 'nothing-to-file', { shopId, month }: MonthKey): string {
  return `\`orderbridge service audit ${name} --shop ${shopId} --month ${month}\``;
}

/** A version that was just made, for people. */
export function versionText({ version, sums, bytes, sha256, findings }: Version, currency: string, { months, auditFile }: CliWords): string[] {
  const { warnings } = byLevel(findings);
  const { fields, bytes: size } = months.generate;
  return [
    ...textFields([
      [fields.version, String(version)],
      [fields.contents, `${auditFile.sums(sums)} (${currency})`],
      [fields.size, size(bytes)],
      ['SHA-256', sha256],
      [fields.warnings, String(warnings.length)],
    ]),
    ...findingsSection(auditFile.titles.warnings, warnings, auditFile),
  ];
}

/** What to do with a file that was made, as of `today`. */
export function nextStepText(key: MonthKey, today: string, { generate: say }: CliWords['months']): string {
  const deadline = deadlineOf(key.month);
  return say.next(auditCommandLine('mark-filed', key), today > deadline ? say.late(deadline) : say.inTime(deadline));
}

/** Everything that prevents the file of a month, each with what to do. */
export function blockedText({ errors, missingRates }: Pick<Blocked, 'errors' | 'missingRates'>): string[] {
  const { auditFile, months } = en;
  const recorded = errors.some(({ order }) => order !== null) ? ['', months.refused.noEdit] : [];
  return [...findingsSection(auditFile.titles.errors, errors, auditFile), ...recorded, ...(missingRates.length === 0 ? [] : ratesText(missingRates))].slice(1);
}

function ratesText(missing: Blocked['missingRates']): string[] {
  const { refused: say } = en.months;
  const rows = missing.map(({ currency, day, orders, numbers }) => [currency, day, String(orders), oneLine(numbers.join(', '))]);
  const never = [...new Set(missing.flatMap((one) => (one.never === true ? [one.currency] : [])))];
  const header = ['currency', 'day', 'orders', 'numbers (the first 20)'] as const;
  return [
    '',
    say.rates,
    '',
    ...textTable(header, rows).map((line) => `  ${line}`),
    `  → ${say.ratesTodo}`,
    ...(never.length === 0 ? [] : [`  → ${say.ratesNever(never.join(', '))}`]),
  ];
}

type Refused = Exclude<Generation, { kind: 'generated' | 'waiting' }>;
type Blank = Exclude<Refused, { kind: 'blocked' | 'empty' }>['kind'];

/** Why a month has no new file, and what to do. */
export function refusalWords(refused: Refused, key: MonthKey, words: CliWords): string {
  if (refused.kind === 'blocked') return blockedWords(refused, key, words);
  const { refused: say } = words.months;
  return refused.kind === 'empty' ? emptyWords(refused.summary, key, say) : blankWords[refused.kind](key, say);
}

type Say = CliWords['months']['refused'];

const blankWords: Readonly<Record<Blank, (key: MonthKey, say: Say) => string>> = {
  filed: (key, say) => say.filed(key.month, auditCommandLine('mark-rejected', key)),
  'not-ended': ({ month }, say) => say.notEnded(month, `${addMonths(month, 1)}-01`),
  busy: (key, say) => say.busy(auditCommandLine('show', key)),
  'no-shop': (_, say) => say.noShop,
  'test-shop': (_, say) => say.testShop,
  'not-ours': ({ month }, say) => say.notOurs(month),
};

function blockedWords({ errors, missingRates }: Blocked, { month }: MonthKey, { auditFile, months }: CliWords): string {
  const what = [
    ...(errors.length === 0 ? [] : [auditFile.errors(errors.length)]),
    ...(missingRates.length === 0 ? [] : [months.refused.missingRates(missingRates.length)]),
  ];
  return months.refused.blocked(month, what);
}

function emptyWords({ returns, leftOut }: Empty['summary'], key: MonthKey, say: Say): string {
  const holds = [...(returns.count > 0 ? [say.returns(returns.count)] : []), ...(leftOut.orders > 0 ? [say.leftOut(leftOut.orders)] : [])];
  return say.empty(key.month, holds.length === 0 ? '' : ` (${holds.join(', ')})`, auditCommandLine('show', key));
}
