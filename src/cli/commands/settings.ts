import { Command } from 'commander';
import { changeSettings } from '../../operations/connections/change-settings.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { readSettingsFile } from '../input/read-json-file.ts';
import { withWake } from '../with-queues.ts';

/** `orderbridge settings` */
export function settingsCommand(context: CliContext): Command {
  return new Command('settings')
    .description(
      'Replaces the settings of a connection with those in a JSON file: every key is optional, unknown keys are refused, absent ones have their default. ' +
        'Orders that were parked for an unmapped VAT rate or payment method (or, with removeWithoutRefund, for an unproven removal) are decided again. ' +
        'Orders that were ignored or waiting are decided again, too. Recorded orders keep the mapping that they were recorded with.',
    )
    .argument('<id>', 'id of the connection')
    .argument('<file>', 'JSON file, such as {"vatGroups": {"9": "GROUP_D"}, "payments": {"cod": {"paymentType": "POSTAL_PAYMENT"}}}')
    .action((id: string, file: string) => replaceSettings(context, id, file));
}

async function replaceSettings(context: CliContext, id: string, file: string): Promise<void> {
  const settings = await readSettingsFile(context, file);
  const { released, unwoken } = await withWake(context, ({ pool, connections }, wake) => changeSettings({ pool, connections, wake }, { id, settings }));
  if (unwoken !== null) note(context, unwoken);
  const orders = released === 1 ? '1 parked order is' : `${released} parked orders are`;
  printLines(context, [`The settings of ${id} are replaced; ${orders} decided again.`]);
}
