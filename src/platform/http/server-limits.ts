import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { isPublicAddress, networkOf } from './request-origin.ts';

/** How long a client may take for its head and for a whole request; checked often enough that this is true. */
export const serverTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

export type ConnectionLimits = {
  /** Connections in all. */
  most: number;
  /** Of these, from one public address, or one /64 network of IPv6. Private ones are those of proxies, behind which anybody may be. */
  mostOfOne: number;
};

const LIMITS: ConnectionLimits = { most: 1_000, mostOfOne: 200 };

/**
 * Bounds the connections of a server. Once three quarters are taken, those that wait between two requests are closed for new ones; a proxy opens
 * them again. Beyond the limit new ones are refused.
 */
export function limitConnections(server: Server, { most, mostOfOne }: ConnectionLimits = LIMITS): void {
  const open = new Map<string, number>();
  let count = 0;
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const address = plain(socket.remoteAddress);
    const network = networkOf(address);
    const ofOne = (open.get(network) ?? 0) + 1;
    count += 1;
    open.set(network, ofOne);
    socket.once('close', () => {
      count -= 1;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (ofOne > mostOfOne && isPublicAddress(address)) socket.destroy();
    else if (count > (most * 3) / 4) server.closeIdleConnections();
  });
}

function plain(address: string | undefined): string {
  return address?.replace(/^::ffff:/, '') ?? '';
}
