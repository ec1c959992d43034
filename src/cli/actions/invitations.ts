import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import type { Core } from '../../app/core.ts';
import { decideCompany, nothingWaits } from '../../operations/onboarding/confirm-company.ts';
import { endLinksOf, knownInvitation, listInvitations, renewInvitation, revokeInvitation } from '../../operations/onboarding/invitations.ts';
import { settleShop } from '../../operations/onboarding/settle-shop.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { handLink } from '../hand-link.ts';
import { en } from '../words/en.ts';

export type Json = { json?: true };
export type Revoking = { links?: string; why?: string };
export type Deciding = { confirm?: true; refuse?: true; why?: string };
export type Settling = { is?: string; none?: true };

export async function decide(context: CliContext, { pool }: Core, { id, confirm, refuse, why }: Deciding & { id: string }): Promise<void> {
  const { invitations: say } = en;
  if (confirm !== true && refuse !== true) throw new CliError(say.confirmHow);
  const { waits } = await knownInvitation({ pool }, id);
  if (waits === null) throw nothingWaits();
  const { company, others } = waits;
  await decideCompany({ pool }, { id, company, isTheirs: confirm === true, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [confirm === true ? say.confirmed(company) : say.refused(company)]);
  if (confirm === true && others.length > 0) note(context, say.others(others.join(', ')));
}

export async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const all = await listInvitations({ pool });
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, [en.invitations.none]);
  const rows = all.map(({ id, email, state, waits, done, connectionId, expiresAt, links, createdAt }) => [
    id,
    email,
    state,
    waits === null ? null : [waits.company, ...waits.others].join(' '),
    done.join(' '),
    connectionId,
    localTime(createdAt),
    state === 'open' ? localTime(expiresAt) : null,
    links.map((link) => link.scope).join(' '),
  ]);
  printTable(context, {
    header: ['invitation', 'email', 'state', 'company waits', 'steps', 'connection', 'made', 'until', 'links'],
    rows,
    give: ['steps', 'links'],
    keep: ['invitation'],
  });
}

export async function renew(context: CliContext, { pool, config }: Core, { id, json }: Json & { id: string }): Promise<void> {
  const { token, invitation } = await renewInvitation({ pool }, { id, by: cliActor() });
  await handLink(context, config, { ...invitation, token, words: en.invitations.renewed, json });
}

export async function revoke(context: CliContext, { pool }: Core, { id, links, why }: Revoking & { id: string }): Promise<void> {
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  const { invitations: say } = en;
  if (links === undefined) await revokeInvitation({ pool }, { id, ...said });
  else if ((await endLinksOf({ pool }, { id, scopes: [links], ...said })) === 0) throw new CliError(say.noLinks);
  printLines(context, [say.revoked]);
}

export async function settle(context: CliContext, core: Core, { id, is, none }: Settling & { id: string }): Promise<void> {
  const { invitations: say } = en;
  if (is === undefined && none !== true) throw new CliError(say.settleHow);
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  await settleShop({ pool: core.pool, connections: core.connections, compliance, client }, { id, shopId: is ?? null, by: cliActor() });
  printLines(context, [say.settled]);
}
