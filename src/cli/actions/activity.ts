import type { Core } from '../../app/core.ts';
import { type Activity, changedFields, listActivity } from '../../operations/activity/list-activity.ts';
import { type TailedEvent, tail } from '../../operations/activity/tail.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printJsonLine, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';

export type Options = { order?: string; connection?: string; limit: number; json?: true };

export async function activity(context: CliContext, core: Core, { json, ...asked }: Options): Promise<void> {
  const acts = await listActivity(core, asked);
  if (json) return printJson(context, acts);
  if (acts.length === 0) return printLines(context, ['Nothing was done yet.']);
  printTable(context, activityTable(acts));
}

const LONGEST = 160;

/** Acts for people, a line each. */
function activityTable(acts: readonly Activity[]): PrintedTable {
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
  const parts = [named, store ?? connectionId, subject].filter((word) => word !== null);
  return parts.length === 0 ? null : oneLine(parts.join(', '));
}

/** The difference in short: `name: a → b`; nested fields by their path. */
function changeWords({ before, after }: Pick<Activity, 'before' | 'after'>): string | null {
  const fields = changedFields({ before, after }).map(({ field, was, is }) => {
    const name = field === '' ? '' : `${field}: `;
    return was === null ? `${name}${is}` : `${name}${was} → ${is ?? '-'}`;
  });
  const words = oneLine(fields.join('; '));
  if (words === '') return null;
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

export type TailOptions = { since?: number; json?: true };

export async function follow(context: CliContext, core: Core, { connection, since, json }: TailOptions & { connection: string | undefined }): Promise<void> {
  const from = since === undefined ? null : new Date(Date.now() - since).toISOString();
  for await (const event of tail(core, { connection: connection ?? null, since: from, signal: context.signal })) {
    if ('lost' in event) note(context, `The database does not answer (${event.lost}); what happens meanwhile is printed once it does.`);
    else if ('back' in event) note(context, 'The database answers again.');
    else if (json) printJsonLine(context, event.event);
    else printLines(context, [lineOf(event.event)]);
  }
}

function lineOf({ at, store, connectionId, orderId, number, words }: TailedEvent): string {
  const order = number ?? orderId;
  const about = [store ?? connectionId, order === null ? null : `order ${order}`].filter((word) => word !== null);
  return [localTime(at), ...(about.length === 0 ? [] : [oneLine(about.join(', '))]), oneLine(words)].join('  ');
}
