import type { Core } from '../app/core.ts';
import { createStoreFetch } from '../app/store-fetch.ts';
import { sweepSoon } from '../bridge/delivery/maintenance-worker.ts';
import { notifyNobody } from '../bridge/delivery/notify.ts';
import { type Moved, movedStore } from '../operations/connections/moved-store.ts';
import { notOurStore } from '../operations/connections/not-our-store.ts';
import { errorWords } from '../platform/error-words.ts';
import { cliActor } from './actor.ts';
import { withQueues } from './with-queues.ts';
import { type CliWords, en } from './words/en.ts';

/** The flags of `reconnect` that say whose a host is, as they were typed. */
export type HostFlags = { moved?: string; notOurs?: string };

/** What was done; `unswept`: why the queue can't take the released webhooks at once. */
export type ChangedHosts = { moved: Moved | null; notOurs: { host: string; dismissed: number } | null; unswept: string | null };

/** Says whose the hosts of a connection are. `moved` first: the other flag may end the only host that there was. */
export async function changeHosts(core: Core, { id, ...flags }: HostFlags & { id: string }): Promise<ChangedHosts> {
  const { pool, connections, config } = core;
  const given = { fetchJson: createStoreFetch(config), trustedHttpHosts: config.trustedHttpHosts, notify: notifyNobody };
  const deps = { pool, connections, by: cliActor(), ...given };
  const moved = flags.moved === undefined ? null : await movedStore(deps, { id, host: flags.moved });
  const notOurs = flags.notOurs === undefined ? null : await notOurStore(deps, { id, host: flags.notOurs });
  return { moved, notOurs, unswept: moved === null || moved.released === 0 ? null : await sweepNow(core) };
}

export function hostLines(id: string, { moved, notOurs }: ChangedHosts, { stores: { hosts: say } }: CliWords): string[] {
  return [...(moved === null ? [] : movedLines(id, moved, say)), ...(notOurs === null ? [] : notOursLines(id, notOurs, say))];
}

type Say = CliWords['stores']['hosts'];

function movedLines(id: string, { host, released, review, dismissed, api }: Moved, say: Say): string[] {
  return [
    say.ours(host, id),
    ...(api === null ? [] : [api.works ? say.apiMoved(api.url) : say.apiStays(id, api.url, host)]),
    ...(released === 0 ? [] : [say.released(released)]),
    ...(review === 0 ? [] : [say.review(review)]),
    ...(dismissed === 0 ? [] : [say.notKept(dismissed)]),
  ];
}

function notOursLines(id: string, { host, dismissed }: { host: string; dismissed: number }, say: Say): string[] {
  return [say.notOurs(host, id), ...(dismissed === 0 ? [] : [say.dropped(dismissed)])];
}

/** The inbox has the deliveries already: if the queue is down, a later sweep finds them. */
async function sweepNow(core: Core): Promise<string | null> {
  try {
    await withQueues(core, ({ maintenance }) => sweepSoon(maintenance));
    return null;
  } catch (thrown) {
    return en.stores.hosts.unswept(errorWords(thrown));
  }
}
