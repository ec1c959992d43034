import type { Connection } from '../../bridge/connections/connection.ts';
import { connectionSettings, curedCodes, type SettingsInput, type UnknownValue, unknownValues } from '../../bridge/connections/connection-settings.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import {
  type EditedSettings,
  isOurDestination,
  type SettingsEdit,
  type WrittenSettings,
  writtenSettings,
} from '../../bridge/ledger/connections/connection-settings.ts';
import { leftOutAtMost, leftOutCounts, MOST_LEFT_OUT } from '../../bridge/ledger/orders/left-out-orders.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Lang, LocalizedText } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { FirstTry } from '../one-first.ts';
import { Refusal } from '../refusal.ts';
import { type DecidedAgain, decideAgain, freedOrders } from './decide-again.ts';
import { editedSettings, type SettingsChanges } from './edited-settings.ts';
import { type FindConnection, knownConnection, unknownConnection } from './known-connection.ts';
import { countsByCode, type SettingDifference, settingsDifference, settingsWarnings } from './show-settings.ts';

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
/** `firstTry` null: no order goes first; not given: one does, for a minute. */
export type SettingsChange = NewSettings & { firstTry?: FirstTry | null };

export type ChangedSettings = {
  connection: Connection;
  difference: SettingDifference[];
  /** How many orders the change concerns: ones in review by code, those that were left out, and unpaid ones. */
  concerned: { review: Record<string, number>; ignored: number; waiting: number };
  /** Values that our own service would refuse, and another one may. */
  warnings: LocalizedText[];
  again: DecidedAgain;
};

/** Changes a connection's settings and decides again about the orders that they may cure. */
export async function changeSettings({ pool, connections, notify }: Deps, { firstTry, ...given }: SettingsChange): Promise<ChangedSettings> {
  const { by, why } = given;
  const { connection, before, after } = await saveSettings({ connections }, given);
  const { id } = connection;
  const warnings = (await settingsWarnings(pool, [connection])).get(id) ?? [];
  const freed = await freedOrders(pool, connection, curedCodes(after));
  const concerned = { review: countsByCode(freed.flatMap(({ orders }) => orders)), ...(await leftOutCounts(pool, id)) };
  const deps = { pool, notify, by, ...(firstTry === undefined ? {} : { firstTry }) };
  const again = await decideAgain(deps, { connection, settings: after, span: true, storeApi: false, why, freed });
  return { connection, difference: settingsDifference(before, after), concerned, warnings, again };
}

/** Changes them, and decides about no order: anyone who asks for this tries one order first. */
export async function saveSettings({ connections }: Pick<Deps, 'connections'>, { id: named, by, why, mustBe, ...given }: NewSettings): Promise<EditedSettings> {
  const { id, platform } = await knownConnection(connections, named);
  const edit = (written: WrittenSettings) => {
    mustBe?.(written.settings);
    const after = checkedSettings(written, 'settings' in given ? given.settings : editedSettings(written.settings, given.changes));
    if (after.notes === true && !takesNotes(platform)) throw noNotes(platform);
    return after;
  };
  const edited = await connections.changeSettings(id, { by, why, edit });
  if (edited === null) throw unknownConnection(id);
  return edited;
}

/** Whether we write notes at orders in stores of this platform. */
export function takesNotes(platform: string): boolean {
  return storefrontOf(storefronts, platform).api?.orderNotes !== undefined;
}

function noNotes(platform: string): Refusal {
  return new Refusal('invalid', {
    en: `notes: no notes are written in stores of ${platform}, where we ask for no right to write; nothing was changed`,
    bg: `notes: в магазини на ${platform} не се пишат бележки, защото там не искаме права за запис; нищо не беше променено`,
  });
}

/** What our own service would refuse is not taken; what is there already stays. */
export function checkedSettings({ settings: before, isOurs }: WrittenSettings, after: SettingsInput): SettingsInput {
  const known = new Set(unknownValues(before).map(({ words }) => words.en));
  const fresh = unknownValues(after).filter(({ words }) => !known.has(words.en));
  if (isOurs && fresh.length > 0) throw unknownRefusal(fresh);
  return after;
}

/** What new settings would change. `concerned`: orders that would be decided again; `isMore`: there are more of those that are left out or not paid. */
export type SettingsPreview = {
  before: SettingsInput;
  difference: SettingDifference[];
  concerned: { review: Record<string, number>; ignored: number; waiting: number; isMore: boolean };
  warnings: LocalizedText[];
};

/** Looks at what `changeSettings` would do, and refuses what it refuses; changes nothing. */
export async function previewSettings(
  { pool, connections }: { pool: Pool; connections: FindConnection },
  { id: named, settings }: { id: string; settings: SettingsInput },
): Promise<SettingsPreview> {
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

export function withSettings(connection: Connection, settings: SettingsInput): Connection {
  return { ...connection, settings: connectionSettings.parse(settings), recordFrom: settings.recordFrom ?? connection.recordFrom };
}

/** Refuses settings that our own service would refuse in every record. */
export async function refuseUnknown(pool: Pool, destinationId: string, settings: SettingsInput): Promise<void> {
  const unknown = unknownValues(settings);
  if (unknown.length > 0 && (await isOurDestination(pool, destinationId))) throw unknownRefusal(unknown);
}

function unknownRefusal(unknown: readonly UnknownValue[]): Refusal {
  return new Refusal('invalid', {
    en: `the compliance service would refuse each order with these settings; nothing was changed:\n${indented(unknown, 'en')}`,
    bg: `с тези настройки услугата за отчитане би отказала всяка поръчка; нищо не беше променено:\n${indented(unknown, 'bg')}`,
  });
}

function indented(unknown: readonly UnknownValue[], lang: Lang): string {
  return unknown.map(({ words }) => `  ${words[lang]}`).join('\n');
}
