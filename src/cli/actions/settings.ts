import { type ChangedSettings, changeSettings, type SettingsChange } from '../../operations/connections/change-settings.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { showSettings } from '../../operations/connections/show-settings.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import type { OneFirstOptions } from '../input/one-first-flags.ts';
import { readSettingsFile } from '../input/read-json-file.ts';
import { patienceOf, reportHeld } from '../one-first.ts';
import { plural } from '../text/plural.ts';
import { concernedLines, differenceLines, settingsLines } from '../text/settings-text.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

export type Options = OneFirstOptions & { set: string[]; unset: string[]; why?: string; json?: true };

type Given = { named: string; file: string | undefined };

export async function settings(context: CliContext, { named, file }: Given, options: Options): Promise<void> {
  const { set, unset } = options;
  const changes = set.length + unset.length > 0;
  if (changes && file !== undefined) throw new CliError('give a FILE, which replaces all settings, or --set and --unset, which change some');
  if (!changes && file === undefined) return show(context, named, options);
  const given = file === undefined ? { changes: { set, unset } } : { settings: await readSettingsFile(context, file) };
  const changed = await withNotify(context, async ({ pool, connections }, notify) => {
    const { id } = await knownConnection(connections, named);
    const change: SettingsChange = {
      id,
      by: cliActor(),
      ...(options.why === undefined ? {} : { why: options.why }),
      patience: patienceOf(context, options),
      ...given,
    };
    return changeSettings({ pool, connections, notify }, change);
  });
  report(context, changed, { replaced: file !== undefined, json: options.json === true });
  reportHeld(changed.again.held, options);
}

async function show(context: CliContext, named: string, { json }: Options): Promise<void> {
  const shown = await withCore(context, (core) => showSettings(core, named));
  if (json) printJson(context, shown.written);
  else printLines(context, settingsLines(shown));
}

function report(context: CliContext, changed: ChangedSettings, { replaced, json }: { replaced: boolean; json: boolean }): void {
  const { connection, difference, concerned, warnings, again } = changed;
  const { released, held = [] } = again;
  for (const warning of warnings) note(context, `! ${warning.en}`);
  if (json) return printJson(context, { connectionId: connection.id, difference, concerned, warnings: warnings.map(({ en }) => en), released, held });
  const isUnset = difference.some(({ path, after }) => path === 'recordFrom' && after === undefined);
  printLines(context, [
    `The settings of ${connection.id} are ${replaced ? 'replaced' : 'changed'}; ${plural(released, 'order in review is', 'orders in review are')} decided again.`,
    ...differenceLines(connection.id, difference),
    ...concernedLines(concerned),
    ...(isUnset ? [`Orders paid from ${connection.recordFrom} on are still taken.`] : []),
  ]);
}
