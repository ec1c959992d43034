import { Command } from 'commander';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { changeHosts, type HostFlags, hostLines } from '../change-hosts.ts';
import { withCore } from '../with-core.ts';

type Options = HostFlags & { json?: true };

/** `orderbridge reconnect` */
export function reconnectCommand(context: CliContext): Command {
  return new Command('reconnect')
    .description(
      'Says whose a host is that webhooks of a connection name. Webhooks of another host than the store’s, such as that of a copy of the site, are held, ' +
        'and `orderbridge parked` lists the host. HOST may be an address: scheme, `www.`, port and path do not matter.',
    )
    .argument('<id>', 'id of the connection')
    .option('--moved <host>', 'the store is at this host, too: what was held of it goes on, and all of its webhooks count from now on')
    .option('--not-ours <host>', 'this host is not the store’s: what was held of it is dropped; later webhooks are answered 200 and counted, but not kept')
    .option('--json', 'print JSON: {connectionId, moved, notOurs}')
    .action((id: string, options: Options) => reconnect(context, id, options));
}

async function reconnect(context: CliContext, id: string, { json, ...flags }: Options): Promise<void> {
  if (flags.moved === undefined && flags.notOurs === undefined) throw new CliError('give --moved HOST or --not-ours HOST');
  await withCore(context, async (core) => {
    const changed = await changeHosts(core, id, flags);
    const { moved, notOurs, unwoken } = changed;
    if (unwoken !== null) note(context, unwoken);
    if (json) printJson(context, { connectionId: id, moved, notOurs });
    else printLines(context, hostLines(id, changed));
  });
}
