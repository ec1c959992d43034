import type { IssuedKey, NewKey } from '../../../src/service/keys/api-keys.ts';
import { grantMerchant } from '../../../src/service/keys/company-owners.ts';
import { merchantOf } from '../../../src/service/shops/check-company.ts';
import type { ComplianceServer } from '../servers/compliance-server.ts';
import { shopDto } from './compliance-caller.ts';

/** A key of an owner who may create shops of a company, that of `shopDto()` unless named, as other owners may: the tests of a file share a database. */
export async function sharingKey(
  { service, pool }: Pick<ComplianceServer, 'service' | 'pool'>,
  key: NewKey,
  companyUic = shopDto().companyUic,
): Promise<IssuedKey> {
  const issued = await service.keys.create(key);
  const merchant = merchantOf(companyUic);
  await grantMerchant(pool, { keyId: issued.id, merchant, move: false, now: new Date(), said: { by: 'test' } });
  return issued;
}
