import type { RecordReader } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { Failure } from '../../bridge/order/failure.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { codeMeans } from '../orders/code-means.ts';
import { Refusal } from '../refusal.ts';

export type GivenShopDeps = {
  compliance: Pick<ComplianceAccess, 'destination' | 'endpoint'>;
  client: Pick<RecordReader, 'knowsShop'>;
  connections: { list(): Promise<Connection[]> };
};

const LONGEST_MS = 10_000;

/** A shop of the configured compliance service that a store can be connected to. A service that does not say which shops it has is believed. */
export async function givenShop({ compliance, client, connections }: GivenShopDeps, typed: string): Promise<{ shopId: string; destinationId: string }> {
  const shopId = typed.toLowerCase();
  if (!isUuid(shopId))
    throw new Refusal('invalid', {
      en: 'a shop is named by its id at the compliance service, a UUID',
      bg: 'магазин се посочва с идентификатора на обекта си в услугата за отчитане (UUID)',
    });
  const destinationId = await compliance.destination(null);
  const taken = (await connections.list()).find((one) => one.closedAt === null && one.shopId === shopId && one.destinationId === destinationId);
  if (taken !== undefined)
    throw new Refusal(
      'conflict',
      { en: `the shop ${shopId} is connected already, as ${taken.id}`, bg: `обектът ${shopId} вече е свързан като ${taken.id}` },
      { advice: { en: 'a shop has one store; disconnect that one first', bg: 'един обект има един магазин; първо изключете онзи' } },
    );
  if ((await isKnown({ compliance, client }, shopId)) !== false) return { shopId, destinationId };
  throw new Refusal(
    'missing',
    { en: `the compliance service has no shop ${shopId} for this key`, bg: `услугата за отчитане няма обект ${shopId} за този ключ` },
    {
      advice: {
        en: 'leave it out and the merchant makes one, or `orderbridge shop create` makes one and prints its id',
        bg: 'оставете го празно и търговецът ще създаде свой или `orderbridge shop create` го създава и показва идентификатора му',
      },
    },
  );
}

async function isKnown({ compliance, client }: Pick<GivenShopDeps, 'compliance' | 'client'>, shopId: string): Promise<boolean | null> {
  try {
    return await client.knowsShop(await compliance.endpoint(null), shopId, AbortSignal.timeout(LONGEST_MS));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const said = {
      en: `the compliance service can’t be asked about the shop: ${thrown.message}`,
      bg: `услугата за отчитане не може да бъде попитана за обекта: ${codeMeans(thrown.code, 'bg')}`,
    };
    throw new Refusal('unavailable', said, { advice: { en: 'nothing was changed; try again', bg: 'нищо не беше променено; опитайте отново' } });
  }
}
