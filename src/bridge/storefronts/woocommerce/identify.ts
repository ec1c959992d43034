import { z } from 'zod';
import type { StoreAccess } from '../contract.ts';
import { callRest, type RestMeans } from './call-rest.ts';

const systemStatus = z.object({ environment: z.object({ store_id: z.string().min(1).max(100) }) });

/** The UUID that WooCommerce gave the store at its installation; a move to another address does not change it. Null: the store does not say it. */
export async function identify(access: StoreAccess, means: RestMeans): Promise<string | null> {
  const { answer } = await callRest(access, { path: 'system_status?_fields=environment' }, means);
  const parsed = systemStatus.safeParse(answer.body);
  return answer.status === 200 && parsed.success ? parsed.data.environment.store_id : null;
}
