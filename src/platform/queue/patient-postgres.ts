import { setTimeout as sleep } from 'node:timers/promises';
import { type BackendFactory, PostgresConnection, type PostgresConnectionOptions, PostgresQueueBackend, runMigrations } from 'bullmq';

/** A queue that PostgreSQL refuses is asked again after so long. */
const RETRY_MS = 1_000;

/**
 * BullMQ's queue on PostgreSQL, for a database that is away or refuses now and then. BullMQ remembers the first failure to reach it for good, and a worker asks
 * again at once after each error but a refused connection: so often that the process does nothing else, and hears no signal.
 */
export const createPatientBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts, { withBlockingConnection = false } = {}) => {
  const { name: workerName } = opts as { name?: string };
  const listenName = workerName === undefined ? name : `${name}:w:${workerName}`;
  return new PatientBackend(new PatientConnection(opts.connection), name, opts, true, withBlockingConnection ? listenName : undefined);
};

class PatientConnection extends PostgresConnection {
  #ready: Promise<void> | null = null;

  /** Rejects a second after the failure; whoever asks then tries anew. */
  override waitUntilReady(): Promise<void> {
    this.#ready ??= this.#prepare().catch(async (thrown: unknown) => {
      await sleep(RETRY_MS);
      this.#ready = null;
      throw thrown;
    });
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await runMigrations(client, this.schema);
    } finally {
      client.release();
    }
    // Whoever listens may have been told of this connection a moment ago.
    setTimeout(() => this.emit('ready'), 0);
  }
}

class PatientBackend extends PostgresQueueBackend {
  override async moveToActive(...given: Parameters<PostgresQueueBackend['moveToActive']>): ReturnType<PostgresQueueBackend['moveToActive']> {
    try {
      return await super.moveToActive(...given);
    } catch (thrown) {
      await sleep(RETRY_MS);
      throw thrown;
    }
  }
}
