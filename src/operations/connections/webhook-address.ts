import type { Connection } from '../../bridge/connections/connection.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';

/** The address that a store must send its webhooks to; `base` is where the internet reaches this server. */
export function webhookAddress(base: string, { platform, id }: Pick<Connection, 'platform' | 'id'>): string {
  return `${base}/webhooks/${platform}/${id}`;
}

/** The address for the webhooks of all stores of an app. */
export function appWebhookAddress(base: string, { platform, id }: Pick<StoreApp, 'platform' | 'id'>): string {
  return `${base}/webhooks/${platform}/app/${id}`;
}
