import { Redis } from 'ioredis';

export type Patience = { maxRetriesPerRequest: number | null; retryStrategy(times: number): number; connectTimeout: number };

/** A connection, and how to end it with every copy that was made of it. */
export type EndingConnection = { redis: Redis; end(): void };

/**
 * A connection that ends when it is told to. ioredis, told while it waits for its next try, never says that it ended and never answers the
 * commands that it holds, so that whoever awaits them hangs; and BullMQ does not close copies that never were connected.
 */
export function endingRedis(url: string, options: Patience): EndingConnection {
  const all: Redis[] = [];
  const redis = tracked(new Redis(url, options), all);
  return {
    redis,
    end: () => {
      for (const one of all) end(one);
    },
  };
}

function tracked(redis: Redis, all: Redis[]): Redis {
  all.push(redis);
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => {
    const copy = duplicate(override);
    tracked(copy, all);
    return copy;
  };
  return redis;
}

/** One more try ends it either way. */
function end(redis: Redis): void {
  if (redis.status === 'end') return;
  // Waiting for its next try, or told before while it did.
  const isWaiting = redis.status === 'reconnecting';
  redis.disconnect();
  if (!isWaiting) return;
  redis.connect().then(
    () => redis.disconnect(),
    () => undefined,
  );
}
