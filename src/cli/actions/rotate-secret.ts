import type { Core } from '../../app/core.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { rotateSecret } from '../../operations/connections/store-secrets.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { checkSecretFlags, readSecret } from '../input/read-secret.ts';
import { noteSecret } from '../verify-before.ts';
import { withCore } from '../with-core.ts';

export type Options = { secret: string; revokeNow?: true };

export async function rotate(context: CliContext, options: Options & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => rotateAt(context, core, options));
}

async function rotateAt(context: CliContext, core: Core, { id, secret: given, revokeNow }: Options & { id: string }): Promise<void> {
  const secret = await readSecret(context, '--secret', given);
  const { platform } = await knownConnection(core.connections, id);
  const { oldUntil } = await rotateSecret(core, { id, secret, revokeNow: revokeNow === true, by: cliActor() });
  noteSecret(context, storefrontOf(storefronts, platform), secret);
  printLines(
    context,
    oldUntil === null
      ? [`orderbridge takes the new secret of ${id} alone; webhooks signed with the old one are refused. Change it in the store now.`]
      : [`orderbridge has the new secret of ${id}; the old one is live until ${oldUntil}.`, 'Now change it in the store, before then.'],
  );
}
