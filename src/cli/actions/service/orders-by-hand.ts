import type { Core } from '../../../app/core.ts';
import { createByHand, deleteByHand, lookBeforeDelete } from '../../../operations/service/orders-by-hand.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { confirm } from '../../input/confirm.ts';
import { readJsonFile } from '../../input/read-json-file.ts';
import { en } from '../../words/en.ts';

export type CreateOptions = { file: string; shop?: string; why?: string; json?: true };
export type DeleteOptions = { why?: string; yes?: true };
type Opened = { core: Core; service: ComplianceService };

export async function create(context: CliContext, { core, service }: Opened, { file, shop, why, json }: CreateOptions): Promise<void> {
  const given = { ...(shop === undefined ? {} : { shop }), ...(why === undefined ? {} : { why }) };
  const created = await createByHand({ pool: core.pool, service }, { body: await readJsonFile(context, file), by: cliActor(), ...given });
  if (json) return printJson(context, created);
  const { id, documentNumber, isNew } = created;
  const { orders: say } = en.service;
  printLines(context, [(isNew ? say.recorded : say.already)(id, documentNumber), say.settle(`orderbridge settle ORDER --recorded ${id} --why "…"`)]);
}

export async function remove(context: CliContext, { core, service }: Opened, { id, why, yes }: DeleteOptions & { id: string }): Promise<void> {
  const { recorded, order } = await lookBeforeDelete(core, id);
  const { internalNumber, total, precision, currency } = recorded;
  const { orders: say } = en.service;
  note(context, say.about(id, internalNumber, `${total.toFixed(precision)} ${currency}`));
  if (order !== null) note(context, say.held(order.id, order.name));
  if (yes === undefined) await confirm(context, say.ask);
  await deleteByHand({ service }, { id, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [say.deleted(id)]);
}
