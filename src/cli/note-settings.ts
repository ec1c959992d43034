import type { SettingsInput } from '../bridge/connections/connection-settings.ts';
import { unknownValues } from '../bridge/connections/unknown-values.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';

/** What our own compliance service would refuse in new settings, and another one may; null: there are none. */
export function noteSettings(context: CliContext, settings: SettingsInput | null): void {
  for (const { words } of settings === null ? [] : unknownValues(settings)) note(context, `! ${words.en}`);
}
