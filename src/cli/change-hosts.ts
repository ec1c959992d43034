import type { Core } from '../app/core.ts';
import { sweepSoon } from '../bridge/delivery/maintenance-worker.ts';
import { type Moved, movedStore } from '../operations/connections/moved-store.ts';
import { notOurStore } from '../operations/connections/not-our-store.ts';
import { errorWords } from '../platform/error-words.ts';
import { cliActor } from './actor.ts';
import { withQueues } from './with-queues.ts';

/** The flags of `reconnect` that say whose a host is, as they were typed. */
export type HostFlags = { moved?: string; notOurs?: string };

/** What was done; `unwoken`: why the queue can't be told at once. */
export type ChangedHosts = { moved: Moved | null; notOurs: { host: string; dismissed: number } | null; unwoken: string | null };

/** Says whose the hosts of a connection are. `moved` first: the other flag may end the only host that there was. */
export async function changeHosts(core: Core, id: string, flags: HostFlags): Promise<ChangedHosts> {
  const deps = { ...core, by: cliActor() };
  const moved = flags.moved === undefined ? null : await movedStore(deps, { id, host: flags.moved });
  const notOurs = flags.notOurs === undefined ? null : await notOurStore(deps, { id, host: flags.notOurs });
  return { moved, notOurs, unwoken: moved === null || moved.released === 0 ? null : await sweepNow(core) };
}

export function hostLines(id: string, { moved, notOurs }: ChangedHosts): string[] {
  return [...(moved === null ? [] : movedLines(id, moved)), ...(notOurs === null ? [] : notOursLines(id, notOurs))];
}

function movedLines(id: string, { host, released, parked, dismissed }: Moved): string[] {
  return [
    `${host} is the store’s: its webhooks count for ${id} from now on, beside those of its other hosts.`,
    ...(released === 0 ? [] : [`${webhooks(released)} held; now ${released === 1 ? 'it is' : 'they are'} read again, in the order of arrival.`]),
    ...(parked === 0 ? [] : [`${webhooks(parked)} held, but can’t be read any more: \`orderbridge parked\`.`]),
    ...(dismissed === 0 ? [] : [`${webhooks(dismissed)} not kept before: save their orders in the store, which sends them again.`]),
  ];
}

function notOursLines(id: string, { host, dismissed }: { host: string; dismissed: number }): string[] {
  return [
    `${host} is not the store’s: its webhooks are answered and counted, but change nothing for ${id}.`,
    ...(dismissed === 0 ? [] : [`${webhooks(dismissed)} held, and dropped.`]),
  ];
}

function webhooks(count: number): string {
  return count === 1 ? '1 webhook was' : `${count} webhooks were`;
}

/** The inbox has the deliveries already: if the queue is down, a later sweep finds them. */
async function sweepNow(core: Core): Promise<string | null> {
  try {
    await withQueues(core, ({ maintenance }) => sweepSoon(maintenance));
    return null;
  } catch (thrown) {
    return `${errorWords(thrown)}; a running worker picks the webhooks up once it is back.`;
  }
}
