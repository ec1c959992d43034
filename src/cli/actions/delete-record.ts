import { type DoubledRecord, deleteDoubled, doubledRecords } from '../../operations/orders/doubled-records.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { withNotify } from '../with-queues.ts';

export type Options = { why?: string; yes?: true };

export async function run(context: CliContext, { named, record, why, yes }: Options & { named: string; record: string | undefined }): Promise<void> {
  await withNotify(context, async (core, notify) => {
    const { openRecordAccess } = await import('../../app/record-access.ts');
    const { openComplianceClient } = await import('../../app/compliance-access.ts');
    await using access = await openRecordAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { ...access, pool: core.pool, connections: core.connections, notify, client, now: Date.now };
    const records = await doubledRecords(deps, named);
    const rows = records.map((one) => [one.complianceId, one.number, `${one.money.total} ${one.money.currency}`, one.at, stateOf(one)]);
    printTable(context, { header: ['compliance id', 'number', 'total', 'made', 'state'], rows });
    if (record === undefined) return;
    if (yes !== true) await confirm(context, `Delete the record ${record}?`);
    const { id, left, released } = await deleteDoubled(deps, { named, record, by: cliActor(), ...(why === undefined ? {} : { why }) });
    const next = released ? 'the order is decided again' : `the order still has ${left} records, and stays in review`;
    printLines(context, [`The record ${record} is deleted; ${next}: \`orderbridge order id:${id}\` shows what becomes of it.`]);
  });
}

const WORDS: Readonly<Record<DoubledRecord['is'], string>> = { there: 'it is there', gone: 'it is gone', unreadable: 'the service does not show it' };

function stateOf({ is, isCurrent }: DoubledRecord): string {
  return isCurrent ? `${WORDS[is]}; the order stands for it` : WORDS[is];
}
