import type { Core } from '../app/core.ts';
import { createStoreFetch } from '../app/store-fetch.ts';
import { sweepSoon } from '../bridge/delivery/maintenance-worker.ts';
import { notifyNobody } from '../bridge/delivery/notify.ts';
import { type Moved, movedStore } from '../operations/connections/moved-store.ts';
import { notOurStore } from '../operations/connections/not-our-store.ts';
import { errorWords } from '../platform/error-words.ts';
import { cliActor } from './actor.ts';
import { plural } from './text/plural.ts';
import { withQueues } from './with-queues.ts';

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

export function hostLines(id: string, { moved, notOurs }: ChangedHosts): string[] {
  return [...(moved === null ? [] : movedLines(id, moved)), ...(notOurs === null ? [] : notOursLines(id, notOurs))];
}

function movedLines(id: string, { host, released, review, dismissed, api }: Moved): string[] {
  return [
    `${host} is the store’s: its webhooks count for ${id} from now on, beside those of its other hosts.`,
    ...(api === null
      ? []
      : [
          api.works
            ? `Its API no longer answers where it was, and does at ${api.url} with the same key: it is called there from now on.`
            : `Its API is still called at ${api.url}, which gives no usable answer, nor does ${host} with the same key: \`orderbridge reconnect ${id} --store-url https://…\`, with new keys if these are gone; until then orders that need the API wait.`,
        ]),
    ...(released === 0
      ? []
      : [`${plural(released, 'webhook was', 'webhooks were')} held; now ${released === 1 ? 'it is' : 'they are'} read again, in the order of arrival.`]),
    ...(review === 0 ? [] : [`${plural(review, 'webhook was', 'webhooks were')} held, but can’t be read any more: \`orderbridge review\`.`]),
    ...(dismissed === 0
      ? []
      : [`${plural(dismissed, 'webhook was', 'webhooks were')} not kept before: save their orders in the store, which sends them again.`]),
  ];
}

function notOursLines(id: string, { host, dismissed }: { host: string; dismissed: number }): string[] {
  return [
    `${host} is not the store’s: its webhooks are answered and counted, but change nothing for ${id}.`,
    ...(dismissed === 0 ? [] : [`${plural(dismissed, 'webhook was', 'webhooks were')} held, and dropped.`]),
  ];
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
