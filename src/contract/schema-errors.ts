import type { z } from 'zod';

/** One bad field: where ("lineItems[0].price"; "" is the body itself) and what is wrong with it. Never the value. */
export type FieldError = { path: string; message: string };

/** Zod's issues as errors of the interface, one for each bad or unknown field: what else is said of a field that is bad already follows from that. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const all = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pathText(issue.path), message: worded(issue) }];
    return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: 'is not a known field' }));
  });
  return [...new Map(all.toReversed().map((error) => [error.path, error])).values()].toReversed();
}

function worded(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_value' && issue.input === undefined) return 'is required';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'is required' : `must be ${wordFor(issue.expected)}`;
  return issue.message;
}

function wordFor(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return expected === 'array' || expected === 'object' ? `an ${expected}` : `a ${expected}`;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`), '');
}
