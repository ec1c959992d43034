import { settingKeys, settingPath } from '../../bridge/connections/setting-path.ts';
import type { ChangedSettings } from '../../operations/connections/change-settings.ts';
import type { SettingDifference } from '../../operations/connections/settings-difference.ts';
import type { ShownSettings } from '../../operations/connections/show-settings.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { type CliWords, en } from '../words/en.ts';

/** Each setting as `path = value`, those that have their default marked. */
export function settingsLines({ connectionId, settings, warnings, review }: ShownSettings): string[] {
  const { settings: say } = en.stores;
  return [
    ...settings.map(({ path, value, isDefault }) => `${oneLine(path)} = ${valueText(value)}${isDefault ? `  ${say.default}` : ''}`),
    ...(Object.keys(review).length === 0
      ? []
      : [say.curable(reviewText(review, say)), say.release(`orderbridge release --code CODE --connection ${connectionId}`)]),
    ...warnings.map((warning) => `! ${oneLine(warning.en)}`),
  ];
}

type Say = CliWords['stores']['settings'];

/** How many orders a change concerns. */
export function concernedLines({ review, ignored, waiting }: ChangedSettings['concerned'], words: CliWords): string[] {
  const { settings: say } = words.stores;
  const counts = [
    ...(Object.keys(review).length === 0 ? [] : [say.counts.review(reviewText(review, say))]),
    ...(ignored === 0 ? [] : [say.counts.ignored(ignored)]),
    ...(waiting === 0 ? [] : [say.counts.waiting(waiting)]),
  ];
  return counts.length === 0 ? [] : [say.concerned(counts.join('; '))];
}

function reviewText(review: Record<string, number>, say: Say): string {
  return Object.entries(review)
    .map(([code, orders]) => say.ofCode(orders, code))
    .join(', ');
}

/** What is different, and the command that undoes it. */
export function differenceLines(connectionId: string, difference: readonly SettingDifference[], words: CliWords): string[] {
  const { settings: say } = words.stores;
  if (difference.length === 0) return [say.none];
  const lines = difference.map(({ path, before, after }) => `  ${oneLine(path)}: ${stateText(before, say)} → ${stateText(after, say)}`);
  return [...lines, say.undo(`orderbridge settings ${connectionId} ${undoFlags(difference).join(' ')}`)];
}

function stateText(value: unknown, say: Say): string {
  return value === undefined ? say.notSet : valueText(value);
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
