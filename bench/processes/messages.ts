import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** The messages to the load generator. */
export type LoadOrder = {
  url: string;
  secret: string;
  connections: number;
  count: number;
  /** The first order's number: each order of a whole run is its own. */
  first: number;
  /** Requests a second, sent whether or not earlier ones were answered; absent: as fast as answers come. */
  rate?: number;
};

/** Latencies in ms; times in ms since 1970; `statuses`: how often each other than 200 was answered. */
export type LoadResult = {
  accepted: number;
  failed: number;
  statuses: Record<string, number>;
  beganAt: number;
  endedAt: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
};

/** To the stub: its counts so far, those of between two instants, or to begin anew. Times in ms since 1970. */
export type StubQuestion = 'count' | 'reset' | { from: number; to: number };

/** Counts of the stub so far: requests with an order, distinct orders, and when the last one was recorded. */
export type StubCount = { requests: number; orders: number; lastAt: number };

/** Listens on a free local port and reports it to the parent. */
export async function tellPort(server: Server, port = 0): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port });
  process.once('disconnect', () => process.exit());
}
