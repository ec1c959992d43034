import { type Connection, SHOP_WARNING } from '../../bridge/connections/connection.ts';
import type { Destination } from '../../bridge/ledger/destination-store.ts';
import { hasService } from '../../service/database/has-service.ts';
import { endingKeys } from '../../service/keys/ending-keys.ts';
import { unknownShops } from '../../service/keys/unknown-shops.ts';
import type { Look, Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/** Shops and keys of live connections: our own service is read; another one said it when the store was connected, and says it by a pause. */
export const shopReader: Reader = {
  codes: ['shop.unknown', 'key.unknown', 'key.ending'],
  async read(look) {
    const live = await look.live();
    const ids = [...new Set(live.map(({ destinationId }) => destinationId))];
    const destinations = new Map(await Promise.all(ids.map(async (id) => [id, await openedDestination(look, id)] as const)));
    const unread = live.filter(({ destinationId }) => destinations.get(destinationId) == null);
    const closed = unread.map(({ id, name }) =>
      reasonOf('key.unknown', { subject: id, words: `${name}: its compliance key can’t be read with this ENCRYPTION_KEY`, verb: 'doctor' }),
    );
    const [ours, others] = [live.filter((one) => isOurs(destinations, one)), live.filter((one) => !isOurs(destinations, one))];
    return [...closed, ...(await unknownHere(look, ours, destinations)), ...(await endingHere(look, destinations)), ...others.flatMap(warned)];
  },
};

type Destinations = ReadonlyMap<string, Destination | null>;

/** Null: it is gone, or its credentials do not open. */
async function openedDestination({ destinations }: Look, id: string): Promise<Destination | null> {
  return destinations.find(id).catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.name === 'UnreadableRow') return null;
    throw thrown;
  });
}

function isOurs(destinations: Destinations, { destinationId }: Connection): boolean {
  return destinations.get(destinationId)?.baseUrl === null;
}

async function unknownHere({ pool }: Look, live: readonly Connection[], destinations: Destinations): Promise<Reason[]> {
  if (live.length === 0 || !(await hasService(pool))) return [];
  const callers = live.map(({ destinationId, shopId }) => ({ apiKey: destinations.get(destinationId)?.credentials.apiKey ?? '', shopId }));
  const unknown = await unknownShops(pool, callers);
  return live.flatMap(({ id, name, shopId }, place) => {
    const what = unknown[place] ?? null;
    if (what === null) return [];
    if (what === 'key') {
      const words = `${name}: its compliance key is unknown or revoked, so its orders can’t be recorded; \`orderbridge service keys create\` makes one`;
      return [reasonOf('key.unknown', { subject: id, words, verb: `reconnect ${id} --help` })];
    }
    const words = `${name}: the compliance service has no shop ${shopId} for this key, so its orders can’t be recorded; \`orderbridge shop create\` makes one, and \`orderbridge connect\` takes its id`;
    return [reasonOf('shop.unknown', { subject: id, words, verb: 'service shops list' })];
  });
}

/** It was so when the store was connected: whether orders are refused, a pause says. */
function warned({ id, name, warnings }: Connection): Reason[] {
  const words = warnings[SHOP_WARNING];
  return words === undefined ? [] : [reasonOf('shop.unknown', { level: 'attention', subject: id, words: `${name}: ${words}`, verb: 'doctor' })];
}

/** A rotation hands the new key over by itself; if it crashed before, nobody has the new secret, and the old key ends. */
async function endingHere({ pool }: Look, destinations: Destinations): Promise<Reason[]> {
  if (!(await hasService(pool))) return [];
  const keys = [...destinations.values()].flatMap((destination) => (destination === null ? [] : [destination.credentials.apiKey]));
  return (await endingKeys(pool, keys)).map(({ id, endsAt, rotatedAt, replacedBy }) => {
    const unused = replacedBy === null ? '' : `, and then \`orderbridge service keys revoke ${replacedBy}\`, whose secret nobody has`;
    const words = `the rotation of key ${id} did not finish: records still go with it, and it ends at ${endsAt}; type \`orderbridge service keys rotate ${id}\` again${unused}`;
    return reasonOf('key.ending', { subject: id, since: rotatedAt, words, verb: `service keys rotate ${id}` });
  });
}
