import type { Finding } from '../audit-file.ts';
import { type AuditRule, auditRules } from './audit-rules.ts';

export type FoundByRule = { words: string; line?: number | null; order?: string | null; advice?: string };

/** How many findings of a rule are listed: a file whose every row is wrong must not fill the memory. */
const LISTED = 100;

/** Collects findings: a hundred of each rule, and a count of the rest. */
export class FindingList {
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<AuditRule, number>();

  add(rule: AuditRule, { words, line = null, order = null, advice }: FoundByRule): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count > LISTED) return;
    const { level, advice: usual } = auditRules[rule];
    this.#findings.push({ level, rule, line, order: order === null ? null : ownText(order), words: ownText(words), advice: advice ?? usual });
  }

  has(rule: AuditRule): boolean {
    return this.#counts.has(rule);
  }

  /** Errors first, then by line; findings without a line come before others, counts of unlisted ones last. */
  all(): Finding[] {
    const listed = this.#findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const all = [...listed, ...this.#rest()];
    return [...all.filter(({ level }) => level === 'error'), ...all.filter(({ level }) => level === 'warning')];
  }

  #rest(): Finding[] {
    return [...this.#counts]
      .filter(([, count]) => count > LISTED)
      .map(([rule, count]) => {
        const { level, advice } = auditRules[rule];
        return { level, rule, line: null, order: null, words: `${count - LISTED} more like this; the first ${LISTED} are listed`, advice };
      });
  }
}

/** A copy of a substring, so that the text that it was cut from can be freed. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
