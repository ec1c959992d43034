import { Command } from 'commander';
import { counted } from '../../contract/plural.ts';
import type { ChangedSettings, SettingsChange } from '../../operations/connections/change-settings.ts';
import type { SettingDifference, ShownSettings } from '../../operations/connections/show-settings.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { seconds } from '../input/arguments.ts';
import { readSettingsFile } from '../input/read-file.ts';
import { ALL_AT_ONCE, type OneFirstOptions, WAIT } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

export function settingsCommand(context: CliContext): Command {
  return new Command('settings')
    .description(
      'Shows the settings of a connection, changes some of them (--set, --unset), or replaces them with those in a JSON file: every key is optional, unknown keys are refused, absent ones have their default. ' +
        'Orders that needed review for an unmapped VAT rate or payment method (or, with removeWithoutRefund, for an unproven removal) are decided again, ' +
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
    .option('--unset <path>', 'restore its default, such as payments.cod (repeatable)', collect, [])
    .option('--why <words>', 'why, for `orderbridge activity`')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--json', 'print JSON: the settings as they were given, or {connectionId, difference, concerned, warnings, released, notReleased}')
    .action((named: string, file: string | undefined, options: Options) => settings(context, { named, file }, options));
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

type Options = OneFirstOptions & { set: string[]; unset: string[]; why?: string; json?: true };
type Paths = typeof import('../../bridge/connections/setting-path.ts');

async function settings(context: CliContext, { named, file }: { named: string; file: string | undefined }, options: Options): Promise<void> {
  const { firstTryOf, reportNotReleased } = await import('../not-released.ts');
  const { changeSettings } = await import('../../operations/connections/change-settings.ts');
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
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
      firstTry: firstTryOf(context, options),
      ...given,
    };
    return changeSettings({ pool, connections, notify }, change);
  });
  await report(context, changed, { replaced: file !== undefined, json: options.json === true });
  reportNotReleased(changed.again.notReleased, options);
}

async function show(context: CliContext, named: string, { json }: Options): Promise<void> {
  const { showSettings } = await import('../../operations/connections/show-settings.ts');
  const shown = await withCore(context, (core) => showSettings(core, named));
  if (json) printJson(context, shown.written);
  else printLines(context, settingsLines(shown));
}

async function report(context: CliContext, changed: ChangedSettings, { replaced, json }: { replaced: boolean; json: boolean }): Promise<void> {
  const paths = await import('../../bridge/connections/setting-path.ts');
  const { connection, difference, concerned, warnings, again } = changed;
  const { released, notReleased = [] } = again;
  for (const warning of warnings) note(context, `! ${warning.en}`);
  if (json) return printJson(context, { connectionId: connection.id, difference, concerned, warnings: warnings.map(({ en }) => en), released, notReleased });
  const isUnset = difference.some(({ path, after }) => path === 'recordFrom' && after === undefined);
  printLines(context, [
    `The settings of ${connection.id} are ${replaced ? 'replaced' : 'changed'}; ${counted.en(released, 'order in review is', 'orders in review are')} decided again.`,
    ...differenceLines(connection.id, difference, paths),
    ...concernedLines(concerned),
    ...(isUnset ? [`Orders paid from ${connection.recordFrom} on are still recorded.`] : []),
  ]);
}

/** Each setting as `path = value`, those that have their default marked. */
function settingsLines({ connectionId, settings, warnings, review }: ShownSettings): string[] {
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
function concernedLines({ review, ignored, waiting }: ChangedSettings['concerned']): string[] {
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
function differenceLines(connectionId: string, difference: readonly SettingDifference[], paths: Paths): string[] {
  if (difference.length === 0) return ['No setting is different.'];
  const lines = difference.map(({ path, before, after }) => `  ${oneLine(path)}: ${stateText(before)} → ${stateText(after)}`);
  return [...lines, `To undo it: orderbridge settings ${connectionId} ${undoFlags(difference, paths).join(' ')}`];
}

function stateText(value: unknown): string {
  return value === undefined ? '(not set)' : valueText(value);
}

/** A payment method that was not there goes as a whole: without its type it is no setting. */
function undoFlags(difference: readonly SettingDifference[], paths: Paths): string[] {
  // "payments.cod" of "payments.cod.paymentType".
  const methodOf = (path: string) => paths.settingPath((paths.settingKeys(path) ?? []).slice(0, 2));
  const added = new Set(difference.flatMap(({ path, before }) => (before === undefined && path.endsWith(PAYMENT_TYPE) ? [methodOf(path)] : [])));
  const undone = difference.map(({ path, before }) =>
    before === undefined ? `--unset ${shellWord(added.has(methodOf(path)) ? methodOf(path) : path)}` : `--set ${shellWord(`${path}=${valueText(before)}`)}`,
  );
  return [...new Set(undone)];
}

const PAYMENT_TYPE = '.paymentType';

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
