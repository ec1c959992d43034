import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

/** The same as `plainWords`, for people who read Bulgarian; what a schema says by itself stays as it is. */
export const plainWordsInBulgarian: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'липсва' : `трябва да е ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values.map(String), issue.input);
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.inst);
    case 'invalid_format':
      return issue.format === 'datetime' ? 'трябва да е час с часовата му зона, например 2026-12-01T00:00:00+02:00' : 'не е изписано, както се очаква';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'не е име, каквото се очаква тук';
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    default:
      return 'не е, каквото се очаква';
  }
};

const kinds: Readonly<Record<string, string>> = {
  string: 'текст',
  number: 'число',
  int: 'цяло число',
  boolean: 'true или false',
  array: 'списък',
  object: 'обект',
  record: 'обект',
  null: 'null',
};

function oneOf(values: readonly string[], given: unknown): string {
  if (given === undefined) return 'липсва';
  const meant = typeof given === 'string' ? didYouMean(given, values, 'bg') : '';
  return `трябва да е ${values.length === 1 ? '' : 'едно от '}${values.join(', ')}${meant}`;
}

const MOST_KEYS = 10;

function unknownKeys(keys: readonly string[], schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const lines = keys.slice(0, MOST_KEYS).map((key) => `${key} не е познато${didYouMean(key, known, 'bg')}`);
  return [...lines, ...(keys.length > MOST_KEYS ? [`още непознати имена: ${keys.length - MOST_KEYS}`] : [])].join('\n');
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'string' || origin === 'array')
    return least <= 1 ? 'не може да е празно' : `трябва да има поне ${least} ${origin === 'string' ? 'знака' : 'стойности'}`;
  return `трябва да е ${least} или повече`;
}

function tooBig(origin: string, most: number): string {
  if (origin === 'string') return `може да има най-много ${most} знака`;
  return origin === 'array' ? `може да има най-много ${most} стойности` : `може да е най-много ${most}`;
}
