import type { Connection } from '../../bridge/connections/connection.ts';
import { type ConnectionSettings, connectionSettings, curedCodes, type SettingsInput, unknownValues } from '../../bridge/connections/connection-settings.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import { type GatewayReferences, gatewayReferences, writtenSettings } from '../../bridge/ledger/connections/connection-settings.ts';
import { type OrderInReview, ordersInReview } from '../../bridge/ledger/review/release-from-review.ts';
import { canonicalText } from '../../bridge/order/facts/canonical-text.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { form } from '../../contract/plural.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection, unknownConnection } from './known-connection.ts';

/** `isDefault`: it was not set. */
type ShownSetting = Setting & { isDefault: boolean };

export type ShownSettings = {
  connectionId: string;
  name: string;
  /** As a merchant wrote them. */
  written: SettingsInput;
  /** Each by itself, with those that have their default. */
  settings: ShownSetting[];
  warnings: LocalizedText[];
  /** How many orders wait for settings that decide about them, by code. */
  review: Record<string, number>;
};

/** The settings of a connection, which is named by its id or name. */
export async function showSettings({ pool, connections }: { pool: Pool; connections: Required<FindConnection> }, named: string): Promise<ShownSettings> {
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

/** One setting: its keys as a path, and its value as JSON. */
type Setting = { path: string; value: unknown };

/** One setting that is different; undefined: it is not set. */
export type SettingDifference = { path: string; before?: unknown; after?: unknown };

/** Each setting by itself, those of VAT groups and payments one by one. */
function flatSettings(settings: SettingsInput): Setting[] {
  const { vatGroups = {}, payments = {}, ...single } = settings;
  return [
    ...Object.entries(vatGroups).map(([rate, value]) => ({ path: settingPath(['vatGroups', rate]), value })),
    ...Object.entries(payments).flatMap(([gateway, payment]) =>
      Object.entries(payment).map(([field, value]) => ({ path: settingPath(['payments', gateway, field]), value })),
    ),
    ...Object.entries(single).map(([key, value]) => ({ path: key, value })),
  ].filter(({ value }) => value !== undefined);
}

export function settingsDifference(before: SettingsInput, after: SettingsInput): SettingDifference[] {
  const [old, fresh] = [before, after].map((settings) => new Map(flatSettings(settings).map(({ path, value }) => [path, value])));
  const paths = [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])];
  return paths
    .map((path) => ({ path, before: old?.get(path), after: fresh?.get(path) }))
    .filter((one) => canonicalText([one.before ?? null]) !== canonicalText([one.after ?? null]) || (one.before === undefined) !== (one.after === undefined));
}

/** The newest orders of a connection that are looked at. */
const SAMPLE = 200;
/** The payment type whose records need the number of the transaction. */
const NEEDS_REFERENCE = 'VIRTUAL_POS';

type Configured = Pick<Connection, 'id' | 'settings'>;

/** What in the settings of connections our service would refuse in each order, and another one may, by the connection's id. */
export async function settingsWarnings(pool: Pool, connections: readonly Configured[]): Promise<ReadonlyMap<string, LocalizedText[]>> {
  const asked = connections.filter(({ settings }) => virtualGateways(settings).length > 0).map(({ id }) => id);
  const seen = asked.length === 0 ? [] : await gatewayReferences(pool, asked, SAMPLE);
  return new Map(connections.map((connection) => [connection.id, warningsOf(connection, seen)]));
}

function warningsOf({ id, settings }: Configured, seen: readonly GatewayReferences[]): LocalizedText[] {
  const bare = seen.filter(({ connectionId, gateway, referenced }) => connectionId === id && referenced === 0 && virtualGateways(settings).includes(gateway));
  return [...unknownValues(settings).map(({ words }) => words), ...numberless(settings), ...bare.map(bareWords)];
}

// It is written into the audit file.
function numberless(settings: Configured['settings']): LocalizedText[] {
  const without = virtualGateways(settings).filter((gateway) => !/\d/.test(settings.payments?.[gateway]?.paymentProcessorName ?? ''));
  return without.map((gateway) => {
    const path = settingPath(['payments', gateway, 'paymentProcessorName']);
    return { en: `${path} has no number: that of the virtual POS must be given`, bg: `${path} няма номер: трябва да е даден номерът на виртуалния ПОС` };
  });
}

function virtualGateways({ payments = {} }: Configured['settings']): string[] {
  return Object.entries(payments).flatMap(([gateway, { paymentType }]) => (paymentType === NEEDS_REFERENCE ? [gateway] : []));
}

function bareWords({ gateway, orders }: GatewayReferences): LocalizedText {
  const path = settingPath(['payments', gateway, 'paymentType']);
  const none = form.en(orders, 'the only paid order of it that is known has none', `none of its last ${orders} paid orders has one`);
  const noneBg = form.bg(orders, 'единствената ѝ позната платена поръчка няма такъв', `нито една от последните ѝ ${orders} платени поръчки няма такъв`);
  return {
    en: `${path} is ${NEEDS_REFERENCE}, whose records need a transaction id, and ${none}: each would be refused; ask for a version of the plugin that sets it`,
    bg: `${path} е ${NEEDS_REFERENCE}, чиито записи искат номер на транзакция, а ${noneBg}: всяка би била отказана; поискайте версия на приставката, която го попълва`,
  };
}

/** How many of the orders need review for each reason. */
export function countsByCode(orders: readonly OrderInReview[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(orders, ({ code }) => code)].map(([code, of]) => [code, of.length]));
}
