import type { Activity } from '../../operations/activity/list-activity.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import type { PrintedTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';

const LONGEST = 160;

/** Acts for people, a line each. */
export function activityTable(acts: readonly Activity[]): PrintedTable {
  return {
    header: ['time', 'who', 'what', 'about', 'change', 'why'],
    rows: acts.map((act) => [localTime(act.at), act.who, act.means.replace(/\.$/, ''), aboutWords(act), changeWords(act), act.why]),
    give: ['why', 'change'],
    keep: ['time'],
  };
}

/** What an act was done to: the order and its store, and whatever else it names. */
function aboutWords({ order, store, connectionId, subject }: Pick<Activity, 'order' | 'store' | 'connectionId' | 'subject'>): string | null {
  const named = order === null ? null : `order ${order.number ?? order.orderId}`;
  const words = [named, store ?? connectionId, subject].filter((word) => word !== null);
  return words.length === 0 ? null : oneLine(words.join(', '));
}

/** The difference in short: `name: a → b`; nested fields by their path. */
function changeWords({ before, after }: Pick<Activity, 'before' | 'after'>): string | null {
  const was = flat(before);
  const is = flat(after);
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => was[field] !== is[field]);
  const fields = changed.map((field) => {
    const name = field === '' ? '' : `${field}: `;
    return was[field] === undefined ? `${name}${is[field]}` : `${name}${was[field]} → ${is[field] ?? '-'}`;
  });
  const words = oneLine(fields.join('; '));
  if (words === '') return null;
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function flat(value: unknown, path = ''): Record<string, string> {
  if (value === undefined || (value === null && path === '')) return {};
  if (value === null || typeof value !== 'object') return { [path]: value === null ? '-' : String(value) };
  if (Array.isArray(value)) return { [path]: JSON.stringify(value) };
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => flat(part, path === '' ? key : `${path}.${key}`)));
}
