import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { replan } from '../../bridge/ledger/behind-store.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { readSettingsFile } from '../input/read-json-file.ts';
import { knownConnection } from '../known-connection.ts';
import { wakeOrders } from '../wake-orders.ts';
import { withCore } from '../with-core.ts';

const MAPPING = ['vat.unmapped', 'payment.unmapped'];

/** `orderbridge settings` */
export function settingsCommand(context: CliContext): Command {
  return new Command('settings')
    .description(
      'Replaces the settings of a connection with those in a JSON file: every key is optional, unknown keys are refused, what is left out has its default. ' +
        'Orders that were parked for an unmapped VAT rate or payment method (or, with removeWithoutRefund, for an unproven removal) are planned again. ' +
        'Orders that were ignored or waiting are looked at again. Recorded orders keep the mapping that they were recorded with.',
    )
    .argument('<id>', 'id of the connection')
    .argument('<file>', 'JSON file, such as {"vatGroups": {"9": "GROUP_D"}, "payments": {"cod": {"paymentType": "POSTAL_PAYMENT"}}}')
    .action(async (id: string, file: string) => {
      const settings = await readSettingsFile(context, file);
      await withCore(context, (core) => changeSettings(context, core, { id, settings }));
    });
}

async function changeSettings(context: CliContext, core: Core, { id, settings }: { id: string; settings: SettingsInput }): Promise<void> {
  await knownConnection(core, id);
  await core.connections.changeSettings(id, settings);
  const released = await replan(core.pool, { connectionId: id, codes: settledCodes(settings) });
  // When orders count, and which, is a setting too: what was left out by the old ones is looked at by the new.
  const leftOut = await replan(core.pool, { unrecordedOf: id });
  await wakeOrders(context, core, [...released, ...leftOut]);
  const orders = released.length === 1 ? '1 parked order is' : `${released.length} parked orders are`;
  printLines(context, [`The settings of ${id} are replaced; ${orders} planned again.`]);
}

/** What an order may be parked for that these settings may settle. */
function settledCodes({ removeWithoutRefund = 'park' }: SettingsInput): string[] {
  return removeWithoutRefund === 'park' ? MAPPING : [...MAPPING, 'removal.unproven'];
}
