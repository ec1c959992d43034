import { isBeingRead } from '../bridge/ledger/wanted-windows.ts';
import type { StoreAsker } from '../operations/months/ask-stores.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { beforeFile, readableOf } from './before-file.ts';
import type { Core } from './core.ts';
import { serveLocally } from './embedded-service.ts';
import { startTelling } from './outstanding-teller.ts';
import { findServer } from './running-server.ts';

/** Asks stores for a process that is no server: those that are running read them. */
export async function openStoreAsker(core: Core, service: Pick<ComplianceService, 'router' | 'readingRouter'>): Promise<StoreAsker & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const server = await findServer(core.config.dataDir);
  let local: Promise<string> | undefined;
  async function serve(): Promise<string> {
    return server?.role === 'all' || server?.role === 'compliance' ? server.url : owned.use(await serveLocally(service)).url;
  }
  const embeddedUrl = () => {
    local ??= serve();
    return local;
  };
  const teller = setup.use(startTelling({ core, embeddedUrl }));
  const owned = setup.move();
  return {
    ...beforeFile({ core, teller }),
    // An embedded database has no other process on any machine.
    whyNot: async (key) => {
      const isAlone = core.config.database.kind === 'embedded' && server === null;
      return isAlone && (await readableOf(core, key)).length > 0 ? 'no server is running that would read it' : null;
    },
    isBeingRead: async (key) => isBeingRead(core.pool, await readableOf(core, key)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
