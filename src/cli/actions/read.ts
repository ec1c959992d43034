import { storefronts } from '../../bridge/storefronts/registry.ts';
import { readNow } from '../../operations/reconciliation/ask-store.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';

type Deps = Omit<Parameters<typeof readNow>[0], 'storefronts'>;

export async function run(context: CliContext, deps: Deps, { named, since: wanted }: { named: string; since: string | undefined }): Promise<void> {
  const { name, since, isAnew } = await readNow({ ...deps, storefronts }, { named, since: wanted, by: cliActor() });
  printLines(context, [
    `What changed in ${name} since ${localTime(since)} is read by a worker now${isAnew ? '; what was being read of it begins anew' : ''}; \`orderbridge connections\` shows when it was read.`,
  ]);
}
