import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Dice } from '../hostile/dice.ts';

/** How a store of a fleet answers. */
export type Manner = 'healthy' | 'slow' | 'hanging' | 'failing';

/** `requests`: when it was asked, by `performance.now()`. */
export type FleetStore = { name: string; url: string; manner: Manner; requests: number[] };

/** How long stores take: a healthy one at most, a slow one; and a hanging one until its caller’s patience is over, as it were. */
type Paces = { healthyMs: number; slowMs: number; hangMs: number };

const SHARES = { slow: 0.05, hanging: 0.02, failing: 0.01 };
const BODY = JSON.stringify({ orders: [], next: null });

type StoreFleet = AsyncDisposable & { stores: readonly FleetStore[] };

/** So many stores in which nothing changes, each at an address of this machine of its own; the dice say which are slow, hang or fail. */
export async function startStoreFleet(count: number, { seed, paces }: { seed: number; paces: Paces }): Promise<StoreFleet> {
  await using setup = new AsyncDisposableStack();
  const dice = new Dice(seed);
  const manners = mannersOf(count, dice);
  const stores: FleetStore[] = [];
  for (const [n, manner] of manners.entries()) {
    const requests: number[] = [];
    const server = createServer((_, response) => {
      requests.push(performance.now());
      answer(response, manner, { ...paces, healthyMs: paces.healthyMs * dice.next() });
    });
    const host = `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`;
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    setup.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    stores.push({ name: `store ${n}`, url: `http://${host}:${(server.address() as AddressInfo).port}`, manner, requests });
  }
  const owned = setup.move();
  return { stores, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function answer(response: ServerResponse, manner: Manner, { healthyMs, slowMs, hangMs }: Paces): void {
  if (manner === 'hanging') return void setTimeout(() => response.destroy(), hangMs).unref();
  const end = () => response.writeHead(manner === 'failing' ? 500 : 200, { 'content-type': 'application/json' }).end(BODY);
  setTimeout(end, manner === 'slow' ? slowMs : healthyMs).unref();
}

/** Exactly these shares, in an order that the dice say. */
function mannersOf(count: number, dice: Dice): Manner[] {
  const others = Object.entries(SHARES).flatMap(([manner, share]) => Array.from({ length: Math.round(count * share) }, () => manner as Manner));
  const all = [...others, ...Array.from({ length: count - others.length }, (): Manner => 'healthy')];
  return all
    .map((manner) => ({ manner, at: dice.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ manner }) => manner);
}
