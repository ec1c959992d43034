import { Command, Option } from 'commander';
import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import { LANGS, type Lang } from '../../contract/said.ts';
import { inviteMerchant } from '../../operations/onboarding/invitations.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { handLink } from '../hand-link.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = { email?: string; shop?: string; company?: string; app?: string; lang?: Lang; json?: true };

/** `orderbridge invite` */
export function inviteCommand(context: CliContext): Command {
  return new Command('invite')
    .summary('let a merchant connect a store by a link')
    .description(
      'Prints a link by which one merchant connects one store, within 14 days: he can stop and come back. ' +
        'It is shown once, and only its hash is kept; `orderbridge invitations link` makes another. The server must serve the console (roles console and all).',
    )
    .option('--email <address>', 'where he is mailed the link, if there is a mail server, and later what only he can do')
    .option('--shop <uuid>', 'id of his shop at the compliance service; without it he makes one')
    .addOption(
      new Option('--company <uic>', 'number (ЕИК) of his company, of which he makes a shop; without it he names it, and it must be confirmed').conflicts(
        'shop',
      ),
    )
    .option('--app <app>', 'which app he approves at his store; needed where there are several for one merchant each')
    .addOption(new Option('--lang <lang>', 'language of his pages and mails; without it as his browser asks, and mails are Bulgarian').choices([...LANGS]))
    .option('--json', 'print JSON: id, link, mailed')
    .action((options: Options) => invite(context, options));
}

async function invite(context: CliContext, { email, shop, company, app, lang, json }: Options): Promise<void> {
  await withCore(context, async (core) => {
    await using compliance = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
    const given = { email: email ?? null, lang: lang ?? null };
    const wanted = { shopId: shop ?? null, company: company ?? null, app: app ?? null, by: cliActor() };
    const { id, token, others } = await inviteMerchant(deps, { ...given, ...wanted });
    if (others.length > 0) note(context, wordsFor(context).invitations.others(others.join(', ')));
    await handLink(context, core.config, { id, token, ...given, words: wordsFor(context).invitations.invited(id), json });
  });
}
