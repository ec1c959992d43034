import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/rotate-secret.ts';
import { SECRET_FORMS } from '../input/secret-flags.ts';

const actions = () => import('../actions/rotate-secret.ts');

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
    .action(async (id: string, options: Options) => (await actions()).rotate(context, { id, ...options }));
}
