import { Bridge } from './bridge.ts';
import type { World } from './world.ts';

/** Another process of the same installation, on Redis: it takes an order whose lease ends while the first one processes it. */
export function otherWorker({ bridge, databaseUrl, redis }: World): Promise<Bridge> {
  const { dataDir: _own, ...config } = bridge.app.core.config;
  return Bridge.start({ databaseUrl, redisUrl: redis.url, role: 'worker', config });
}
