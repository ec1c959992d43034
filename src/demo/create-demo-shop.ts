import { z } from 'zod';
import type { ComplianceClient, Endpoint } from '../bridge/client/port.ts';
import type { CreateShopDto } from '../contract/shop-dto.ts';
import { type DemoStore, nameOf } from './demo-stores.ts';

const created = z.object({ id: z.uuid() });

/** Creates the store's shop at the compliance service; its id. */
export async function createDemoShop(client: ComplianceClient, endpoint: Endpoint, demo: DemoStore): Promise<string> {
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
