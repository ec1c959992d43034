import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';

/** The settings that the page of rates and payments is about, as text: that nobody changed them meanwhile. */
export function settingsText({ vatGroups = {}, payments = {}, codGateways = ['cod'], codPaidWhen = 'completed', paidStatuses = [] }: SettingsInput): string {
  const entries = (of: Readonly<Record<string, unknown>>) => Object.entries(of).toSorted(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([entries(vatGroups), entries(payments), codGateways, codPaidWhen, paidStatuses]);
}
