import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections, serverTimeouts } from '../platform/http/http-app.ts';

export type HttpListenOptions = {
  /** Null: all interfaces, IPv6 too where there is one. */
  host: string | null;
  /** 0: a free one. */
  port: number;
  /** The variable that gave the port, for words. */
  variable: 'PORT' | 'OPS_PORT' | 'CONSOLE_PORT';
};

export type Listening = {
  /** The address that is listened on; `::` and `0.0.0.0` are all interfaces. */
  host: string;
  port: number;
  /** Where programs on this machine reach it, without a trailing slash. */
  url: string;
  /** Takes no new connection; resolves when the last request is answered. */
  close(): Promise<void>;
  /** Ends the connections that are left. */
  cut(): void;
};

/** Throws with words if it can't listen there. */
export async function listen(app: RequestListener, options: HttpListenOptions): Promise<Listening> {
  const server = createServer(serverTimeouts, app);
  limitConnections(server);
  const { address, port } = await bind(server, options);
  const url = `http://${hostInUrl(address)}:${port}`;
  return { host: address, port, url, close: () => close(server), cut: () => server.closeAllConnections() };
}

function bind(server: Server, { host, port, variable }: HttpListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(inWords(error, { host, port, variable })));
    server.listen({ port, ...(host === null ? {} : { host }) }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server listens on no port'));
      else resolve(address);
    });
  });
}

function inWords(error: NodeJS.ErrnoException, { host, port, variable }: HttpListenOptions): Error {
  const words: Partial<Record<string, string>> = {
    EADDRINUSE: `port ${port} is taken; set ${variable} to a free one`,
    EACCES: `port ${port} may not be listened on by this user; set ${variable} to one above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine; unset it, or set one that it has`,
    ENOTFOUND: `HOST ${host} is neither an address nor a known name; unset it, or set an address of this machine`,
    EAI_AGAIN: `HOST ${host} can't be looked up now; set an address of this machine instead`,
    EINVAL: `HOST ${host} can't be listened on; a link-local address needs its interface (fe80::1%eth0)`,
  };
  const known = words[error.code ?? ''];
  return known === undefined ? error : new Error(known, { cause: error });
}

/** All interfaces are reached by the loopback one. */
function hostInUrl(address: string): string {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1';
  return address.includes(':') ? `[${address}]` : address;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await closed;
}
