import { dayText, monthName, uncapitalized } from '../../../contract/local-text.ts';
import { attachedSections } from './attached.ts';
import { composePage } from './compose-page.ts';
import { isLate, monthStatuses, statusOf } from './month-status.ts';
import type { MonthSituation, MonthSummary } from './month-summary.ts';
import { pageHtml } from './render-summary.ts';
import { mailLimits, type Section } from './summary-page.ts';
import { pageText } from './summary-text.ts';
import { WAY_OUT, wayOf, wayOutOf } from './ways-to-act.ts';

/** The reason of a month's mail: the situation that it got into, or a reminder that the term is running out. */
export type AuditMailKind = Exclude<MonthSituation['kind'], 'open' | 'nothing' | 'not-ours' | 'test'> | 'reminder';

export type AuditMail = { subject: string; html: string; text: string };

/**
 * The mail of a month, in Bulgarian; its body is the summary with short lists. `link`: the recipient's to the month's page; null: it says that an answer is enough. Throws
 * RangeError if the month is not in the situation `kind`.
 */
export function auditMail(kind: AuditMailKind, summary: MonthSummary, link: string | null = null): AuditMail {
  const actual = summary.situation.kind;
  if (kind !== 'reminder' && kind !== actual) throw new RangeError(`a mail "${kind}" was requested, but the month is ${actual}; send the mail of that`);
  const composed = composePage(summary, { occasion: kind === 'reminder' ? 'reminder' : 'summary', limits: mailLimits, way: wayOf(link) });
  const page = { ...composed, sections: [...attachedSections(summary), ...composed.sections, ...(link === null ? [] : [wayOut(link)])] };
  return { subject: subjectOf(kind, summary), html: pageHtml(page), text: pageText(page) };
}

/** What `link` opens is the recipient's, of which it is the way out, too. */
function wayOut(link: string): Section {
  return { title: WAY_OUT.title, tone: 'quiet', blocks: [{ kind: 'link', words: WAY_OUT.words, href: wayOutOf(link) }] };
}

function subjectOf(kind: AuditMailKind, summary: MonthSummary): string {
  const { shop, month } = summary;
  const status = monthStatuses[statusOf(summary)].name.bg;
  const reminder = kind === 'reminder' ? 'Напомняне: ' : '';
  return oneLine(`${reminder}${shop.name}: одиторски файл за ${monthName(month, 'bg')}: ${uncapitalized(status)}${termOf(kind, summary)}`);
}

function termOf(kind: AuditMailKind, summary: MonthSummary): string {
  if (kind !== 'reminder' && kind !== 'generated') return '';
  return isLate(summary) ? ` (срокът изтече на ${dayText(summary.deadline)})` : ` (срок: ${dayText(summary.deadline)})`;
}

/** A header of a mail is one line; a shop's name may contain line breaks. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
