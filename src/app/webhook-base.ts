import type { Config } from '../config/config.ts';
import { findServer } from './running-server.ts';

/** Under which address webhooks arrive: PUBLIC_URL, else the server that runs here, else the one that would. */
export async function webhookBase({ publicUrl, dataDir, port }: Pick<Config, 'publicUrl' | 'dataDir' | 'port'>): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const server = await findServer(dataDir);
  return `http://localhost:${server === null ? port : new URL(server.url).port || '80'}`;
}
