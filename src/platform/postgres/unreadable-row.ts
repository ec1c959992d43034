import type { z } from 'zod';

const MOST_FAULTS = 3;

/** A row that this release can not parse. Names table, id and field, never a value: those may be personal data or secrets. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  /** Null if the statement returns none. */
  readonly id: string | number | null;

  constructor(table: string, row: unknown, error: z.ZodError) {
    const id = idOf(row);
    super(`a row of ${table}${id === null ? '' : ` (id ${id})`} can’t be read: ${error.issues.slice(0, MOST_FAULTS).map(fault).join('; ')}`);
    this.id = id;
  }
}

function idOf(row: unknown): string | number | null {
  if (typeof row !== 'object' || row === null || !('id' in row)) return null;
  return typeof row.id === 'string' || typeof row.id === 'number' ? row.id : null;
}

// zod's own messages may quote keys, and those of refinements may contain anything; `params.what` is words of ours.
function fault({ path, ...issue }: z.core.$ZodIssue): string {
  const own: unknown = issue.code === 'custom' ? issue.params?.['what'] : undefined;
  const what = typeof own === 'string' ? own : issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.code.replaceAll('_', ' ');
  return `${path.join('.') || 'the row'}: ${what}`;
}
