import { readSettings, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { pathAndValue, settingKeys, settingPath } from '../../bridge/connections/setting-path.ts';
import { canonicalRate } from '../../bridge/order/facts/settings.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import type { Lang } from '../../contract/messages.ts';
import { Refusal } from '../refusal.ts';

/** `PATH=VALUE` to set and `PATH` to unset, as they were typed. */
export type SettingsChanges = { set: readonly string[]; unset: readonly string[] };

type Json = Record<string, unknown>;
type Keys = readonly string[];
type Assignment = { keys: Keys; value: unknown; text: string };

/** The settings with the changes; what is unset goes first. Refuses what is not right, with every problem. */
export function editedSettings(before: SettingsInput, { set, unset }: SettingsChanges): SettingsInput {
  const left = unset.reduce<Json>((settings, path) => without(settings, settingKeysOf(path)), { ...before });
  const assignments = set.map(assignment);
  const asJson = readSettings(assignments.reduce(withValue, left));
  if (asJson.ok) return asJson.settings;
  // A number may be meant as text, such as a rate: it is one where only text is taken.
  const texts = assignments.map((one) => (asJson.problems.some(({ en }) => en === `${one.keys.join('.')} must be text`) ? { ...one, value: one.text } : one));
  const read = readSettings(texts.reduce(withValue, left));
  if (read.ok) return read.settings;
  const problems = (lang: Lang) => read.problems.map((problem) => `  ${problem[lang]}`).join('\n');
  throw new Refusal('invalid', {
    en: `the settings are not right; nothing was changed:\n${problems('en')}`,
    bg: `настройките не са верни; нищо не беше променено:\n${problems('bg')}`,
  });
}

function assignment(given: string): Assignment {
  const parts = pathAndValue(given);
  if (parts === null) {
    throw new Refusal('invalid', {
      en: `--set ${given}: a path, = and a value are expected, such as vatGroups.9=GROUP_D`,
      bg: `--set ${given}: очаква се път, = и стойност, например vatGroups.9=GROUP_D`,
    });
  }
  return { keys: settingKeysOf(parts.path), value: valueIn(parts.value), text: parts.value };
}

function settingKeysOf(path: string): Keys {
  const keys = settingKeys(path);
  if (keys === null) throw new Refusal('invalid', { en: `${path}: a quote is not closed`, bg: `${path}: кавичка не е затворена` });
  return keys;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withValue(settings: Json, { keys, value }: Pick<Assignment, 'keys' | 'value'>): Json {
  const [top = '', ...rest] = keys;
  if (rest.length === 0) return { ...settings, [top]: value };
  const inner = objectOf(settings[top]);
  const key = top === 'vatGroups' ? knownRate(inner, rest[0] ?? '') : (rest[0] ?? '');
  const [, field] = rest;
  return { ...settings, [top]: { ...inner, [key]: field === undefined ? value : { ...objectOf(inner[key]), [field]: value } } };
}

/** "9.0" is the entry "9". */
function knownRate(groups: Json, rate: string): string {
  return Object.keys(groups).find((known) => canonicalRate(known) === canonicalRate(rate)) ?? rate;
}

function without(settings: Json, keys: Keys): Json {
  const [top = '', key, field] = keys;
  if (key === undefined) return dropped(settings, top, keys);
  const inner = objectOf(settings[top]);
  const name = top === 'vatGroups' ? knownRate(inner, key) : key;
  const left = field === undefined ? dropped(inner, name, keys) : { ...inner, [name]: dropped(objectOf(inner[name]), field, keys) };
  return { ...settings, [top]: left };
}

function dropped(object: Json, key: string, keys: Keys): Json {
  if (!Object.hasOwn(object, key)) {
    const [path, set] = [settingPath(keys), Object.keys(object)];
    const said = { en: `${path} is not set${didYouMean(key, set)}`, bg: `${path} не е зададено${didYouMean(key, set, 'bg')}` };
    throw new Refusal('invalid', { ...said, advice: { en: 'nothing was changed', bg: 'нищо не беше променено' } });
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function objectOf(value: unknown): Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
}
