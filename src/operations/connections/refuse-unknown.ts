import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { type UnknownValue, unknownValues } from '../../bridge/connections/unknown-values.ts';
import { isOurDestination } from '../../bridge/ledger/edit-settings.ts';
import type { Lang } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';

/** Refuses settings that our own service would refuse in every record. */
export async function refuseUnknown(pool: Pool, destinationId: string, settings: SettingsInput): Promise<void> {
  const unknown = unknownValues(settings);
  if (unknown.length > 0 && (await isOurDestination(pool, destinationId))) throw unknownRefusal(unknown);
}

export function unknownRefusal(unknown: readonly UnknownValue[]): Refusal {
  return new Refusal('invalid', {
    en: `the compliance service would refuse each order with these settings; nothing was changed:\n${indented(unknown, 'en')}`,
    bg: `с тези настройки услугата за отчитане би отказала всяка поръчка; нищо не беше променено:\n${indented(unknown, 'bg')}`,
  });
}

function indented(unknown: readonly UnknownValue[], lang: Lang): string {
  return unknown.map(({ words }) => `  ${words[lang]}`).join('\n');
}
