import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

/**
 * What is wrong with a value, for people, where its schema has no words of its own: to be handed to a parse as its `error`. The words end a sentence
 * that begins with the path, hold no value, and name what was probably meant.
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input);
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.inst);
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time with its zone, such as 2026-12-01T00:00:00+02:00' : 'is not written as expected';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not a name that is expected here';
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    default:
      return 'is not as expected';
  }
};

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function oneOf(values: readonly string[], given: unknown): string {
  if (given === undefined) return 'is missing';
  return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}${typeof given === 'string' ? didYouMean(given, values) : ''}`;
}

// A body may have a million unknown names.
const MOST_KEYS = 10;

/** One line for each key that the schema does not have. */
function unknownKeys(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const lines = keys.slice(0, MOST_KEYS).map((key) => `${key} is not known${didYouMean(key, known)}`);
  return [...lines, ...(keys.length > MOST_KEYS ? [`${keys.length - MOST_KEYS} more names are not known`] : [])].join('\n');
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'string' || origin === 'array')
    return least <= 1 ? 'must not be empty' : `must have ${least} ${origin === 'string' ? 'characters' : 'entries'} at least`;
  return `must be ${least} or more`;
}

function tooBig(origin: string, most: number): string {
  if (origin === 'string') return `must have ${most} characters at most`;
  return origin === 'array' ? `must have ${most} entries at most` : `must be ${most} at most`;
}

/** Each problem as a sentence: "recordFrom must be …", "recordFrm is not known; did you mean recordFrom?". `whole` names the value itself. */
export function problemSentences({ issues }: z.ZodError, whole: string): string[] {
  return issues.flatMap(({ code, path, message }) => {
    const where = path.map(String).join('.');
    if (code === 'unrecognized_keys') return message.split('\n').map((line) => (where === '' ? line : `${where}: ${line}`));
    return [`${where === '' ? whole : where} ${message}`];
  });
}
