import { Redis } from 'ioredis';

export type Patience = { maxRetriesPerRequest: number | null; retryStrategy(times: number): number; connectTimeout: number };

/** A connection, and how to end it with every copy that was made of it. */
export type EndingConnection = { redis: Redis; end(): void };

/**
 * A connection that `end` reliably ends. An ioredis that is disconnected while it waits to reconnect never reports its end and never answers the
 * commands in its buffer, so that their callers hang; and BullMQ does not close copies that were never connected.
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

/** One more connection attempt ends it either way. */
function end(redis: Redis): void {
  if (redis.status === 'end') return;
  // It waits to reconnect, or was disconnected while it did.
  const isWaiting = redis.status === 'reconnecting';
  redis.disconnect();
  if (!isWaiting) return;
  redis.connect().then(
    () => redis.disconnect(),
    () => undefined,
  );
}
