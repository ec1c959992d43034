import type { Core } from '../../app/core.ts';
import { listActivity } from '../../operations/activity/list-activity.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { activityTable } from '../text/activity-text.ts';

export type Options = { order?: string; connection?: string; limit: number; json?: true };

export async function activity(context: CliContext, core: Core, { json, ...asked }: Options): Promise<void> {
  const acts = await listActivity(core, asked);
  if (json) return printJson(context, acts);
  if (acts.length === 0) return printLines(context, ['Nothing was done yet.']);
  printTable(context, activityTable(acts));
}
