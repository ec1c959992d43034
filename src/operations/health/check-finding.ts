import type { Connection } from '../../bridge/connections/connection.ts';
import { checkCodes, isWrong } from './check-codes.ts';
import type { FailedCheck } from './health-status.ts';

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
    what: checkCodes[code].what,
    result: isWrong(failedCheck) ? 'wrong' : 'remark',
    words: `${named}${command}`,
  };
}
