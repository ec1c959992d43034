import { counted, orderCount } from '../../contract/plural.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { oneLine, textFields, textTable } from '../../platform/terminal/text-table.ts';
import type { AuditSums, Finding } from '../../service/audit/audit-file.ts';
import type { AuditReport } from '../../service/audit/format/verify-audit-file.ts';
import type { Blocked, Empty, Generation, Version } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-state.ts';
import type { ActRefusal } from '../../service/audit/summary/month-messages.ts';
import type { Outstanding } from '../../service/audit/summary/month-summary.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import type { AuditFileDto } from '../../service/reading/read-audit-files.ts';

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

/** Why a month has no new file, and what to do. */
export async function refusalWords(refused: Exclude<Generation, { kind: 'generated' | 'waiting' }>, key: MonthKey): Promise<string> {
  if (refused.kind === 'blocked') return blockedWords(refused, key);
  return refused.kind === 'empty' ? emptyWords(refused.summary, key) : actRefusalWords({ why: refused.kind }, key);
}

/** The command that goes on where something was not done. */
const nextCommands: Readonly<Partial<Record<ActRefusal['why'], Parameters<typeof auditCommandLine>[0]>>> = {
  already: 'mark-rejected',
  filed: 'mark-rejected',
  'too-late': 'show',
  'has-orders': 'generate',
  'has-file': 'show',
  'no-file': 'generate',
  busy: 'show',
};

/** Why something was not done to a month, as its page says it, and the command that goes on. */
export async function actRefusalWords(refusal: ActRefusal, key: MonthKey): Promise<string> {
  const { uncapitalized } = await import('../../contract/local-text.ts');
  const { refusalText } = await import('../../service/audit/summary/month-messages.ts');
  const next = nextCommands[refusal.why];
  const text = uncapitalized(refusalText(refusal, 'en')).replace(/\.$/, '');
  return next === undefined ? text : `${text}: ${auditCommandLine(next, key)}`;
}

function blockedWords({ errors, missingRates }: Blocked, { month }: MonthKey): string {
  const what = [
    ...(errors.length === 0 ? [] : [counted.en(errors.length, 'error', 'errors')]),
    ...(missingRates.length === 0 ? [] : [counted.en(missingRates.length, 'missing exchange rate', 'missing exchange rates')]),
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

/** The versions of a month's file, one a line; nothing if there are none. `width`: the columns of the terminal; undefined: it is none. */
export function versionsText(versions: readonly AuditFileDto[], width: number | undefined): string[] {
  if (versions.length === 0) return [];
  const rows = versions.map(({ version, createdAt, sums, findings, sha256, filed }) => [
    filed ? `${version} (filed)` : String(version),
    localTime(createdAt),
    String(sums.orders),
    sums.total,
    sums.vat,
    `${sums.returns} (${sums.returned})`,
    String(byLevel(findings).warnings.length),
    sha256,
  ]);
  const header = ['version', 'made', 'orders', 'total', 'VAT', 'returns', 'warnings', 'SHA-256'] as const;
  return ['', 'VERSIONS', '', ...textTable(header, rows, { give: ['SHA-256', 'VAT', 'returns'], width })];
}

/** Why a version was not found; `last` is null if there is none at all. */
export function noVersionWords(key: MonthKey, last: number | null): string {
  return last === null
    ? `no file of ${key.month} was made yet; ${auditCommandLine('generate', key)} makes it`
    : `there is no such version of the file of ${key.month}; the last one is ${last}, and ${auditCommandLine('show', key)} lists them`;
}

/** The findings of a verification, for people: the file’s owner and totals, then errors, then warnings, each rule with its advice. */
export function auditReportText(file: string, { header, sums, findings }: AuditReport): string[] {
  const { errors, warnings } = byLevel(findings);
  return [
    ...(header === null
      ? [`${file} is not an audit file.`]
      : [oneLine(`${file}: month ${header.month ?? 'unknown'}, shop ${header.shopNumber ?? '-'}, ЕИК ${header.companyId ?? '-'}`), sumsText(sums)]),
    ...findingsSection('ERRORS', errors),
    ...findingsSection('WARNINGS', warnings),
    '',
    `${counted.en(errors.length, 'error', 'errors')}, ${counted.en(warnings.length, 'warning', 'warnings')}.`,
  ];
}

/** "2 orders, 76.00 + 11.40 VAT = 87.40; 1 order returned, 22.80" */
function sumsText({ orders, net, vat, total, returns, returned }: AuditSums): string {
  return `${orderCount.en(orders)}, ${net} + ${vat} VAT = ${total}; ${orderCount.en(returns)} returned, ${returned}`;
}

export function byLevel(findings: readonly Finding[]): { errors: Finding[]; warnings: Finding[] } {
  return { errors: findings.filter(({ level }) => level === 'error'), warnings: findings.filter(({ level }) => level === 'warning') };
}

/** Findings under a title, those of a rule together with its advice; nothing if there are none. */
function findingsSection(title: string, findings: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(findings, ({ rule, advice }) => `${rule}\n${advice}`).values()];
  return findings.length === 0 ? [] : ['', title, ...groups.flatMap((group) => groupText(group))];
}

function groupText(group: readonly Finding[]): string[] {
  const [first] = group;
  if (first === undefined) return [];
  return ['', first.rule, ...group.map((finding) => `  ${findingText(finding)}`), `  → ${first.advice}`];
}

// Its words name the values that are wrong, which a rule's title does not.
function findingText({ line, order, words }: Finding): string {
  const place = [...(line === null ? [] : [`line ${line}`]), ...(order === null ? [] : [`order ${order}`])].join(', ');
  return oneLine(place === '' ? words : `${place}: ${words}`);
}

/** "3 paid orders (36.00 EUR; payment.unmapped: 3)" */
export function outstandingText(outstanding: Outstanding): string {
  const { orders, codes } = outstanding;
  const why = codes.map(({ code, orders: of }) => `${code}: ${of}`).join(', ');
  return `${counted.en(orders, 'paid order', 'paid orders')} (${[outstandingMoney(outstanding), ...(why === '' ? [] : [why])].join('; ')})`;
}

/** "36.00 EUR" */
export function outstandingMoney({ totals }: Pick<Outstanding, 'totals'>): string {
  return totals.map(({ total, currency }) => `${total} ${currency}`).join(' + ');
}
