import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import type { Config } from '../../config/config.ts';
import { errorWords } from '../../platform/error-words.ts';
import { ProviderProblem } from '../../platform/oidc/provider-problem.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import { askOutside, type MailCheck } from './ask-outside.ts';
import { type CheckComplianceDeps, type CheckShopsDeps, checkCompliance, checkShops, passedServiceChecks } from './check-compliance.ts';
import { type CheckLiveDeps, checkConnections, checkLive, checkSecrets, checkStores, subscriptionRemarks } from './check-connections.ts';
import { type CheckFinding, failedCheckFinding } from './check-finding.ts';
import { readHealth } from './read-health.ts';
import type { HealthDeps, WatchedQueues } from './round.ts';

/** `isOwn`: our own compliance service is used, and none beside it. */
type CheckUpDeps = CheckComplianceDeps & CheckShopsDeps & CheckLiveDeps & Omit<HealthDeps, 'outside'> & More;
type More = { mail: MailCheck; isOwn: boolean; provider?: CheckedProvider | null };

/** Checks everything that orderbridge depends on: the failed checks of the health status, what is right, and what is worth knowing. */
export async function checkUp(given: CheckUpDeps): Promise<CheckFinding[]> {
  const deps = { ...given, mail: once(given.mail) };
  // A warning that no longer holds ends here, so that the health status does not have it.
  await checkShops(deps).catch(() => []);
  const api = await guarded('compliance API', () => checkCompliance(deps));
  const { failedChecks } = await readHealth({ ...deps, outside: () => askOutside(deps) });
  const configuration = checkConfiguration(deps.config);
  if (failedChecks.some(({ code }) => code === 'database.down')) return [configuration, ...failedChecks.map((one) => failedCheckFinding(one, []))];
  const connections = await deps.connections.list();
  const told = failedChecks.map((failedCheck) => failedCheckFinding(failedCheck, connections));
  const isTold = ({ what }: Pick<CheckFinding, 'what'>) => told.some((finding) => finding.what === what);
  const good = [...(await goodBasics(deps, isTold)), ...passedChecks].filter((finding) => !isTold(finding));
  const besides = [
    api,
    await guarded('connection', () => checkLive(deps, failedChecks)),
    await guarded('webhooks', () => subscriptionRemarks(deps)),
    await guarded('orders', () => checkConnections(deps)),
    await guarded('sign-in', () => checkProvider(deps.provider ?? null)),
  ];
  const secrets = (await checkSecrets(deps)).filter((finding) => finding.result !== 'wrong' && (finding.result !== 'ok' || !isTold(finding)));
  return [configuration, ...told, ...good, ...besides.flat(), ...secrets];
}

async function goodBasics(deps: CheckUpDeps, isTold: (what: Pick<CheckFinding, 'what'>) => boolean): Promise<CheckFinding[]> {
  const ground = [
    isTold({ what: 'database' }) ? [] : await guarded('database', async () => [await goodDatabase(deps)]),
    isTold({ what: 'queue' }) ? [] : await guarded('queue', async () => [await goodQueue(deps.queues)]),
    isTold({ what: 'store APIs' }) ? [] : await guarded('store APIs', () => checkStores(deps)),
    deps.isOwn ? await guarded('compliance service', () => passedServiceChecks(deps)) : [],
  ];
  return ground.flat();
}

/** What can't be looked at is wrong, and keeps nothing else from being told. */
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

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
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
  const { version } = await inspectDatabase(pool);
  return {
    what: 'database',
    result: 'ok',
    words: `PostgreSQL ${version}${config.database.kind === 'embedded' ? ', embedded in DATA_DIR' : ''}, tables up to date`,
  };
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
