import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import type { Lang } from '../../contract/said.ts';
import { inviteMerchant } from '../../operations/onboarding/invitations.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { cliActor } from '../actor.ts';
import { handLink, noteOthers } from '../hand-link.ts';
import { withCore } from '../with-core.ts';

export type Options = { email?: string; shop?: string; company?: string; app?: string; lang?: Lang; json?: true };

export async function invite(context: CliContext, { email, shop, company, app, lang, json }: Options): Promise<void> {
  await withCore(context, async (core) => {
    await using compliance = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
    const given = { email: email ?? null, lang: lang ?? null };
    const wanted = { shopId: shop ?? null, company: company ?? null, app: app ?? null, by: cliActor() };
    const { id, token, others } = await inviteMerchant(deps, { ...given, ...wanted });
    noteOthers(context, others);
    await handLink(context, core.config, { id, token, ...given, words: `The merchant connects a store here, within 14 days (invitation ${id}):`, json });
  });
}
