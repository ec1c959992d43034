import type { Connection } from '../bridge/connections/connection.ts';
import type { Config } from '../config/config.ts';
import { type RecheckAccessDeps, type RecheckDeps, recheckAccess, recheckShops } from '../operations/connections/verify-credentials.ts';
import type { Check, DoctorRemark } from '../operations/health/check.ts';
import { askOutside, isFailed, type Outside } from '../operations/health/checks/network.ts';
import { besideDatabase, codeOf, inDatabase } from '../operations/health/checks.ts';
import type { FailedCheck } from '../operations/health/health-status.ts';
import { readHealth } from '../operations/health/read-health.ts';
import { type HealthDeps, type Round, startRound } from '../operations/health/round.ts';
import { errorWords } from '../platform/error-words.ts';

/** WRONG: it does not work, or may lose something. note: worth knowing. */
export type DoctorLine = { mark: 'ok' | 'note' | 'WRONG'; what: string; words: string };

type CheckUpDeps = HealthDeps & Outside & RecheckDeps & RecheckAccessDeps;

/** What `doctor` says of everything that orderbridge depends on: the failed checks of the health status, what is right, and what is worth knowing. */
export async function checkUp(deps: CheckUpDeps): Promise<DoctorLine[]> {
  // A warning that no longer holds ends here, so that the health status does not have it.
  const untried = await Promise.all([untriedBy('compliance shop', recheckShops(deps)), untriedBy('connection', recheckAccess(deps))]);
  const asked = await askOutside(deps);
  const { failedChecks } = await readHealth({ ...deps, network: async () => asked.filter(isFailed) });
  const round = startRound(deps);
  const isDown = failedChecks.some(({ code }) => code === 'database.down');
  const connections = isDown ? [] : await round.all();
  const failures = failedChecks.map((one) => lineOf(one, connections));
  const said = isDown ? [] : await Promise.all([...besideDatabase, ...inDatabase].map((check) => remarksOf(check, round)));
  const remarks = [...untried.flat(), ...said.flat(), ...asked.flatMap((one) => (isFailed(one) ? [] : [one]))].filter(
    ({ what, isNote }) => isNote || failures.every((one) => one.what !== what),
  );
  return [configured(deps.config), ...failures, ...remarks.map(({ what, words, isNote }): DoctorLine => ({ mark: isNote ? 'note' : 'ok', what, words }))];
}

async function untriedBy(what: string, trying: Promise<void>): Promise<DoctorRemark[]> {
  return trying.then(
    () => [],
    (thrown: unknown) => [{ what, words: `not all of it could be tried (${errorWords(thrown)})`, isNote: true }],
  );
}

async function remarksOf({ name, remarks }: Check, round: Round): Promise<DoctorRemark[]> {
  return (
    (await remarks?.(round).catch((thrown: unknown) => [{ what: name, words: `more of it could not be read (${errorWords(thrown)})`, isNote: true }])) ?? []
  );
}

/** An invalid configuration never gets here. */
function configured({ database, queue, compliance, dataDir }: Config): DoctorLine {
  const words = `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`;
  return { mark: 'ok', what: 'configuration', words };
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
