import type { Redis } from 'ioredis';
import { batcher } from '../batcher.ts';

/** It was written, but no replica says that it has it: a failover may lose it. */
export class Unconfirmed extends Error {
  override message = 'no replica of Redis confirms what was written';
}

/** Resolves once what `write` wrote survives a failover. */
export type ConfirmedWrite = (write: () => Promise<void>) => Promise<void>;

const CONFIRM_MS = 200;
/** While no replica confirms, one is waited for once in so long: waiting holds up all else on the connection. */
const REST_MS = 1_000;

/**
 * Has a replica confirm each write, which takes one more round trip. WAIT is of what its own connection wrote before: writes that are answered while one is
 * under way share the next. One that is refused, or on another connection, as after a failover, confirms nothing.
 */
export function confirmedWrites(redis: Redis): ConfirmedWrite {
  let connections = 0;
  let restsUntil = 0;
  redis.on('close', () => {
    connections += 1;
  });
  const confirm = batcher(
    async (writtenBy: number[]) => {
      if (performance.now() < restsUntil) return writtenBy.map(() => false);
      const replicas = await redis.wait(1, CONFIRM_MS);
      if (replicas === 0) restsUntil = performance.now() + REST_MS;
      return writtenBy.map((connection) => replicas > 0 && connection === connections);
    },
    { max: Number.POSITIVE_INFINITY },
  );
  return async (write) => {
    const connection = connections;
    await write();
    if (!(await confirm(connection).catch(() => false))) throw new Unconfirmed();
  };
}
