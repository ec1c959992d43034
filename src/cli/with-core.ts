import type { Core } from '../app/core.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import type { ComplianceService } from '../service/compliance-service.ts';

/** Runs `work` on the ledger: beside a running server or alone, leaving the database as it was found. `connections`: to PostgreSQL, at most. */
export async function withCore<T>(context: CliContext, work: (core: Core) => Promise<T>, connections?: number): Promise<T> {
  const { openBeside } = await import('./open-beside.ts');
  await using core = await openBeside(context, connections);
  return await work(core);
}

export type CoreAndService = { core: Core; service: ComplianceService };

/** Runs `work` on our own compliance service, its tables brought up to date: beside a running server or alone. */
export function withService<T>(context: CliContext, work: (opened: CoreAndService) => Promise<T>): Promise<T> {
  return withCore(context, async (core) => {
    const { openService } = await import('../app/embedded-service.ts');
    const { isVerified } = await import('../platform/postgres/database-place.ts');
    if (!(await isVerified(core.pool))) await lookAlone(core);
    await using service = await openService(core);
    return await work({ core, service });
  });
}

/** No program has looked since the database's start: it is only then that a command needs the queues. */
async function lookAlone(core: Core): Promise<void> {
  const [{ lookOnce }, { openQueues }] = await Promise.all([import('../app/database-watch.ts'), import('../app/queues.ts')]);
  await using queues = openQueues(core);
  await lookOnce(core, queues);
}
