import type { ComplianceClient, Endpoint } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Destination } from '../../bridge/ledger/connections/destination-store.ts';
import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import type { Reply } from '../../bridge/order/decisions/answer.ts';
import type { Config } from '../../config/config.ts';
import type { ComplianceAccess } from '../../operations/compliance-access.ts';
import { type RecheckDeps, recheckShops } from '../../operations/connections/verify-credentials.ts';
import { askOutside, type MailCheck, NIL_UUID } from '../../operations/health/checks/network.ts';
import { newestSheet } from '../../operations/health/checks/service.ts';
import { readHealth } from '../../operations/health/read-health.ts';
import { type HealthDeps, once, type WatchedQueues } from '../../operations/health/round.ts';
import { Refusal } from '../../operations/refusal.ts';
import { errorWords } from '../../platform/error-words.ts';
import { ProviderProblem } from '../../platform/oidc/provider-problem.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import {
  type CheckFinding,
  type CheckLiveDeps,
  checkConnections,
  checkLive,
  checkSecrets,
  checkStores,
  failedCheckFinding,
  subscriptionRemarks,
} from './check-connections.ts';

/** `isOwn`: our own compliance service is used, and none beside it. */
type CheckUpDeps = CheckComplianceDeps & RecheckDeps & CheckLiveDeps & HealthDeps & { mail: MailCheck; isOwn: boolean; provider?: CheckedProvider | null };

/** Checks everything that orderbridge depends on: the failed checks of the health status, what is right, and what is worth knowing. */
export async function checkUp(given: CheckUpDeps): Promise<CheckFinding[]> {
  const deps = { ...given, mail: once(given.mail) };
  // A warning that no longer holds ends here, so that the health status does not have it.
  await recheckShops(deps).catch(() => undefined);
  const api = await guarded('compliance API', () => checkCompliance(deps));
  const { failedChecks } = await readHealth({ ...deps, network: () => askOutside(deps) });
  const configuration = checkConfiguration(deps.config);
  if (failedChecks.some(({ code }) => code === 'database.down')) return [configuration, ...failedChecks.map((one) => failedCheckFinding(one, []))];
  const connections = await deps.connections.list();
  const failures = failedChecks.map((failedCheck) => failedCheckFinding(failedCheck, connections));
  const isReported = ({ what }: Pick<CheckFinding, 'what'>) => failures.some((finding) => finding.what === what);
  const good = [...(await goodBasics(deps, isReported)), ...passedChecks].filter((finding) => !isReported(finding));
  const besides = [
    api,
    await guarded('connection', () => checkLive(deps, failedChecks)),
    await guarded('webhooks', () => subscriptionRemarks(deps)),
    await guarded('orders', () => checkConnections(deps)),
    await guarded('sign-in', () => checkProvider(deps.provider ?? null)),
  ];
  const secrets = (await checkSecrets(deps)).filter((finding) => finding.result !== 'wrong' && (finding.result !== 'ok' || !isReported(finding)));
  return [configuration, ...failures, ...good, ...besides.flat(), ...secrets];
}

async function goodBasics(deps: CheckUpDeps, isReported: (what: Pick<CheckFinding, 'what'>) => boolean): Promise<CheckFinding[]> {
  const ground = [
    isReported({ what: 'database' }) ? [] : await guarded('database', async () => [await goodDatabase(deps)]),
    isReported({ what: 'queue' }) ? [] : await guarded('queue', async () => [await goodQueue(deps.queues)]),
    isReported({ what: 'store APIs' }) ? [] : await guarded('store APIs', () => checkStores(deps)),
    deps.isOwn ? await guarded('compliance service', () => passedServiceChecks(deps)) : [],
  ];
  return ground.flat();
}

/** What can't be looked at is wrong, and keeps nothing else from being reported. */
async function guarded(what: string, check: () => Promise<CheckFinding[]>): Promise<CheckFinding[]> {
  return check().catch((thrown: unknown) => [{ what, result: 'wrong', words: `this could not be checked (${errorWords(thrown)})` }]);
}

const passedChecks: readonly CheckFinding[] = [
  { what: 'webhooks', result: 'ok', words: 'no store’s are refused one after the other, and nothing is known to be wrong with those of any store' },
  { what: 'clock', result: 'ok', words: 'in step with the database, and the compliance API if that gives its time' },
];

/** The names of the checks that failed, each once. */
export function wrongThings(findings: readonly CheckFinding[]): string[] {
  return [...new Set(findings.filter(({ result }) => result === 'wrong').map(({ what }) => what))];
}

/** An invalid configuration never gets here. */
function checkConfiguration({ database, queue, compliance, dataDir }: Config): CheckFinding {
  return {
    what: 'configuration',
    result: 'ok',
    words: `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`,
  };
}

/** What is known of a database that is right. */
async function goodDatabase({ pool, config }: { pool: Pool; config: Config }): Promise<CheckFinding> {
  const { version, open, mostOpen, ...role } = await inspectDatabase(pool);
  const few = open > mostOpen * FULL ? '; raise max_connections, or put a pooler between (docs/operate.md)' : '';
  const remark = `${few}${roleRemark(config.database.kind === 'embedded', role)}`;
  const words = `PostgreSQL ${version}${config.database.kind === 'embedded' ? ', embedded in DATA_DIR' : ''}, tables fit this version`;
  const connections = `${open} of ${mostOpen} connections open, a process opens ${mostConnections(config)} at most`;
  return { what: 'database', result: remark === '' ? 'ok' : 'remark', words: `${words}, ${connections}${remark}` };
}

const FULL = 0.8;
/** A queue in PostgreSQL has connections for what is added and for each worker. */
const OF_QUEUE = 22;

/** One listens, past a pooler. */
function mostConnections({ databaseConnections, compliance, queue }: Config): number {
  return databaseConnections * (compliance.kind === 'embedded' ? 2 : 1) + 1 + (queue.kind === 'postgres' ? OF_QUEUE : 0);
}

/** What the program's role may do beyond its work; the embedded database is its own. */
function roleRemark(isEmbedded: boolean, { isSuperuser, mayCreate }: { isSuperuser: boolean; mayCreate: boolean }): string {
  if (isSuperuser) return '; its role is superuser, which may read files and run programs there: give it one of its own, with docs/grants.sql';
  return mayCreate && !isEmbedded ? '; its role may make tables, which only `orderbridge migrate` needs: docs/grants.sql is for two roles' : '';
}

/** What is known of a queue that is right. */
async function goodQueue({ system: { redis } }: Pick<WatchedQueues, 'system'>): Promise<CheckFinding> {
  const what = 'queue';
  if (redis === null) return { what, result: 'ok', words: 'BullMQ runs on PostgreSQL, because REDIS_URL is unset; for production set it' };
  const { version, remarks } = await redisSettings(redis);
  if (remarks.length > 0) return { what, result: 'remark', words: `Redis ${version}: ${remarks.join('; ')}` };
  return { what, result: 'ok', words: `Redis ${version}, appendonly yes, appendfsync always, noeviction` };
}

/** An identity provider, by what it says of itself. */
type CheckedProvider = { host: string; check(): Promise<void> };

const what = 'sign-in';

/** Whether the identity provider answers as itself; without one there is nothing to tell. Whether it takes our client shows at the first sign-in. */
export async function checkProvider(provider: CheckedProvider | null): Promise<CheckFinding[]> {
  if (provider === null) return [];
  const { host } = provider;
  try {
    await provider.check();
    return [{ what, result: 'ok', words: `the identity provider ${host} answers` }];
  } catch (thrown) {
    if (!(thrown instanceof ProviderProblem)) throw thrown;
    const words =
      thrown.kind === 'away' ? `the identity provider ${host} does not answer` : `what the identity provider ${host} says of itself does not fit OIDC_ISSUER`;
    return [{ what, result: 'wrong', words: `${words} (${thrown.code}); people with a password can still sign in; check OIDC_ISSUER` }];
  }
}

type CheckComplianceDeps = {
  config: Config;
  connections: { list(): Promise<Connection[]> };
  destinations: { find(id: string): Promise<Destination | null> };
  access: ComplianceAccess;
  client: Pick<ComplianceClient, 'deleteOrder'>;
};

/** Calls it with the configured key, and with each other key of a connected store. */
async function checkCompliance(deps: CheckComplianceDeps): Promise<CheckFinding[]> {
  const { config, access, client } = deps;
  const keys = [...(hasKey(config) ? [{ who: 'the configured key', endpoint: () => access.endpoint(null) }] : []), ...(await otherKeys(deps))];
  if (keys.length === 0)
    return [{ what: 'compliance API', result: 'remark', words: 'not checked: there is no key yet, neither configured nor of a connected store' }];
  return Promise.all(keys.map((one) => deleteNil(client, one)));
}

type CheckedKey = { who: string; endpoint(): Promise<Endpoint> };

/** Deleting what can't exist changes nothing and needs valid credentials: 404 is the right answer. */
async function deleteNil(client: CheckComplianceDeps['client'], { who, endpoint }: CheckedKey): Promise<CheckFinding> {
  try {
    const where = await endpoint();
    return complianceFinding(`${where.baseUrl}, ${who}`, await client.deleteOrder(where, NIL_UUID));
  } catch (thrown) {
    return { what: 'compliance API', result: 'wrong', words: `${who}: ${errorWords(thrown)}` };
  }
}

function hasKey({ compliance }: Config): boolean {
  return compliance.kind === 'embedded' || compliance.apiKey !== null;
}

/** Null: its address is refused, which the check of the configured key reports. */
async function configuredDestination(access: ComplianceAccess): Promise<string | null> {
  return access.destination(null).catch((thrown: unknown) => {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  });
}

async function otherKeys({ connections, destinations, config, access }: CheckComplianceDeps): Promise<CheckedKey[]> {
  const configured = hasKey(config) ? await configuredDestination(access) : null;
  const live = (await connections.list()).filter(({ closedAt, destinationId }) => closedAt === null && destinationId !== configured);
  return [...new Map(live.map(({ destinationId, name }) => [destinationId, name]))].map(([id, name]) => ({
    who: `the key of ${name}`,
    endpoint: async () => {
      const destination = await destinations.find(id);
      if (destination === null) throw new Error(`destination ${id} is not in the ledger`);
      return access.endpointOf(destination);
    },
  }));
}

function complianceFinding(who: string, reply: Reply): CheckFinding {
  const what = 'compliance API';
  if (reply.kind !== 'answered') return { what, result: 'wrong', words: `${who}: no answer (${reply.error}); check COMPLIANCE_API_URL` };
  const { status, detail } = reply;
  if (status === 404) return { what, result: 'ok', words: `${who}: answers, and takes the key` };
  const answer = `${who}: answered ${status}, expected 404${detail === '' ? '' : ` (${detail})`}`;
  if (status === 401 || status === 403) return { what, result: 'wrong', words: `${answer}; check the key, the secret and the signature settings below` };
  return { what, result: 'wrong', words: `${answer}; check COMPLIANCE_API_URL, or try again later` };
}

type Deps = { pool: Pool; config: Config; mail: MailCheck };

/** What is known of the mail server, exchange rates and audit files of our own compliance service, where nothing is wrong with them. */
async function passedServiceChecks(deps: Deps): Promise<CheckFinding[]> {
  return [await goodMail(deps), await goodRates(deps), { what: 'audit files', result: 'ok', words: 'none is blocked, and none is late' }];
}

async function goodMail({ config, mail }: Deps): Promise<CheckFinding> {
  const { ok, words } = await mail();
  return { what: 'mail', result: ok && config.mail.smtpUrl !== null ? 'ok' : 'remark', words };
}

async function goodRates({ pool, config: { bnbRatesUrl } }: Deps): Promise<CheckFinding> {
  const sheet = await newestSheet(pool);
  const known = sheet === null ? 'none is stored' : `the newest are of ${sheet}`;
  const source = bnbRatesUrl === null ? 'they are not fetched, because BNB_RATES_URL is off' : 'they are fetched daily after 18:00';
  const inTheClear = bnbRatesUrl?.startsWith('http://') === true ? '; over http://, where they could be changed on the way' : '';
  const isSure = sheet !== null && bnbRatesUrl !== null && inTheClear === '';
  return { what: 'exchange rates', result: isSure ? 'ok' : 'remark', words: `${known}; ${source}${inTheClear}. Orders in EUR and BGN need none` };
}
