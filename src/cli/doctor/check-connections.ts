import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import { everyTraffic } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { storePauses } from '../../bridge/ledger/sync/store-calls.ts';
import { watchStates } from '../../bridge/ledger/sync/watch-store.ts';
import type { FetchJson } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Config } from '../../config/config.ts';
import { orderWarnings, subscriptionWarnings } from '../../operations/connections/connection-warnings.ts';
import { pausesOfStore, storePauseWords } from '../../operations/connections/pauses.ts';
import { isWeakSecret, secretWarnings } from '../../operations/connections/store-secrets.ts';
import { fetchWithTimeout, verifyStoreCredentials } from '../../operations/connections/verify-credentials.ts';
import { fewOf } from '../../operations/health/checks/destinations.ts';
import { codeOf } from '../../operations/health/checks.ts';
import { ungrouped } from '../../operations/health/group-checks.ts';
import type { FailedCheck } from '../../operations/health/health-status.ts';
import { limitConcurrency } from '../../platform/limit-concurrency.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** Stores whose API is paused: the orders of that store wait for it, and no others. */
export async function checkStores({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'store APIs';
  const [all, pauses] = await Promise.all([connections.list(), storePauses(pool)]);
  const findings = all.flatMap((connection) =>
    pausesOfStore(connection, pauses).map((pause): CheckFinding => ({ what, result: 'remark', words: `${connection.id}: ${storePauseWords(pause)}` })),
  );
  return findings.length > 0 ? findings : [{ what, result: 'ok', words: 'none is paused' }];
}

/** What is worth knowing of the webhooks of stores that can be listed, beside what is wrong with them. */
export async function subscriptionRemarks({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const [all, watches] = await Promise.all([connections.list(), watchStates(pool)]);
  return all.flatMap((connection) => {
    const { remarks } = subscriptionWarnings(connection, watches.get(connection.id));
    return remarks.map((words): CheckFinding => ({ what: 'webhooks', result: 'remark', words: `${connection.id}: ${words}` }));
  });
}

/** What the orders of each connection tell, taken together: sales that may be missing, or are recorded without VAT. */
export async function checkConnections({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'orders';
  const warnings = await orderWarnings(pool, await connections.list(), Date.now());
  const findings = [...warnings].flatMap(([id, words]) => words.map((each): CheckFinding => ({ what, result: 'remark', words: `${id}: ${each}` })));
  return findings.length > 0 ? findings : [{ what, result: 'ok', words: 'no connection has orders that seem to be left out, or to lack their VAT' }];
}

export type CheckLiveDeps = { pool: Pool; connections: { list(): Promise<Connection[]> }; fetchJson: FetchJson };

const what = 'connection';

/** Each live connection: whether its shop is known, its key reads the store, and when its last webhook came. `failedChecks`: those of the health status. */
export async function checkLive({ pool, connections, fetchJson }: CheckLiveDeps, failedChecks: readonly FailedCheck[]): Promise<CheckFinding[]> {
  const [all, traffic] = await Promise.all([connections.list(), everyTraffic(pool)]);
  const lastOf = new Map(traffic.map(({ connectionId, lastAccepted }) => [connectionId, lastAccepted]));
  const live = all.filter(({ closedAt }) => closedAt === null);
  const inTurn = limitConcurrency({ atOnce: AT_ONCE, mostWaiting: live.length });
  const checked = live.map(async (connection): Promise<OfStore> => {
    const { id, name } = connection;
    const access = await inTurn(() => accessOf(connection, fetchJson));
    const shop = isRefused(connection, failedChecks) ? 'its orders wait, as said above' : 'its shop takes orders, as far as is known';
    const last = lastOf.get(id) ?? null;
    const webhook = last === null ? 'no webhook has come yet' : `the last webhook came at ${last}`;
    const same = `${shop}; ${access.words}`;
    return { what, result: access.isWrong ? 'wrong' : 'ok', words: `${id} (${name}): ${same}; ${webhook}`, id, same };
  });
  return fewFindings(await Promise.all(checked));
}

/** Stores that are called at once. */
const AT_ONCE = 32;
/** So many with the same result are printed one by one. */
const MOST_PRINTED = 20;

/** `same`: without what is of this store alone. */
type OfStore = CheckFinding & { id: string; same: string };

function fewFindings(findings: readonly OfStore[]): CheckFinding[] {
  return [...Map.groupBy(findings, ({ result, same }) => `${result} ${same}`).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (first === undefined || ofOne.length <= MOST_PRINTED) return ofOne.map(({ what, result, words }) => ({ what, result, words }));
    return [{ what: first.what, result: first.result, words: `${ofOne.length} (${fewOf(ofOne.map(({ id }) => id))}): ${first.same}` }];
  });
}

const REFUSALS: readonly FailedCheck['code'][] = ['shop.unknown', 'shop.paused', 'key.unknown', 'destination.paused'];

function isRefused({ id, shopId, destinationId }: Connection, failedChecks: readonly FailedCheck[]): boolean {
  return ungrouped(failedChecks).some(({ code, subject }) => REFUSALS.includes(code) && (subject === id || subject === shopId || subject === destinationId));
}

async function accessOf(connection: Connection, fetchJson: FetchJson): Promise<{ words: string; isWrong: boolean }> {
  const { access, platform } = connection;
  const storefront = storefrontOf(storefronts, platform);
  if (access === null || storefront.api?.checkAccess === undefined) return { words: 'it has no key of the store’s API', isWrong: false };
  const [secret] = liveSecrets(connection, Date.now());
  const problems = await verifyStoreCredentials({ storefront, access, secret, fetchJson: fetchWithTimeout(fetchJson) });
  if (problems.length === 0) return { words: 'its key reads orders of the store', isWrong: false };
  return { words: `its key does not read orders of the store (${problems.join(' ')})`, isWrong: true };
}

type SecretDeps = {
  config: Pick<Config, 'trustedHttpHosts' | 'appSecrets'>;
  connections: { list(): Promise<Connection[]> };
  apps: Pick<AppStore, 'list'>;
};

const SECRETS = 'secrets';

/** Whether the secrets of each live connection, and of each app, open, are long enough, and are sent only where nobody can read them. */
export async function checkSecrets({ config, connections, apps }: SecretDeps): Promise<CheckFinding[]> {
  const live = (await connections.list()).filter(({ closedAt }) => closedAt === null);
  const findings = [
    ...live.flatMap((connection) => findingsOf(connection, config.trustedHttpHosts)),
    ...(await apps.list()).flatMap(ofApp),
    ...ofVariables(config),
  ];
  return findings.length > 0 ? findings : [{ what: SECRETS, result: 'ok', words: 'those of every connection open, and are long enough' }];
}

function findingsOf(connection: Connection, trusted: readonly string[]): CheckFinding[] {
  const { wrong, weak } = secretWarnings(connection, trusted);
  const finding = (result: CheckFinding['result']) => (words: string) => ({ what: SECRETS, result, words: `${connection.id}: ${words}` });
  return [...wrong.map(finding('wrong')), ...weak.map(finding('remark'))];
}

function ofApp({ id, unopened }: StoredApp): CheckFinding[] {
  return unopened === null ? [] : [{ what: SECRETS, result: 'wrong', words: `app ${id}: ${unopened}` }];
}

function ofVariables({ appSecrets }: SecretDeps['config']): CheckFinding[] {
  return Object.entries(appSecrets)
    .filter(([, secret]) => isWeakSecret(secret.reveal()))
    .map(([name]) => ({ what: SECRETS, result: 'remark', words: `${name} has fewer than 8 characters, so that it could be guessed` }));
}

/** wrong: it does not work, or may lose something. remark: worth knowing. */
export type CheckFinding = { what: string; result: 'ok' | 'remark' | 'wrong'; words: string };

/** A failed check of the health status as a finding: what waits for a person is worth knowing, all else is wrong. A connection is named by the id that commands take. */
export function failedCheckFinding(failedCheck: FailedCheck, connections: readonly Pick<Connection, 'id' | 'name'>[]): CheckFinding {
  const { code, subject, words, verb } = failedCheck;
  const connection = connections.find(({ id }) => id === subject);
  const named = connection !== undefined && words.startsWith(`${connection.name}: `) ? `${connection.id}${words.slice(connection.name.length)}` : words;
  // That is what the person did.
  const command = verb === null || verb === 'doctor' || named.includes(`orderbridge ${verb}`) ? '' : `; \`orderbridge ${verb}\``;
  return {
    what: codeOf(code).what,
    result: (codeOf(code).isWrong ?? failedCheck.level === 'failing') ? 'wrong' : 'remark',
    words: `${named}${command}`,
  };
}
