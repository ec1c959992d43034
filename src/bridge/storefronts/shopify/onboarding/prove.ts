import { z } from 'zod';
import { Failure } from '../../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../../contract.ts';
import type { Proved } from '../../onboarding.ts';
import { isGrant } from '../api/access-token.ts';
import { adminClient } from '../api/admin-client.ts';
import { PERSON_WAITS_MS } from '../api/pace.ts';
import { ONE_BUYER } from '../api/queries.ts';
import { shopAccess } from '../api/shop-access.ts';
import { mayReadOrders } from '../scopes.ts';
import { problemOf, scopeMissing } from './problem-of.ts';

const anything = z.object({ orders: z.unknown() });

/**
 * Asks the shop who it is, what its app may do, and for one order with its buyer. Every app that reads orders may make webhooks; they can be verified if the
 * app's secret is known.
 */
export async function prove(access: StoreAccess, means: StoreMeans): Promise<Proved> {
  try {
    const client = adminClient(access, means, { waitsMs: PERSON_WAITS_MS });
    const { domain, scopes } = await shopAccess(client);
    const own = `https://${domain}`;
    if (own !== access.url) return { ok: false, problem: { code: 'redirects.api', data: { to: own } } };
    if (!mayReadOrders(scopes)) return { ok: false, problem: scopeMissing() };
    const { hidesBuyers } = await client.ask({ query: ONE_BUYER, data: anything });
    const notes = hidesBuyers ? [{ code: 'buyers.hidden' as const }] : [];
    return { ok: true, mayWrite: isSigned(access, means), version: null, notes };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: problemOf(thrown, { byApp: isGrant(access) }) };
    throw thrown;
  }
}

/** Is the secret known that the shop signs webhooks with which its app makes? */
function isSigned(access: StoreAccess, { app, secret }: StoreMeans): boolean {
  return isGrant(access) ? app !== undefined : access['clientSecret'] !== undefined || secret !== undefined;
}
