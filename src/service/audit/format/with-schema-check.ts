import { Tinypool } from 'tinypool';
import { partModule } from '../../../platform/program-file.ts';
import type { Finding } from '../audit-file.ts';
import { type AuditBlock, AuditValidator, type BlockProblem, findingsOfBlock, smallFile, validateBlock } from './audit-validator.ts';

/** Checks a few hundred orders of a large file against the schema, as `validateBlock` does. Takes the block's bytes at once, and answers later. */
export type SchemaBlockCheck = (block: AuditBlock) => Promise<Finding[]>;

/** Up to so many orders are checked at once: a thread takes longer to begin. */
const FEW = 5_000;
/** Less than the time after which the database gives up a transaction that waits. */
const THREAD_MS = 20_000;
const THREAD_MB = 64;

type Work<T> = (check: SchemaBlockCheck) => Promise<T>;
/** Above how many orders there is a thread (5,000), its module, and how long a block may take it: 20 s. */
export type SchemaThread = { few?: number; file?: string; withinMs?: number };

/**
 * Compiles the schema, on a thread of its own for many orders, and frees it when `work` ends. A thread that dies, or takes too long, fails the check of
 * the block.
 */
export async function withSchemaCheck<T>({ orders, few = FEW, ...thread }: SchemaThread & { orders: number }, work: Work<T>): Promise<T> {
  return orders <= few ? await withValidator(work) : await withThread(thread, work);
}

async function withValidator<T>(work: Work<T>): Promise<T> {
  using validator = new AuditValidator();
  return await work(async (block) => validateBlock(validator, block));
}

async function withThread<T>({ file = partModule('service/audit/format/schema-thread'), withinMs = THREAD_MS }: SchemaThread, work: Work<T>): Promise<T> {
  const pool = new Tinypool({
    ...{ filename: file, name: 'validateOnThread', runtime: 'worker_threads', env: {} },
    ...{ minThreads: 1, maxThreads: 1, resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 4 } },
  });
  let last: Promise<unknown> = Promise.resolve();
  const onThread = (xml: Uint8Array<ArrayBuffer>): Promise<BlockProblem[]> => {
    // The time of a block begins when that of the one before has ended. After one that failed none is begun.
    const run = last.then(() => pool.run(xml, { transferList: [xml.buffer], signal: AbortSignal.timeout(withinMs) }));
    run.catch(() => undefined);
    last = run;
    return run;
  };
  try {
    return await work(async (block) => {
      const { xml, numbers } = smallFile(block);
      return findingsOfBlock(await onThread(xml), numbers);
    });
  } finally {
    await pool.destroy();
  }
}
