import { Command } from 'commander';
import { type ChangedSettings, changeSettings, type SettingsChange } from '../../operations/connections/change-settings.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { showSettings } from '../../operations/connections/show-settings.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { seconds } from '../input/arguments.ts';
import { Mistyped } from '../input/mistyped.ts';
import { readSettingsFile } from '../input/read-json-file.ts';
import { ALL_AT_ONCE, type OneFirstOptions, patienceOf, reportHeld, WAIT } from '../one-first.ts';
import { concernedLines, differenceLines, settingsLines } from '../text/settings-text.ts';
import { withCore } from '../with-core.ts';
import { withWake } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

type Options = OneFirstOptions & { set: string[]; unset: string[]; why?: string; json?: true };

/** `orderbridge settings` */
export function settingsCommand(context: CliContext): Command {
  return new Command('settings')
    .description(
      'Shows the settings of a connection, changes some of them (--set, --unset), or replaces them with those in a JSON file: every key is optional, unknown keys are refused, absent ones have their default. ' +
        'Orders that were parked for an unmapped VAT rate or payment method (or, with removeWithoutRefund, for an unproven removal) are decided again, ' +
        'refused ones if another record would be sent for them now. Of more than 20, one goes first, and the rest follow once it is recorded. ' +
        'Orders that were ignored or waiting are decided again, too. Recorded orders keep the mapping that they were recorded with.',
    )
    .argument('<connection>', 'id or name of the connection')
    .argument('[file]', 'JSON file, such as {"vatGroups": {"9": "GROUP_D"}, "payments": {"cod": {"paymentType": "POSTAL_PAYMENT"}}}')
    .option(
      '--set <path=value>',
      'set one, such as vatGroups.9=GROUP_D or payments.cod.paymentType=POSTAL_PAYMENT; the value is JSON, else text (repeatable)',
      collect,
      [],
    )
    .option('--unset <path>', 'have its default again, such as payments.cod (repeatable)', collect, [])
    .option('--why <words>', 'why, for `orderbridge activity`')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--json', 'print JSON: the settings as they were given, or {connectionId, difference, concerned, warnings, released, held}')
    .action((named: string, file: string | undefined, options: Options) => settings(context, { named, file }, options));
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

type Given = { named: string; file: string | undefined };

async function settings(context: CliContext, { named, file }: Given, options: Options): Promise<void> {
  const { set, unset } = options;
  const changes = set.length + unset.length > 0;
  if (changes && file !== undefined) throw new Mistyped('give a FILE, which replaces all settings, or --set and --unset, which change some');
  if (!changes && file === undefined) return show(context, named, options);
  const given = file === undefined ? { changes: { set, unset } } : { settings: await readSettingsFile(context, file) };
  const changed = await withWake(context, async ({ pool, connections }, wake) => {
    const { id } = await knownConnection(connections, named);
    const change: SettingsChange = {
      id,
      by: cliActor(),
      ...(options.why === undefined ? {} : { why: options.why }),
      patience: patienceOf(context, options),
      ...given,
    };
    return changeSettings({ pool, connections, wake }, change);
  });
  report(context, changed, { replaced: file !== undefined, json: options.json === true });
  reportHeld(context, changed.again.held, options);
}

async function show(context: CliContext, named: string, { json }: Options): Promise<void> {
  const shown = await withCore(context, (core) => showSettings(core, named));
  if (json) printJson(context, shown.written);
  else printLines(context, settingsLines(shown, context.lang ?? 'en'));
}

function report(context: CliContext, changed: ChangedSettings, { replaced, json }: { replaced: boolean; json: boolean }): void {
  const { connection, difference, concerned, warnings, again } = changed;
  const { released, held = [] } = again;
  for (const warning of warnings) note(context, `! ${warning[context.lang ?? 'en']}`);
  if (json) return printJson(context, { connectionId: connection.id, difference, concerned, warnings: warnings.map(({ en }) => en), released, held });
  const words = wordsFor(context);
  const { settings: say } = words.stores;
  const isUnset = difference.some(({ path, after }) => path === 'recordFrom' && after === undefined);
  printLines(context, [
    (replaced ? say.replaced : say.changed)(connection.id, released),
    ...differenceLines(connection.id, difference, words),
    ...concernedLines(concerned, words),
    ...(isUnset ? [say.stillTaken(connection.recordFrom)] : []),
  ]);
}
