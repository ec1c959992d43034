import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { LiveSecret } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { readSecret } from '../input/read-secret.ts';
import { knownConnection } from '../known-connection.ts';
import { withCore } from '../with-core.ts';

type Options = { secret: string; revokeNow?: true };

const BOTH_LIVE_MS = 24 * 60 * 60 * 1000;

/** `orderbridge rotate-secret` */
export function rotateSecretCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .description(
      'Changes the secret that a store signs its webhooks with. First give orderbridge the new one with this command, then change it in the store: ' +
        'for 24 hours both are live, so that no webhook is refused in between.',
    )
    .argument('<id>', 'id of the connection')
    .requiredOption('--secret <new>', 'the new secret (- for standard input, @FILE for a file)')
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action((id: string, options: Options) => withCore(context, (core) => rotateSecret(context, core, { id, ...options })));
}

async function rotateSecret(context: CliContext, core: Core, { id, secret: given, revokeNow }: Options & { id: string }): Promise<void> {
  const secret = await readSecret(context, '--secret', given);
  const { platform, secrets } = await knownConnection(core, id);
  const problem = storefrontOf(storefronts, platform).secretProblem(secret);
  if (problem !== null) throw new CliError(problem);
  const until = Date.now() + BOTH_LIVE_MS;
  await core.connections.changeSecrets(id, [{ secret, until: null }, ...(revokeNow ? [] : ending(secrets, secret, until))]);
  printLines(
    context,
    revokeNow
      ? [`orderbridge takes the new secret of ${id} alone; webhooks signed with the old one are refused. Change it in the store now.`]
      : [`orderbridge has the new secret of ${id}; the old one is live until ${new Date(until).toISOString()}.`, 'Now change it in the store, before then.'],
  );
}

/** The other secrets that are live now, to end at `until` at the latest. */
function ending(secrets: readonly LiveSecret[], fresh: string, until: number): LiveSecret[] {
  return secrets
    .map((live) => ({ secret: live.secret, ends: Math.min(live.until === null ? until : Date.parse(live.until), until) }))
    .filter(({ secret, ends }) => secret !== fresh && ends > Date.now())
    .map(({ secret, ends }) => ({ secret, until: new Date(ends).toISOString() }));
}
