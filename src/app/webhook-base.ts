import type { Config } from '../config/config.ts';
import { findServer } from './running-server.ts';

/** The address at which webhooks arrive: PUBLIC_URL, else that of the running server, else that of the configured port. */
export async function webhookBase({ publicUrl, dataDir, port }: Pick<Config, 'publicUrl' | 'dataDir' | 'port'>): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const server = await findServer(dataDir);
  return `http://localhost:${server === null ? port : new URL(server.url).port || '80'}`;
}
