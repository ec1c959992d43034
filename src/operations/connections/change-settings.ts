import type { Connection } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { curedCodes } from '../../bridge/connections/cured-codes.ts';
import { unknownValues } from '../../bridge/connections/unknown-values.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { EditedSettings, SettingsEdit, WrittenSettings } from '../../bridge/ledger/edit-settings.ts';
import { leftOutCounts } from '../../bridge/ledger/left-out-counts.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { countsByCode } from '../counts-by-code.ts';
import type { Patience } from '../one-first.ts';
import { type DecidedAgain, decideAgain } from './decide-again.ts';
import { editedSettings, type SettingsChanges } from './edited-settings.ts';
import { freedOrders } from './freed-orders.ts';
import { type FindConnection, knownConnection, unknownConnection } from './known-connection.ts';
import { unknownRefusal } from './refuse-unknown.ts';
import { type SettingDifference, settingsDifference } from './settings-difference.ts';
import { settingsWarnings } from './settings-warnings.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection & { changeSettings(id: string, edit: SettingsEdit): Promise<EditedSettings | null> };
  notify: Notify;
};

/** `settings` replaces them, `changes` changes some. `mustBe` throws if the settings are not those that the change was made from. */
type NewSettings = { id: string; by: Actor; why?: string; mustBe?: (before: SettingsInput) => void } & (
  | { settings: SettingsInput }
  | { changes: SettingsChanges }
);
/** `patience` null: no order goes first; not given: one does, for a minute. */
export type SettingsChange = NewSettings & { patience?: Patience | null };

export type ChangedSettings = {
  connection: Connection;
  difference: SettingDifference[];
  /** How many orders the change concerns: ones in review by code, those that were left out, and unpaid ones. */
  concerned: { review: Record<string, number>; ignored: number; waiting: number };
  /** Values that our own service would refuse, and another one may. */
  warnings: Said[];
  again: DecidedAgain;
};

/** Changes a connection's settings and decides again about the orders that they may cure. */
export async function changeSettings({ pool, connections, notify }: Deps, { patience, ...given }: SettingsChange): Promise<ChangedSettings> {
  const { by, why } = given;
  const { connection, before, after } = await saveSettings({ connections }, given);
  const { id } = connection;
  const warnings = (await settingsWarnings(pool, [connection])).get(id) ?? [];
  const freed = await freedOrders(pool, connection, curedCodes(after));
  const concerned = { review: countsByCode(freed.flatMap(({ orders }) => orders)), ...(await leftOutCounts(pool, id)) };
  const deps = { pool, notify, by, ...(patience === undefined ? {} : { patience }) };
  const again = await decideAgain(deps, { connection, settings: after, span: true, storeApi: false, why, freed });
  return { connection, difference: settingsDifference(before, after), concerned, warnings, again };
}

/** Changes them, and decides about no order: whoever asks for this tries one order first. */
export async function saveSettings({ connections }: Pick<Deps, 'connections'>, { id: named, by, why, mustBe, ...given }: NewSettings): Promise<EditedSettings> {
  const edit = (written: WrittenSettings) => {
    mustBe?.(written.settings);
    return checkedSettings(written, 'settings' in given ? given.settings : editedSettings(written.settings, given.changes));
  };
  const { id } = await knownConnection(connections, named);
  const edited = await connections.changeSettings(id, { by, why, edit });
  if (edited === null) throw unknownConnection(id);
  return edited;
}

/** What our own service would refuse is not taken; what is there already stays. */
export function checkedSettings({ settings: before, isOurs }: WrittenSettings, after: SettingsInput): SettingsInput {
  const known = new Set(unknownValues(before).map(({ words }) => words.en));
  const fresh = unknownValues(after).filter(({ words }) => !known.has(words.en));
  if (isOurs && fresh.length > 0) throw unknownRefusal(fresh);
  return after;
}
