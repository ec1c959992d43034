import { oneLine } from '../../platform/terminal/text-table.ts';
import type { Finding } from '../../service/audit/audit-file.ts';
import type { AuditReport } from '../../service/audit/format/verify-audit-file.ts';
import type { CliWords } from '../words/en.ts';

type Say = CliWords['auditFile'];

/** The findings of a verification, for people: the file’s owner and totals, then errors, then warnings, each rule with its advice. */
export function auditReportText(file: string, { header, sums, findings }: AuditReport, say: Say): string[] {
  const { errors, warnings } = byLevel(findings);
  return [
    ...(header === null
      ? [say.notAudit(file)]
      : [oneLine(say.head({ file, month: header.month, shop: header.shopNumber, company: header.companyId })), say.sums(sums)]),
    ...findingsSection(say.titles.errors, errors, say),
    ...findingsSection(say.titles.warnings, warnings, say),
    '',
    `${say.errors(errors.length)}, ${say.warnings(warnings.length)}.`,
  ];
}

export function byLevel(findings: readonly Finding[]): { errors: Finding[]; warnings: Finding[] } {
  return { errors: findings.filter(({ level }) => level === 'error'), warnings: findings.filter(({ level }) => level === 'warning') };
}

/** Findings under a title, those of a rule together with its advice; nothing if there are none. */
export function findingsSection(title: string, findings: readonly Finding[], say: Say): string[] {
  const groups = [...Map.groupBy(findings, ({ rule, advice }) => `${rule}\n${advice}`).values()];
  return findings.length === 0 ? [] : ['', title, ...groups.flatMap((group) => groupText(group, say))];
}

function groupText(group: readonly Finding[], say: Say): string[] {
  const [first] = group;
  if (first === undefined) return [];
  return ['', first.rule, ...group.map((finding) => `  ${findingText(finding, say)}`), `  → ${first.advice}`];
}

// Its words name the values that are wrong, which a rule's title does not.
function findingText({ line, order, words }: Finding, say: Say): string {
  const place = [...(line === null ? [] : [say.line(line)]), ...(order === null ? [] : [say.order(order)])].join(', ');
  return oneLine(place === '' ? words : `${place}: ${words}`);
}
