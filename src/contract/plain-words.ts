import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import type { Lang } from './said.ts';

type Phrases = {
  missing: string;
  mustBe(what: string): string;
  kinds: Readonly<Record<string, string>>;
  otherKind(name: string): string;
  oneOf: string;
  unknown(name: string): string;
  moreUnknown(names: number): string;
  time: string;
  form: string;
  name: string;
  units: Readonly<Record<string, string>>;
  /** `unit` undefined: of a number. */
  least(least: number, unit: string | undefined): string;
  most(most: number, unit: string | undefined): string;
  other: string;
};

const phrases: Readonly<Record<Lang, Phrases>> = {
  en: {
    missing: 'is missing',
    mustBe: (what) => `must be ${what}`,
    kinds: {
      ...{ string: 'text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
      ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null' },
    },
    otherKind: (name) => `a ${name}`,
    oneOf: 'one of ',
    unknown: (name) => `${name} is not known`,
    moreUnknown: (names) => `${names} more names are not known`,
    time: 'must be a time with its zone, such as 2026-12-01T00:00:00+02:00',
    form: 'is not written as expected',
    name: 'is not a name that is expected here',
    units: { string: 'characters', array: 'entries' },
    least(least, unit) {
      if (unit === undefined) return `must be ${least} or more`;
      return least <= 1 ? 'must not be empty' : `must have ${least} ${unit} at least`;
    },
    most: (most, unit) => (unit === undefined ? `must be ${most} at most` : `must have ${most} ${unit} at most`),
    other: 'is not as expected',
  },
  bg: {
    missing: 'липсва',
    mustBe: (what) => `трябва да е ${what}`,
    kinds: {
      ...{ string: 'текст', number: 'число', int: 'цяло число', boolean: 'true или false' },
      ...{ array: 'списък', object: 'обект', record: 'обект', null: 'null' },
    },
    otherKind: (name) => name,
    oneOf: 'едно от ',
    unknown: (name) => `${name} не е познато`,
    moreUnknown: (names) => `още непознати имена: ${names}`,
    time: 'трябва да е час с часовата му зона, например 2026-12-01T00:00:00+02:00',
    form: 'не е изписано, както се очаква',
    name: 'не е име, каквото се очаква тук',
    units: { string: 'знака', array: 'стойности' },
    least(least, unit) {
      if (unit === undefined) return `трябва да е ${least} или повече`;
      return least <= 1 ? 'не може да е празно' : `трябва да има поне ${least} ${unit}`;
    },
    most: (most, unit) => (unit === undefined ? `може да е най-много ${most}` : `може да има най-много ${most} ${unit}`),
    other: 'не е, каквото се очаква',
  },
};

function wordsIn(lang: Lang): z.core.$ZodErrorMap {
  const say = phrases[lang];
  return (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined ? say.missing : say.mustBe(say.kinds[issue.expected] ?? say.otherKind(issue.expected));
      case 'invalid_value':
        return issue.input === undefined ? say.missing : oneOf(issue.values.map(String), issue.input, lang);
      case 'unrecognized_keys':
        return unknownKeys(issue.keys, issue.inst, lang);
      case 'invalid_format':
        return issue.format === 'datetime' ? say.time : say.form;
      case 'invalid_key':
        return issue.issues[0]?.message ?? say.name;
      case 'too_small':
        return say.least(Number(issue.minimum), say.units[issue.origin]);
      case 'too_big':
        return say.most(Number(issue.maximum), say.units[issue.origin]);
      default:
        return say.other;
    }
  };
}

function oneOf(values: readonly string[], given: unknown, lang: Lang): string {
  const say = phrases[lang];
  const meant = typeof given === 'string' ? didYouMean(given, values, lang) : '';
  return `${say.mustBe(`${values.length === 1 ? '' : say.oneOf}${values.join(', ')}`)}${meant}`;
}

// A body may have a million unknown names.
const MOST_KEYS = 10;

function unknownKeys(keys: readonly string[], schema: unknown, lang: Lang): string {
  const say = phrases[lang];
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const lines = keys.slice(0, MOST_KEYS).map((key) => `${say.unknown(key)}${didYouMean(key, known, lang)}`);
  return [...lines, ...(keys.length > MOST_KEYS ? [say.moreUnknown(keys.length - MOST_KEYS)] : [])].join('\n');
}

/**
 * What is wrong with a value, for people, where its schema has no words of its own: to be handed to a parse as its `error`. The words end a sentence
 * that begins with the path, hold no value, and name what was probably meant; unknown keys have a line each.
 */
export const plainWords = wordsIn('en');
export const plainWordsInBulgarian = wordsIn('bg');

/** Each problem as a sentence: "recordFrom must be …", "recordFrm is not known; did you mean recordFrom?". `whole` names the value itself. */
export function problemSentences({ issues }: z.ZodError, whole: string): string[] {
  return issues.flatMap(({ code, path, message }) => {
    const where = path.map(String).join('.');
    if (code === 'unrecognized_keys') return message.split('\n').map((line) => (where === '' ? line : `${where}: ${line}`));
    return [`${where === '' ? whole : where} ${message}`];
  });
}
