import { AuditValidator, type BlockProblem, blockProblems } from './audit-validator.ts';

// As long as the thread: its memory goes with it.
const validator = new AuditValidator();

/** Runs on a thread of its own (`with-schema-check`): the problems of a `SmallFile`, whose bytes are this thread's, and are freed. */
export function validateOnThread(xml: Uint8Array<ArrayBuffer>): BlockProblem[] {
  try {
    return blockProblems(validator, xml);
  } finally {
    // At once: collected later, dozens of them would be in memory.
    xml.buffer.transfer(0);
  }
}
