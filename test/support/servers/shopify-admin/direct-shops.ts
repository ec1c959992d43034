import { globalAgent } from 'node:https';
import { connect } from 'node:tls';

/** Where shops are: a port of 127.0.0.1, and who vouches for the certificate there (PEM). */
export type Direction = { port: number; ca: string };

/** Has connections of `node:https` to shops lead there, name and certificate checked as ever; until the answer is called. */
export function directShops({ port, ca }: Direction): () => void {
  const usual = globalAgent.createConnection;
  globalAgent.createConnection = (options, callback) => {
    const { host } = options;
    if (typeof host !== 'string' || !host.endsWith('.myshopify.com')) return usual.call(globalAgent, options, callback);
    return connect({ host: '127.0.0.1', port, ca, servername: host });
  };
  return () => {
    globalAgent.createConnection = usual;
    globalAgent.destroy();
  };
}
