import { acceptProposal, declineProposal, listProposals, type Proposal } from '../../operations/review/proposals.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

export type Json = { json?: true };

const STATES: Readonly<Record<Proposal['is'], string>> = {
  open: 'waits',
  changed: 'settings changed since',
  answered: 'nobody is asked any more',
  accepted: 'accepted',
  declined: 'declined',
  replaced: 'replaced',
};

export async function listAll(context: CliContext, { json }: Json): Promise<void> {
  const all = await withCore(context, ({ pool, connections }) => listProposals({ pool, connections }, { shops: null }));
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['Nobody proposes anything.']);
  printTable(context, {
    header: ['store', 'proposes', 'what', 'why', 'since', 'state', 'id'],
    rows: all.map((one) => [one.store, one.by, answersOf(one), one.note, localTime(one.at), STATES[one.is], one.id]),
    give: ['why', 'what'],
    keep: ['id'],
  });
}

function answersOf({ chosen }: Proposal): string {
  return chosen.map(({ setting, value, name }) => `${settingWords(setting)} = ${[value, name].filter((one) => one !== null).join(', ')}`).join('; ');
}

function settingWords(setting: Proposal['settings'][number]): string {
  if (setting.of === 'payment') return setting.gateway;
  return setting.of === 'vat' ? `${setting.rate} %` : setting.of;
}

export async function acceptOne(context: CliContext, id: string): Promise<void> {
  const { proposal, bulkAction } = await withNotify(context, ({ pool, connections }, notify) =>
    acceptProposal({ pool, connections, notify, now: () => new Date() }, { id, by: cliActor() }),
  );
  printLines(context, [
    `The settings of ${proposal.store} are what ${proposal.by} proposed: ${answersOf(proposal)}.`,
    `One order is decided by them; /console/bulk-actions/${bulkAction} shows what became of it, and \`orderbridge release --code ${proposal.code}\` decides the others.`,
  ]);
}

export async function declineOne(context: CliContext, { id, why }: { id: string; why: string }): Promise<void> {
  const { by } = await withCore(context, ({ pool, connections }) => declineProposal({ pool, connections }, { id, by: cliActor(), word: why }));
  printLines(context, [`What ${by} proposed is declined.`]);
}
