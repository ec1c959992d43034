import type { Connection } from '../../bridge/connections/connection.ts';
import { isWrong, reasonCodes } from '../verdict/reason-codes.ts';
import type { Reason } from '../verdict/verdict.ts';

/** wrong: it does not work, or may lose something. remark: worth knowing. */
export type CheckFinding = { what: string; verdict: 'ok' | 'remark' | 'wrong'; words: string };

/** A reason of the verdict as a finding: what waits for a person is worth knowing, all else is wrong. A connection is named by the id that commands take. */
export function reasonFinding(reason: Reason, connections: readonly Pick<Connection, 'id' | 'name'>[]): CheckFinding {
  const { code, subject, words, verb } = reason;
  const connection = connections.find(({ id }) => id === subject);
  const named = connection !== undefined && words.startsWith(`${connection.name}: `) ? `${connection.id}${words.slice(connection.name.length)}` : words;
  // That is what the person did.
  const command = verb === null || verb === 'doctor' || named.includes(`orderbridge ${verb}`) ? '' : `; \`orderbridge ${verb}\``;
  return {
    what: reasonCodes[code].what,
    verdict: isWrong(reason) ? 'wrong' : 'remark',
    words: `${named}${command}`,
  };
}
