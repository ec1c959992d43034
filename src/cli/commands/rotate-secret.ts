import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { checkSecretFlags, readSecret } from '../input/read-secret.ts';
import { SECRET_FORMS } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

export function rotateSecretCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .description(
      'Changes the secret that a store signs its webhooks with. First give orderbridge the new one with this command, then change it in the store: ' +
        'for 24 hours both are valid, so that no webhook is refused in between.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--secret <new>', `the new secret ${SECRET_FORMS}`)
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action((id: string, options: Options) => rotate(context, { id, ...options }));
}

type Options = { secret: string; revokeNow?: true };

async function rotate(context: CliContext, options: Options & { id: string }): Promise<void> {
  checkSecretFlags(context, { '--secret': options.secret });
  await withCore(context, (core) => rotateAt(context, core, options));
}

async function rotateAt(context: CliContext, core: Core, { id, secret: given, revokeNow }: Options & { id: string }): Promise<void> {
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { noteSecret } = await import('../verify-before.ts');
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { rotateSecret } = await import('../../operations/connections/store-secrets.ts');
  const secret = await readSecret(context, '--secret', given);
  const { platform } = await knownConnection(core.connections, id);
  const { oldUntil } = await rotateSecret(core, { id, secret, revokeNow: revokeNow === true, by: cliActor() });
  noteSecret(context, storefrontOf(storefronts, platform), secret);
  printLines(
    context,
    oldUntil === null
      ? [`orderbridge accepts only the new secret of ${id}; webhooks signed with the old one are refused. Change it in the store now.`]
      : [`orderbridge has the new secret of ${id}; the old one is valid until ${oldUntil}.`, 'Now change it in the store, before then.'],
  );
}
