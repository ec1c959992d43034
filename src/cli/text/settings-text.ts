import { settingKeys, settingPath } from '../../bridge/connections/setting-path.ts';
import type { ChangedSettings } from '../../operations/connections/change-settings.ts';
import type { SettingDifference } from '../../operations/connections/settings-difference.ts';
import type { ShownSettings } from '../../operations/connections/show-settings.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';

/** Each setting as `path = value`, those that have their default marked. */
export function settingsLines({ connectionId, settings, warnings, review }: ShownSettings): string[] {
  return [
    ...settings.map(({ path, value, isDefault }) => `${oneLine(path)} = ${valueText(value)}${isDefault ? `  (default)` : ''}`),
    ...(Object.keys(review).length === 0
      ? []
      : [
          `Orders in review that settings may cure: ${reviewText(review)}`,
          `(\`orderbridge release --code CODE --connection ${connectionId}\` decides them again as the settings are)`,
        ]),
    ...warnings.map((warning) => `! ${oneLine(warning.en)}`),
  ];
}

/** How many orders a change concerns. */
export function concernedLines({ review, ignored, waiting }: ChangedSettings['concerned']): string[] {
  const counts = [
    ...(Object.keys(review).length === 0 ? [] : [`in review: ${reviewText(review)}`]),
    ...(ignored === 0 ? [] : [`ignored: ${ignored}`]),
    ...(waiting === 0 ? [] : [`waiting: ${waiting}`]),
  ];
  return counts.length === 0 ? [] : [`Orders that may be decided otherwise now: ${counts.join('; ')}.`];
}

function reviewText(review: Record<string, number>): string {
  return Object.entries(review)
    .map(([code, orders]) => `${orders} as ${code}`)
    .join(', ');
}

/** What is different, and the command that undoes it. */
export function differenceLines(connectionId: string, difference: readonly SettingDifference[]): string[] {
  if (difference.length === 0) return ['No setting is different.'];
  const lines = difference.map(({ path, before, after }) => `  ${oneLine(path)}: ${stateText(before)} → ${stateText(after)}`);
  return [...lines, `To undo it: orderbridge settings ${connectionId} ${undoFlags(difference).join(' ')}`];
}

function stateText(value: unknown): string {
  return value === undefined ? '(not set)' : valueText(value);
}

/** A payment method that was not there goes as a whole: without its type it is no setting. */
function undoFlags(difference: readonly SettingDifference[]): string[] {
  const added = new Set(difference.flatMap(({ path, before }) => (before === undefined && path.endsWith(PAYMENT_TYPE) ? [methodOf(path)] : [])));
  const undone = difference.map(({ path, before }) =>
    before === undefined ? `--unset ${shellWord(added.has(methodOf(path)) ? methodOf(path) : path)}` : `--set ${shellWord(`${path}=${valueText(before)}`)}`,
  );
  return [...new Set(undone)];
}

const PAYMENT_TYPE = '.paymentType';

/** "payments.cod" of "payments.cod.paymentType". */
function methodOf(path: string): string {
  return settingPath((settingKeys(path) ?? []).slice(0, 2));
}

/** A value as `--set` takes it: text as it is, unless it would be read as JSON. */
function valueText(value: unknown): string {
  return typeof value === 'string' && !isJson(value) ? oneLine(value) : JSON.stringify(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shellWord(text: string): string {
  return /^[\w.,:/=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
