import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { type Lang, type LocalizedText, messages } from './messages.ts';

const all = messages({
  missing: { en: 'is missing', bg: 'липсва' },
  kinds: {
    string: { en: 'text', bg: 'текст' },
    number: { en: 'a number', bg: 'число' },
    int: { en: 'a whole number', bg: 'цяло число' },
    boolean: { en: 'true or false', bg: 'true или false' },
    array: { en: 'a list', bg: 'списък' },
    object: { en: 'an object', bg: 'обект' },
    record: { en: 'an object', bg: 'обект' },
    null: { en: 'null', bg: 'null' },
  } as Readonly<Record<string, LocalizedText>>,
  otherKind: { en: (kind: string): string => `a ${kind}`, bg: (kind: string) => kind },
  mustBe: { en: 'must be', bg: 'трябва да е' },
  oneOf: { en: 'one of ', bg: 'едно от ' },
  time: {
    en: 'must be a time with its zone, such as 2026-12-01T00:00:00+02:00',
    bg: 'трябва да е час с часовата му зона, например 2026-12-01T00:00:00+02:00',
  },
  format: { en: 'is not written as expected', bg: 'не е изписано, както се очаква' },
  key: { en: 'is not a name that is expected here', bg: 'не е име, каквото се очаква тук' },
  other: { en: 'is not as expected', bg: 'не е, каквото се очаква' },
  unknown: { en: (key: string): string => `${key} is not known`, bg: (key: string) => `${key} не е познато` },
  moreUnknown: { en: (count: number): string => `${count} more names are not known`, bg: (count: number) => `още непознати имена: ${count}` },
  empty: { en: 'must not be empty', bg: 'не може да е празно' },
  characters: { en: 'characters', bg: 'знака' },
  entries: { en: 'entries', bg: 'стойности' },
  least: { en: (n: number, of: string): string => `must have ${n} ${of} at least`, bg: (n: number, of: string) => `трябва да има поне ${n} ${of}` },
  most: { en: (n: number, of: string): string => `must have ${n} ${of} at most`, bg: (n: number, of: string) => `може да има най-много ${n} ${of}` },
  orMore: { en: (n: number): string => `must be ${n} or more`, bg: (n: number) => `трябва да е ${n} или повече` },
  atMost: { en: (n: number): string => `must be ${n} at most`, bg: (n: number) => `може да е най-много ${n}` },
});

/**
 * What is wrong with a value, for people, where its schema has no words of its own: to be handed to a parse as its `error`. The words end a sentence
 * that begins with the path, hold no value, and name what was probably meant. What a schema says by itself stays as it is in every language.
 */
export function plainWordsIn(lang: Lang): z.core.$ZodErrorMap {
  const w = all[lang];
  return (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? w.missing : `${w.mustBe} ${w.kinds[issue.expected] ?? w.otherKind(issue.expected)}`;
      case 'invalid_value':
        return oneOf(issue.values.map(String), issue.input, lang);
      case 'unrecognized_keys':
        return unknownKeys(issue.keys, issue.inst, lang);
      case 'invalid_format':
        return issue.format === 'datetime' ? w.time : w.format;
      case 'invalid_key':
        return issue.issues[0]?.message ?? w.key;
      case 'too_small':
        return tooSmall(issue.origin, Number(issue.minimum), lang);
      case 'too_big':
        return tooBig(issue.origin, Number(issue.maximum), lang);
      default:
        return w.other;
    }
  };
}

export const plainWords = plainWordsIn('en');

function oneOf(values: readonly string[], given: unknown, lang: Lang): string {
  const w = all[lang];
  if (given === undefined) return w.missing;
  return `${w.mustBe} ${values.length === 1 ? '' : w.oneOf}${values.join(', ')}${typeof given === 'string' ? didYouMean(given, values, lang) : ''}`;
}

// A body may have a million unknown names.
const MOST_KEYS = 10;

/** One line for each key that the schema does not have. */
function unknownKeys(keys: readonly string[], schema: unknown, lang: Lang): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const lines = keys.slice(0, MOST_KEYS).map((key) => `${all[lang].unknown(key)}${didYouMean(key, known, lang)}`);
  return [...lines, ...(keys.length > MOST_KEYS ? [all[lang].moreUnknown(keys.length - MOST_KEYS)] : [])].join('\n');
}

function tooSmall(origin: string, least: number, lang: Lang): string {
  const w = all[lang];
  if (origin !== 'string' && origin !== 'array') return w.orMore(least);
  return least <= 1 ? w.empty : w.least(least, origin === 'string' ? w.characters : w.entries);
}

function tooBig(origin: string, most: number, lang: Lang): string {
  const w = all[lang];
  if (origin !== 'string' && origin !== 'array') return w.atMost(most);
  return w.most(most, origin === 'string' ? w.characters : w.entries);
}

/** Each problem as a sentence: "recordFrom must be …", "recordFrm is not known; did you mean recordFrom?". `whole` names the value itself. */
export function problemSentences({ issues }: z.ZodError, whole: string): string[] {
  return issues.flatMap(({ code, path, message }) => {
    const where = path.map(String).join('.');
    if (code === 'unrecognized_keys') return message.split('\n').map((line) => (where === '' ? line : `${where}: ${line}`));
    return [`${where === '' ? whole : where} ${message}`];
  });
}
