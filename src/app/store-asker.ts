import { isBeingRead } from '../bridge/ledger/sync/sync-store.ts';
import type { LocalizedText } from '../contract/messages.ts';
import type { StoreAsker } from '../operations/months/make-month.ts';
import type { MonthKey } from '../service/audit/month/month-state.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { beforeFile, readableOf } from './before-file.ts';
import type { Core } from './core.ts';
import { serveLocally } from './embedded-service.ts';
import { startReporting } from './outstanding-reporter.ts';
import { findServer } from './running-server.ts';

type Service = Pick<ComplianceService, 'router' | 'extensionRouter'>;

const noServer: LocalizedText = { en: 'no server is running that would read it', bg: 'няма работещ сървър, който да го прочете' };

/** Asks the stores of a shop for a process that is no server: those that are running read them. Null: none of them can be read. */
export async function openStoreAsker(core: Core, service: Service, key: MonthKey): Promise<(StoreAsker & AsyncDisposable) | null> {
  const ids = await readableOf(core, key);
  if (ids.length === 0) return null;
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
  const reporter = setup.use(startReporting({ core, embeddedUrl }));
  const owned = setup.move();
  return {
    ...beforeFile({ core, reporter }),
    // An embedded database has no other process on any machine.
    whyNot: core.config.database.kind === 'embedded' && server === null ? noServer : null,
    isBeingRead: () => isBeingRead(core.pool, ids),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
