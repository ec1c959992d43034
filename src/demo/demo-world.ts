import { z } from 'zod';
import { openComplianceClient } from '../app/compliance-api.ts';
import { embeddedDestination, openService } from '../app/embedded-service.ts';
import { openQueues, type Queues } from '../app/queues.ts';
import { type App, startApp } from '../app/start-app.ts';
import type { ComplianceClient, Endpoint } from '../bridge/client/port.ts';
import type { Connection } from '../bridge/connections/connection.ts';
import type { StoreAccess } from '../bridge/storefronts/contract.ts';
import type { Config } from '../config/config.ts';
import { embeddedDialect } from '../contract/dialect.ts';
import type { CreateShopDto } from '../contract/shop-dto.ts';
import { leftToDo, nothingLeft } from '../operations/orders/left-to-do.ts';
import type { Log } from '../platform/log.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { type DemoStore, nameOf } from './demo-stores.ts';
import { type DemoClock, demoClock } from './demo-time.ts';

export type DemoWorld = AsyncDisposable & {
  app: App;
  queues: Queues;
  service: ComplianceService;
  /** Makes a shop at the compliance service over its interface, and connects the store to it. */
  connect(store: DemoStore, access: StoreAccess | null): Promise<Connection>;
  isDrained(): Promise<boolean>;
};

/** Who is signed in to its console by a press. */
export const OWNER = 'owner@demo.example';

/** Everything in this process: PostgreSQL, queues, receiver, workers, compliance service; `now` is the clock of the last one. */
export async function startDemoWorld(config: Config, log: Log, { now }: Pick<DemoClock, 'now'> = demoClock()): Promise<DemoWorld> {
  await using setup = new AsyncDisposableStack();
  const app = setup.use(await startApp({ config, role: 'all', log, serviceNow: now, demoOwner: OWNER }));
  const queues = setup.use(openQueues(app.core));
  const service = setup.use(await openService(app.core, now));
  const client = setup.use(openComplianceClient(config));
  const { connections, destinations } = app.core;

  async function connect(store: DemoStore, access: StoreAccess | null): Promise<Connection> {
    const destinationId = await embeddedDestination(app.core, service);
    const destination = await destinations.find(destinationId);
    if (destination === null) throw new Error(`destination ${destinationId} is not in the ledger`);
    const shopId = await createDemoShop(client, { baseUrl: app.url, ...destination.credentials, dialect: embeddedDialect }, store);
    const { platform, secret, settings } = store;
    const made = await connections.create({
      ...{ platform, name: nameOf(store), secret, shopId, destinationId, settings, access, store: store.store },
      ...{ ownShop: false, hosts: [], identity: null, claim: null, recordFrom: null },
    });
    if (!('connection' in made)) throw new Error(`the shop ${shopId} is connected already`);
    return made.connection;
  }

  const isDrained = async () => nothingLeft(await leftToDo(app.core, queues));
  const resources = setup.move();
  return { app, queues, service, connect, isDrained, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const created = z.object({ id: z.uuid() });

/** Creates the store's shop at the compliance service; its id. */
async function createDemoShop(client: ComplianceClient, endpoint: Endpoint, demo: DemoStore): Promise<string> {
  const { store, companyUic } = demo;
  const body: CreateShopDto = {
    name: nameOf(demo),
    domain: store,
    customerPhone: '+359888000333',
    customerEmail: 'shop@example.com',
    nraNumber: `RF${companyUic.slice(-7)}`,
    companyUic,
    companyName: `${nameOf(demo)} ООД`,
    companyAddress: 'гр. София, ул. Шипка 1',
  };
  const answer = await client.shop(endpoint, { method: 'POST', body });
  const shop = created.safeParse(answer.body);
  if (answer.status !== 200 || !shop.success) throw new Error(`the compliance service answered ${answer.status} to a new shop: ${JSON.stringify(answer.body)}`);
  return shop.data.id;
}
