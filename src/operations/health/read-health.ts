import { inspectDatabase } from '../../bridge/ledger/migrate-ledger.ts';
import { errorWords } from '../../platform/error-words.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type Check, failedBy } from './check.ts';
import { queueCheck, queueDown } from './checks/queue.ts';
import { besideDatabase, checkCodes, inDatabase } from './checks.ts';
import { grouped } from './group-checks.ts';
import type { FailedCheck, HealthStatus } from './health-status.ts';
import { type HealthDeps, type Round, startRound } from './round.ts';

const ANSWER_MS = 5_000;
const failed = failedBy(checkCodes);

/** Whether all is well, and why not. Never rejects: what does not answer within 5 s is a failed check itself, and holds up nothing else. */
export async function readHealth(deps: HealthDeps): Promise<HealthStatus> {
  const round = startRound(deps);
  const beside = ask(besideDatabase, round);
  const down = await databaseDown(round);
  const failedChecks = down === null ? [...(await ask(inDatabase, round)), ...(await beside)] : [down, ...(await beside)];
  return healthOf(failedChecks, round.now);
}

/** The health status that these failed checks make; `now`: ms since 1970. */
function healthOf(failedChecks: readonly FailedCheck[], now: number): HealthStatus {
  const sorted = grouped(failedChecks).toSorted((a, b) => rank(a) - rank(b));
  return { health: sorted[0]?.level ?? 'ok', at: new Date(now).toISOString(), failedChecks: sorted };
}

/** A database that could not even be opened, and all that depends on it. */
export function databaseDownHealth(thrown: unknown): HealthStatus {
  return healthOf([downCheck(thrown)], Date.now());
}

/**
 * The codes whose source did not answer, or not all of it: that a failed check of them is absent from this health status does not mean that its trouble is over.
 */
export function notAsked({ failedChecks }: HealthStatus): ReadonlySet<string> {
  const gone = new Set(failedChecks.map(({ code, subject }) => (code === 'check.failed' ? `${code} ${subject}` : code)));
  const silent = [
    ...[...besideDatabase, ...inDatabase].filter(({ name }) => gone.has(`check.failed ${name}`)),
    ...(gone.has('database.down') ? inDatabase : []),
    ...(gone.has('queue.down') ? [queueCheck] : []),
  ];
  return new Set(silent.flatMap(({ codes }) => codes));
}

const order = Object.keys(checkCodes);

/** Failing before attention, then as in the table of codes. */
function rank({ level, code }: FailedCheck): number {
  return (level === 'failing' ? 0 : order.length) + order.indexOf(code);
}

async function databaseDown({ pool }: Round): Promise<FailedCheck | null> {
  try {
    await withTimeout(ANSWER_MS, inspectDatabase(pool));
    return null;
  } catch (thrown) {
    return downCheck(thrown);
  }
}

function downCheck(thrown: unknown): FailedCheck {
  return failed('database.down', { words: `the database can’t be used (${errorWords(thrown)}); check DATABASE_URL, and that PostgreSQL runs` });
}

async function ask(checks: readonly Check[], round: Round): Promise<FailedCheck[]> {
  return (await Promise.all(checks.map((check) => askOne(check, round)))).flat();
}

async function askOne(check: Check, round: Round): Promise<FailedCheck[]> {
  const { name } = check;
  try {
    return await withTimeout(ANSWER_MS, check.read(round));
  } catch (thrown) {
    if (check === queueCheck) return [queueDown(round, thrown)];
    return [failed('check.failed', { subject: name, words: `${name}: this could not be checked (${errorWords(thrown)})`, verb: 'doctor' })];
  }
}
