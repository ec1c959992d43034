import { AuditValidator, type BlockProblem, blockProblems } from './audit-validator.ts';

// As long as the thread: its memory goes with it.
const validator = new AuditValidator();

/** Runs on a thread of its own (`with-schema-check`): the problems of a `SmallFile`. */
export function validateOnThread(xml: Uint8Array): BlockProblem[] {
  return blockProblems(validator, xml);
}
