import { createLog } from '../../../src/platform/log.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { scratchDir } from './scratch-dir.ts';
import { superuserUrl } from './superuser.ts';

export type OwnPostgres = {
  url: string;
  /** As for a restart: open connections are closed, and new ones are refused. */
  stop(): Promise<void>;
  /** On the same port, with the same data. */
  start(): Promise<void>;
} & AsyncDisposable;

/** A PostgreSQL that a test may stop and start. `durable`: as in production, instead of fast. */
export async function startOwnPostgres(durable = false): Promise<OwnPostgres> {
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const join = () => joinEmbeddedPostgres({ dataDir: directory.path, log: createLog({ level: 'silent', name: 'test' }), durable });
  let server: EmbeddedPostgres | null = await join();
  const ofProgram = server.url;
  const url = await superuserUrl(directory.path, ofProgram);
  const stop = async (): Promise<void> => {
    await server?.[Symbol.asyncDispose]();
    server = null;
  };
  setup.defer(stop);
  const owned = setup.move();
  const start = async (): Promise<void> => {
    server ??= await join();
    if (server.url !== ofProgram) throw new Error('PostgreSQL came back elsewhere: its port was taken');
  };
  return { url, stop, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
