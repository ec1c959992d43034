import type { Core } from '../../app/core.ts';
import { openService } from '../../app/embedded-service.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import { withCore } from '../with-core.ts';

type Opened = { core: Core; service: ComplianceService };

/** Runs `work` on our own compliance service, its tables brought up to date: beside a running server or alone. */
export function withService<T>(context: CliContext, work: (opened: Opened) => Promise<T>): Promise<T> {
  return withCore(context, async (core) => {
    await using service = await openService(core);
    return await work({ core, service });
  });
}
