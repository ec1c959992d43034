import { oneLine } from '../../platform/terminal/text-table.ts';
import type { AuditSums, Finding } from '../../service/audit/audit-file.ts';
import type { AuditReport } from '../../service/audit/format/verify-audit-file.ts';
import { plural } from './plural.ts';

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
    `${plural(errors.length, 'error')}, ${plural(warnings.length, 'warning')}.`,
  ];
}

/** "2 orders, 76.00 + 11.40 VAT = 87.40; 1 order returned, 22.80" */
export function sumsText({ orders, net, vat, total, returns, returned }: AuditSums): string {
  return `${plural(orders, 'order')}, ${net} + ${vat} VAT = ${total}; ${plural(returns, 'order')} returned, ${returned}`;
}

export function byLevel(findings: readonly Finding[]): { errors: Finding[]; warnings: Finding[] } {
  return { errors: findings.filter(({ level }) => level === 'error'), warnings: findings.filter(({ level }) => level === 'warning') };
}

/** Findings under a title, those of a rule together with its advice; nothing if there are none. */
export function findingsSection(title: string, findings: readonly Finding[]): string[] {
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
