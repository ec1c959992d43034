import type { Connection } from '../../bridge/connections/connection.ts';
import { type UntaxedShare, untaxedShares, type WaitingStatus, waitingSince } from '../../bridge/ledger/connection-signs.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { settingsWarnings } from './settings-warnings.ts';

const LONG_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The newest records of a connection that are looked at, and how many of them say something. */
const SAMPLE = 50;
const ENOUGH = 10;

type Signs = { waiting: readonly WaitingStatus[]; untaxed: readonly UntaxedShare[] };

/** What the orders of living connections, taken together, tell a merchant, and what its settings do: warnings by the connection's id. `now` in ms since 1970. */
export async function orderWarnings(pool: Pool, connections: readonly Connection[], now: number): Promise<ReadonlyMap<string, string[]>> {
  const living = connections.filter(({ closedAt }) => closedAt === null);
  const ids = living.map(({ id }) => id);
  const [waiting, untaxed] = await Promise.all([waitingSince(pool, ids, new Date(now - LONG_DAYS * DAY_MS).toISOString()), untaxedShares(pool, ids, SAMPLE)]);
  const settings = await settingsWarnings(pool, living);
  return new Map(
    living.map((connection) => [connection.id, [...warningsOf(connection, { waiting, untaxed }), ...(settings.get(connection.id) ?? []).map(({ en }) => en)]]),
  );
}

function warningsOf({ id, platform }: Connection, { waiting, untaxed }: Signs): string[] {
  const { knowsStatus } = storefrontOf(storefronts, platform);
  const foreign = waiting.filter(({ connectionId, status }) => connectionId === id && knowsStatus?.(status) === false);
  const share = untaxed.find(({ connectionId }) => connectionId === id);
  const isUntaxed = share !== undefined && share.recorded >= ENOUGH && share.untaxed >= share.recorded * 0.9;
  return [...(foreign.length === 0 ? [] : [waitingWords(foreign)]), ...(isUntaxed ? [untaxedWords(share)] : [])];
}

function waitingWords(statuses: readonly WaitingStatus[]): string {
  const count = statuses.reduce((all, { orders }) => all + orders, 0);
  const names = statuses.map(({ status }) => `“${status}”`).join(', ');
  const [orders, where, them] = [count === 1 ? '1 order has' : `${count} orders have`, ...(statuses.length === 1 ? ['status', 'it'] : ['statuses', 'them'])];
  return `${orders} been waiting in the ${where} ${names} for more than ${LONG_DAYS} days; if they are paid then, add ${them} to paidStatuses`;
}

function untaxedWords({ untaxed, recorded }: UntaxedShare): string {
  return `${untaxed} of the last ${recorded} recorded orders are at 0 % VAT; if the store calculates no taxes although its prices contain VAT, set pricesContainVat`;
}
