import { once } from 'node:events';
import { createServer } from 'node:http';
import { consoleDeps } from '../../../src/app/console.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { consoleRouter } from '../../../src/console/console-router.ts';
import { createHttpApp } from '../../../src/platform/http/http-app.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { keepOutstanding } from '../../../src/service/audit/month/outstanding.ts';
import { type AuditWorld, startAuditWorld } from '../worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../worlds/october.ts';
import { outstandingDto } from '../worlds/outstanding.ts';
import type { World } from '../worlds/world.ts';
import { type Page, type SignedInBrowser, signIn } from './signed-in.ts';

type Signing = NonNullable<Parameters<typeof signIn>[1]>;

/** A console before our own service whose clock a test sets; it begins in the term of October's file. */
export type MonthsWorld = AuditWorld & {
  url: string;
  enter(options?: Signing): Promise<SignedInBrowser>;
  /** A shop of its own, with two orders of October unless said otherwise. */
  october(options?: { name?: string; orders?: number }): Promise<October>;
} & AsyncDisposable;

export type October = {
  shopId: string;
  /** Of its page. */
  path: string;
  /** Makes the next version of its file. */
  make(): Promise<void>;
  /** The bridge says that three paid orders of it are not recorded. */
  reportThree(): Promise<void>;
  /** What was done to it, the newest last. */
  acts(): Promise<{ who: string; act: string; after: unknown }[]>;
  /** What a form of its page sends along. */
  seen(browser: SignedInBrowser): Promise<string>;
  /** Sends a form of its page, made from what is there now. */
  send(browser: SignedInBrowser, act: string, fields?: Record<string, string>): Promise<Page>;
};

/** `it`: without an own service, and without workers, which would make files by themselves. */
export async function startMonthsWorld(it: World): Promise<MonthsWorld> {
  await using setup = new AsyncDisposableStack();
  const audit = setup.use(await startAuditWorld(it.databaseUrl, OCTOBER));
  audit.setClock(NOVEMBER_IN_TERM);
  const url = await serve(it, audit, setup);
  const owned = setup.move();
  return {
    ...audit,
    url,
    enter: (options = {}) => signIn(it.bridge, { ...options, url }),
    async october({ name = 'Чаши', orders = 2 } = {}) {
      audit.setClock(OCTOBER);
      const shopId = await audit.newShop({ name });
      for (let n = 1; n <= orders; n += 1) await audit.create(october(n, { shopId }));
      audit.setClock(NOVEMBER_IN_TERM);
      return octoberOf(audit, shopId);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function octoberOf(audit: AuditWorld, shopId: string): October {
  const { pool } = audit.server;
  const path = `/console/months/${shopId}/2026-10`;
  const seen: October['seen'] = async (browser) => /name="seen" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  return {
    ...{ shopId, path, seen },
    async make() {
      const { kind } = await generateMonth(auditDeps(audit), { shopId, month: '2026-10' });
      if (kind !== 'generated') throw new Error(`the month is ${kind}`);
    },
    async reportThree() {
      const { rows } = await pool.query('select api_key_id as id from compliance.shops where id = $1', [shopId]);
      if ((await keepOutstanding(pool, { keyId: rows[0].id, shopId, list: outstandingDto() })) === null) throw new Error('the report was not kept');
    },
    async acts() {
      const { rows } = await pool.query('select who, act, after from compliance.acts where subject = $1 order by id', [`${shopId} 2026-10`]);
      return rows;
    },
    send: async (browser, act, fields = {}) => browser.post(`${path}/${act}`, { seen: await seen(browser), ...fields }),
  };
}

async function serve({ bridge }: World, { server, now }: AuditWorld, setup: AsyncDisposableStack): Promise<string> {
  const { core, healthReader } = bridge.app;
  const queues = setup.use(openQueues(core));
  const deps = await consoleDeps({ core, queues, every: [], healthReader, service: server.service, isStopping: () => false }, setup);
  const failed = (error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  };
  const router = consoleRouter({ deps: { ...deps, now }, log: { failed } });
  const http = createServer(createHttpApp({ routes: [{ path: '/console', router }], isStopping: () => false, onError: failed })).listen(0, '127.0.0.1');
  await once(http, 'listening');
  setup.defer(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the console has no port');
  return `http://127.0.0.1:${address.port}`;
}
