import { Command } from 'commander';
import type { Proposal } from '../../operations/review/proposals.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { givenWhy } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withNotify } from '../with-queues.ts';

const ID = 'id of the proposal (`orderbridge proposals` shows it)';

export function proposalsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description('Lists the answers that accountants proposed in the console, and that nobody took or declined yet.')
    .option('--json', 'print JSON: an array of proposals')
    .action((options: Json) => listAll(context, options));
  const accept = new Command('accept')
    .description('Changes the settings to what was proposed, and decides one of the orders that wait for it by them; `orderbridge release --code` goes on.')
    .argument('<id>', ID)
    .action((id: string) => acceptOne(context, id));
  const decline = new Command('decline')
    .description('Declines a proposal; the accountant who made it reads why in the console.')
    .argument('<id>', ID)
    .option('--why <words>', 'why, for the accountant who proposed it; needed')
    .action((id: string, { why }: { why?: string }) => declineOne(context, { id, why: givenWhy(why) }));
  return new Command('proposals')
    .description('Answers to the issues of waiting orders that accountants proposed: an operator takes them, or says why not.')
    .addCommand(list, { isDefault: true })
    .addCommand(accept)
    .addCommand(decline);
}

type Json = { json?: true };

const STATES: Readonly<Record<Proposal['is'], string>> = {
  open: 'waits',
  changed: 'settings changed since',
  answered: 'nobody is asked any more',
  accepted: 'accepted',
  declined: 'declined',
  replaced: 'replaced',
};

async function listAll(context: CliContext, { json }: Json): Promise<void> {
  const { listProposals } = await import('../../operations/review/proposals.ts');
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

async function acceptOne(context: CliContext, id: string): Promise<void> {
  const { acceptProposal } = await import('../../operations/review/proposals.ts');
  const { proposal, bulkAction } = await withNotify(context, ({ pool, connections }, notify) =>
    acceptProposal({ pool, connections, notify, now: () => new Date() }, { id, by: cliActor() }),
  );
  printLines(context, [
    `The settings of ${proposal.store} are what ${proposal.by} proposed: ${answersOf(proposal)}.`,
    `One order is decided by them; /console/bulk-actions/${bulkAction} shows what became of it, and \`orderbridge release --code ${proposal.code}\` decides the others.`,
  ]);
}

async function declineOne(context: CliContext, { id, why }: { id: string; why: string }): Promise<void> {
  const { declineProposal } = await import('../../operations/review/proposals.ts');
  const { by } = await withCore(context, ({ pool, connections }) => declineProposal({ pool, connections }, { id, by: cliActor(), reason: why }));
  printLines(context, [`What ${by} proposed is declined.`]);
}
