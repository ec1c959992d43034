import type { Connection } from '../../bridge/connections/connection.ts';

/** The address that a store must send its webhooks to; `base` is where the internet reaches this server. */
export function webhookAddress(base: string, { platform, id }: Pick<Connection, 'platform' | 'id'>): string {
  return `${base}/webhooks/${platform}/${id}`;
}
