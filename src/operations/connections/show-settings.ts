import { type ConnectionSettings, connectionSettings, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { curedCodes } from '../../bridge/connections/cured-codes.ts';
import { writtenSettings } from '../../bridge/ledger/edit-settings.ts';
import { ordersInReview } from '../../bridge/ledger/release-from-review.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { countsByCode } from '../counts-by-code.ts';
import { type FindConnection, knownConnection, unknownConnection } from './known-connection.ts';
import { flatSettings, type Setting } from './settings-difference.ts';
import { settingsWarnings } from './settings-warnings.ts';

/** `isDefault`: it was not set. */
export type ShownSetting = Setting & { isDefault: boolean };

export type ShownSettings = {
  connectionId: string;
  name: string;
  /** As a merchant wrote them. */
  written: SettingsInput;
  /** Each by itself, with those that have their default. */
  settings: ShownSetting[];
  warnings: Said[];
  /** How many orders wait for settings that decide about them, by code. */
  review: Record<string, number>;
};

type Deps = { pool: Pool; connections: Required<FindConnection> };

/** The settings of a connection, which is named by its id or name. */
export async function showSettings({ pool, connections }: Deps, named: string): Promise<ShownSettings> {
  const connection = await knownConnection(connections, named);
  const { id, name, recordFrom } = connection;
  const found = await writtenSettings(pool, id);
  if (found === null) throw unknownConnection(id);
  const { settings: written } = found;
  const defaults: ConnectionSettings = connectionSettings.parse({});
  const unset = flatSettings({ recordFrom, ...defaults }).filter(({ path }) => !Object.hasOwn(written, path));
  const review = await ordersInReview(pool, { codes: curedCodes(written), connectionId: id });
  return {
    connectionId: id,
    name,
    written,
    settings: [...flatSettings(written).map((setting) => ({ ...setting, isDefault: false })), ...unset.map((setting) => ({ ...setting, isDefault: true }))],
    warnings: (await settingsWarnings(pool, [connection])).get(id) ?? [],
    review: countsByCode(review),
  };
}
