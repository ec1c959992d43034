import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/settings.ts';
import { seconds } from '../input/arguments.ts';
import { ALL_AT_ONCE, WAIT } from '../input/one-first-flags.ts';

const actions = () => import('../actions/settings.ts');

/** `orderbridge settings` */
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
    .option('--unset <path>', 'have its default again, such as payments.cod (repeatable)', collect, [])
    .option('--why <words>', 'why, for `orderbridge activity`')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--json', 'print JSON: the settings as they were given, or {connectionId, difference, concerned, warnings, released, held}')
    .action(async (named: string, file: string | undefined, options: Options) => (await actions()).settings(context, { named, file }, options));
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
