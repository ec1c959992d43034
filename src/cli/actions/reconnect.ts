import { knownConnection } from '../../operations/connections/known-connection.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { changeConnection, changeLines } from '../change-connection.ts';
import { changeHosts, type HostFlags, hostLines } from '../change-hosts.ts';
import { changesConnection, checkReconnectOptions, type ReconnectOptions } from '../input/reconnect-input.ts';
import { withNotify } from '../with-queues.ts';

export type Options = ReconnectOptions & HostFlags & { json?: true };

export async function reconnect(context: CliContext, named: string, options: Options): Promise<void> {
  checkReconnectOptions(context, options, options.moved !== undefined || options.notOurs !== undefined);
  await withNotify(context, async (core, notify) => {
    const { id } = await knownConnection(core.connections, named);
    const changed = changesConnection(options) ? await changeConnection(context, { core, notify, id }, options) : null;
    const hosts = await changeHosts(core, { id, ...options });
    if (hosts.unswept !== null) note(context, hosts.unswept);
    const { moved, notOurs } = hosts;
    if (options.json) printJson(context, { connectionId: id, ...changed?.shown, moved, notOurs });
    else printLines(context, [...(changed === null ? [] : changeLines(id, changed)), ...hostLines(id, hosts)]);
  });
}
