import { type DoubledRecord, deleteDoubled, doubledRecords } from '../../operations/orders/doubled-records.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { withNotify } from '../with-queues.ts';
import { en } from '../words/en.ts';

export type Options = { why?: string; yes?: true };

export async function run(context: CliContext, { named, record, why, yes }: Options & { named: string; record: string | undefined }): Promise<void> {
  await withNotify(context, async (core, notify) => {
    const { records: say } = en.reading;
    const { openRecordAccess } = await import('../../app/record-access.ts');
    const { openComplianceClient } = await import('../../app/compliance-client.ts');
    await using access = await openRecordAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { ...access, pool: core.pool, connections: core.connections, notify, client, now: Date.now };
    const records = await doubledRecords(deps, named);
    const rows = records.map((one) => [one.complianceId, one.number, `${one.money.total} ${one.money.currency}`, one.at, stateOf(one)]);
    printTable(context, { header: ['compliance id', 'number', 'total', 'made', 'state'], rows });
    if (record === undefined) return;
    if (yes !== true) await confirm(context, say.ask(record));
    const { id, left, released } = await deleteDoubled(deps, { named, record, by: cliActor(), ...(why === undefined ? {} : { why }) });
    const next = released ? say.released : say.left(left);
    printLines(context, [say.deleted(record, next, id)]);
  });
}

function stateOf({ is, isHeld }: DoubledRecord): string {
  const { records: say } = en.reading;
  return isHeld ? say.isHeld(say.is[is]) : say.is[is];
}
