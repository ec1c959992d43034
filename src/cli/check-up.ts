import type { Connection } from '../bridge/connections/connection.ts';
import type { Config } from '../config/config.ts';
import { type RecheckAccessDeps, type RecheckDeps, recheckAccess, recheckShops } from '../operations/connections/verify-credentials.ts';
import type { Check, DoctorRemark } from '../operations/health/check.ts';
import { askOutside, isFailed, type Outside } from '../operations/health/checks/network.ts';
import { besideDatabase, codeOf, inDatabase } from '../operations/health/checks.ts';
import type { FailedCheck } from '../operations/health/health-status.ts';
import { notAsked, readHealth } from '../operations/health/read-health.ts';
import { type HealthDeps, type Round, startRound } from '../operations/health/round.ts';
import { errorWords } from '../platform/error-words.ts';
import { withTimeout } from '../platform/with-timeout.ts';

/** WRONG: it does not work, or may lose something. note: worth knowing. */
export type DoctorLine = { mark: 'ok' | 'note' | 'WRONG'; what: string; words: string };

type CheckUpDeps = HealthDeps & Outside & RecheckDeps & RecheckAccessDeps;

/** What `doctor` says of everything that orderbridge depends on: the failed checks of the health status, what is right, and what is worth knowing. */
export async function checkUp(deps: CheckUpDeps): Promise<DoctorLine[]> {
  // A warning that no longer holds ends here, so that the health status does not have it.
  const [shops, access] = await Promise.allSettled([recheckShops(deps), recheckAccess(deps)]);
  const untried = [...untriedBy('compliance shop', shops), ...untriedBy('connection', access)];
  const tried = access.status === 'fulfilled' ? access.value : new Map<string, string>();
  const asked = await askOutside(deps);
  const health = await readHealth({ ...deps, tried, network: async () => asked.filter(isFailed) });
  const { failedChecks } = health;
  const round = startRound({ ...deps, tried });
  const isDown = failedChecks.some(({ code }) => code === 'database.down');
  const connections = isDown ? [] : await round.all();
  const failures = failedChecks.map((one) => lineOf(one, connections));
  // What did not answer would not answer again.
  const unread = notAsked(health);
  const answered = isDown ? [] : [...besideDatabase, ...inDatabase].filter(({ codes }) => codes.some((code) => !unread.has(code)));
  const said = (await Promise.all(answered.map((check) => remarksOf(check, round)))).flat();
  const remarks = [...said, ...asked.flatMap((one) => (isFailed(one) ? [] : [lineOfRemark(one)]))].filter(
    ({ mark, what }) => mark !== 'ok' || ONE_BY_ONE.has(what) || failures.every((one) => one.what !== what),
  );
  return [...configured(deps.config), ...failures, ...untried, ...remarks];
}

/** Of these each good line is of one store, or one key. */
const ONE_BY_ONE: ReadonlySet<string> = new Set(['connection', 'compliance API']);

function untriedBy(what: string, trying: PromiseSettledResult<unknown>): DoctorLine[] {
  return trying.status === 'fulfilled' ? [] : [{ mark: 'WRONG', what, words: `not all of it could be tried (${errorWords(trying.reason)})` }];
}

const ANSWER_MS = 5_000;

async function remarksOf({ name, remarks }: Check, round: Round): Promise<DoctorLine[]> {
  if (remarks === undefined) return [];
  try {
    return (await withTimeout(ANSWER_MS, remarks(round))).map(lineOfRemark);
  } catch (thrown) {
    return [{ mark: 'WRONG', what: name, words: `more of it could not be read (${errorWords(thrown)})` }];
  }
}

function lineOfRemark({ what, words, isNote, isWrong }: DoctorRemark): DoctorLine {
  return { mark: isWrong ? 'WRONG' : isNote ? 'note' : 'ok', what, words };
}

const TOO_LONG =
  'COMPLIANCE_TIMEOUT_SECONDS is not below LEASE_SECONDS: while one process waits for an answer, another takes the order over as if its reply were lost; make the lease longer';

/** An invalid configuration never gets here. */
function configured({ database, queue, compliance, dataDir, timeouts, leaseSeconds }: Config): DoctorLine[] {
  const words = `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`;
  const valid: DoctorLine = { mark: 'ok', what: 'configuration', words };
  if (timeouts.totalMs < leaseSeconds * 1000) return [valid];
  return [valid, { mark: 'note', what: 'configuration', words: TOO_LONG }];
}

/** What waits for a person is worth knowing, all else is wrong. A connection is named by the id that commands take. */
function lineOf({ code, level, subject, words, verb }: FailedCheck, connections: readonly Connection[]): DoctorLine {
  const connection = connections.find(({ id }) => id === subject);
  const named = connection !== undefined && words.startsWith(`${connection.name}: `) ? `${connection.id}${words.slice(connection.name.length)}` : words;
  // That is what the person did.
  const command = verb === null || verb === 'doctor' || named.includes(`orderbridge ${verb}`) ? '' : `; \`orderbridge ${verb}\``;
  const { what, isWrong } = codeOf(code);
  return { mark: (isWrong ?? level === 'failing') ? 'WRONG' : 'note', what, words: `${named}${command}` };
}
