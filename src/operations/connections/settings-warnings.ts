import type { Connection } from '../../bridge/connections/connection.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import { unknownValues } from '../../bridge/connections/unknown-values.ts';
import { type GatewayReferences, gatewayReferences } from '../../bridge/ledger/unreferenced-payments.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/** The newest orders of a connection that are looked at. */
const SAMPLE = 200;
/** The payment type whose records need the number of the transaction. */
const NEEDS_REFERENCE = 'VIRTUAL_POS';

type Settled = Pick<Connection, 'id' | 'settings'>;

/** What in the settings of connections our service would refuse in each order, and another one may, by the connection's id. */
export async function settingsWarnings(pool: Pool, connections: readonly Settled[]): Promise<ReadonlyMap<string, Said[]>> {
  const asked = connections.filter(({ settings }) => virtualGateways(settings).length > 0).map(({ id }) => id);
  const seen = asked.length === 0 ? [] : await gatewayReferences(pool, asked, SAMPLE);
  return new Map(connections.map((connection) => [connection.id, warningsOf(connection, seen)]));
}

function warningsOf({ id, settings }: Settled, seen: readonly GatewayReferences[]): Said[] {
  const bare = seen.filter(({ connectionId, gateway, referenced }) => connectionId === id && referenced === 0 && virtualGateways(settings).includes(gateway));
  return [...unknownValues(settings).map(({ words }) => words), ...bare.map(bareWords)];
}

function virtualGateways({ payments = {} }: Settled['settings']): string[] {
  return Object.entries(payments).flatMap(([gateway, { paymentType }]) => (paymentType === NEEDS_REFERENCE ? [gateway] : []));
}

function bareWords({ gateway, orders }: GatewayReferences): Said {
  const path = settingPath(['payments', gateway, 'paymentType']);
  const none = orders === 1 ? 'the only paid order of it that is known has none' : `none of its last ${orders} paid orders has one`;
  const noneBg = orders === 1 ? 'единствената ѝ позната платена поръчка няма такъв' : `нито една от последните ѝ ${orders} платени поръчки няма такъв`;
  return {
    en: `${path} is ${NEEDS_REFERENCE}, whose records need a transaction id, and ${none}: each would be refused; ask for a version of the plugin that sets it`,
    bg: `${path} е ${NEEDS_REFERENCE}, чиито записи искат номер на транзакция, а ${noneBg}: всяка би била отказана; поискайте версия на приставката, която го попълва`,
  };
}
