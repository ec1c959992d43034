import { oneLine } from '../../platform/terminal/text-table.ts';
import type { AuditSums, Finding } from '../../service/audit/audit-file.ts';
import type { AuditReport } from '../../service/audit/format/verify-audit-file.ts';

/** The findings of a verification, for people: the file’s owner and totals, then errors, then warnings, each rule with its advice. */
export function auditReportText(file: string, { header, sums, findings }: AuditReport): string[] {
  const { errors, warnings } = byLevel(findings);
  return [
    ...(header === null
      ? [`${file} is not an audit file.`]
      : [oneLine(`${file}: month ${header.month ?? 'unknown'}, shop ${header.shopNumber}, ЕИК ${header.companyId}`)]),
    ...(header === null ? [] : [sumsText(sums)]),
    ...findingsSection('ERRORS', errors),
    ...findingsSection('WARNINGS', warnings),
    '',
    `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  ];
}

export function byLevel(findings: readonly Finding[]): { errors: Finding[]; warnings: Finding[] } {
  return { errors: findings.filter(({ level }) => level === 'error'), warnings: findings.filter(({ level }) => level === 'warning') };
}

/** "2 orders, 76.00 + 11.40 VAT = 87.40; 1 order returned, 22.80" */
export function sumsText({ orders, net, vat, total, returns, returned }: AuditSums): string {
  return `${orders} ${orders === 1 ? 'order' : 'orders'}, ${net} + ${vat} VAT = ${total}; ${returns} ${returns === 1 ? 'order' : 'orders'} returned, ${returned}`;
}

export function counted(list: readonly unknown[], what: string): string {
  return `${list.length} ${what}${list.length === 1 ? '' : 's'}`;
}

/** Findings under a title, those of a rule together with its advice; nothing if there are none. */
export function findingsSection(title: string, findings: readonly Finding[]): string[] {
  const groups = [...Map.groupBy(findings, ({ rule, advice }) => `${rule}\n${advice}`).values()];
  return findings.length === 0 ? [] : ['', title, ...groups.flatMap(groupText)];
}

function groupText(group: readonly Finding[]): string[] {
  return ['', group[0]?.rule ?? '', ...group.map((finding) => `  ${findingText(finding)}`), `  → ${group[0]?.advice ?? ''}`];
}

function findingText({ line, order, words }: Finding): string {
  const place = [...(line === null ? [] : [`line ${line}`]), ...(order === null ? [] : [`order ${order}`])].join(', ');
  return oneLine(place === '' ? words : `${place}: ${words}`);
}
