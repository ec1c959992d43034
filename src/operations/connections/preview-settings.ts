import type { Connection } from '../../bridge/connections/connection.ts';
import { connectionSettings, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { curedCodes } from '../../bridge/connections/cured-codes.ts';
import { writtenSettings } from '../../bridge/ledger/edit-settings.ts';
import { leftOutAtMost, MOST_LEFT_OUT } from '../../bridge/ledger/left-out-counts.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { countsByCode } from '../counts-by-code.ts';
import { checkedSettings } from './change-settings.ts';
import { freedOrders } from './freed-orders.ts';
import { type FindConnection, knownConnection, unknownConnection } from './known-connection.ts';
import { type SettingDifference, settingsDifference } from './settings-difference.ts';
import { settingsWarnings } from './settings-warnings.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** What new settings would change. `concerned`: orders that would be decided again; `isMore`: there are more of those that are left out or not paid. */
export type SettingsPreview = {
  before: SettingsInput;
  difference: SettingDifference[];
  concerned: { review: Record<string, number>; ignored: number; waiting: number; isMore: boolean };
  warnings: Said[];
};

/** Looks at what `changeSettings` would do, and refuses what it refuses; changes nothing. */
export async function previewSettings({ pool, connections }: Deps, { id: named, settings }: { id: string; settings: SettingsInput }): Promise<SettingsPreview> {
  const connection = await knownConnection(connections, named);
  const { id } = connection;
  const written = await writtenSettings(pool, id);
  if (written === null) throw unknownConnection(id);
  const after = withSettings(connection, checkedSettings(written, settings));
  const [freed, leftOut, warnings] = await Promise.all([
    freedOrders(pool, after, curedCodes(settings)),
    leftOutAtMost(pool, id),
    settingsWarnings(pool, [after]),
  ]);
  const isMore = leftOut.ignored >= MOST_LEFT_OUT || leftOut.waiting >= MOST_LEFT_OUT;
  return {
    before: written.settings,
    difference: settingsDifference(written.settings, settings),
    concerned: { review: countsByCode(freed.flatMap(({ orders }) => orders)), ...leftOut, isMore },
    warnings: warnings.get(id) ?? [],
  };
}

function withSettings(connection: Connection, settings: SettingsInput): Connection {
  return { ...connection, settings: connectionSettings.parse(settings), recordFrom: settings.recordFrom ?? connection.recordFrom };
}
