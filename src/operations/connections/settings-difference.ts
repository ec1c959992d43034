import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import { canonicalText } from '../../bridge/order/canonical-text.ts';

/** One setting: its keys as a path, and its value as JSON. */
export type Setting = { path: string; value: unknown };

/** One setting that is different; undefined: it is not set. */
export type SettingDifference = { path: string; before?: unknown; after?: unknown };

/** Each setting by itself, those of VAT groups and payments one by one. */
export function flatSettings(settings: SettingsInput): Setting[] {
  const { vatGroups = {}, payments = {}, ...single } = settings;
  return [
    ...Object.entries(vatGroups).map(([rate, value]) => ({ path: settingPath(['vatGroups', rate]), value })),
    ...Object.entries(payments).flatMap(([gateway, payment]) =>
      Object.entries(payment).map(([field, value]) => ({ path: settingPath(['payments', gateway, field]), value })),
    ),
    ...Object.entries(single).map(([key, value]) => ({ path: key, value })),
  ].filter(({ value }) => value !== undefined);
}

export function settingsDifference(before: SettingsInput, after: SettingsInput): SettingDifference[] {
  const [old, fresh] = [before, after].map((settings) => new Map(flatSettings(settings).map(({ path, value }) => [path, value])));
  const paths = [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])];
  return paths
    .map((path) => ({ path, before: old?.get(path), after: fresh?.get(path) }))
    .filter((one) => canonicalText([one.before ?? null]) !== canonicalText([one.after ?? null]) || (one.before === undefined) !== (one.after === undefined));
}
