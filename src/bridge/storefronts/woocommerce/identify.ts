import { z } from 'zod';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import { restRequest } from './rest-request.ts';

const systemStatus = z.object({ environment: z.object({ store_id: z.string().min(1).max(100) }) });

/** The UUID that WooCommerce gave the store at its installation; a move to another address does not change it. Null: the store does not say it. */
export async function identify(access: StoreAccess, { fetchJson }: Pick<StoreMeans, 'fetchJson'>): Promise<string | null> {
  const { status, body } = await fetchJson(restRequest(access, 'system_status?_fields=environment'));
  const parsed = systemStatus.safeParse(body);
  return status === 200 && parsed.success ? parsed.data.environment.store_id : null;
}
