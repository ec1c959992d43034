/**
 * The orders that a privacy request is about; `orderIds` null: every order of the store of which a delivery arrived until `until` (ISO instant).
 * `orderIds` are the platform's, under which there may be several orders.
 */
export type PrivacyScope = { shopId: string; platform: string; store: string; orderIds: readonly string[] | null; until: string };

/** By the platform's ids in $4, under which there may be several orders; null: any. */
export const OF_IDS = '$4::text[] is null or (o.order_id = any($4) and o.platform_id is null) or o.platform_id = any($4)';
