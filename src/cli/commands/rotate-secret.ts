import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { rotateSecret } from '../../operations/connections/rotate-secret.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { checkSecretFlags, readSecret, SECRET_FORMS } from '../input/read-secret.ts';
import { noteSecret } from '../try-before.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = { secret: string; revokeNow?: true };

/** `orderbridge rotate-secret` */
export function rotateSecretCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .description(
      'Changes the secret that a store signs its webhooks with. First give orderbridge the new one with this command, then change it in the store: ' +
        'for 24 hours both are live, so that no webhook is refused in between.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--secret <new>', `the new secret ${SECRET_FORMS}`)
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action((id: string, options: Options) => {
      checkSecretFlags(context, { '--secret': options.secret });
      return withCore(context, (core) => rotate(context, core, { id, ...options }));
    });
}

async function rotate(context: CliContext, core: Core, { id, secret: given, revokeNow }: Options & { id: string }): Promise<void> {
  const secret = await readSecret(context, '--secret', given);
  const { platform } = await knownConnection(core.connections, id);
  const { oldUntil } = await rotateSecret(core, { id, secret, revokeNow: revokeNow === true, by: cliActor() });
  noteSecret(context, storefrontOf(storefronts, platform), secret);
  const { rotate: say } = wordsFor(context).stores;
  printLines(context, oldUntil === null ? [say.alone(id)] : [say.both(id, oldUntil), say.now]);
}
