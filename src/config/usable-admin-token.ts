import type { Config } from './config.ts';

/** An ADMIN_TOKEN of fewer characters could be guessed: it opens nothing. */
export const SHORTEST_ADMIN_TOKEN = 16;

export function isTooShort({ adminToken }: Pick<Config, 'adminToken'>): boolean {
  return adminToken !== null && adminToken.reveal().length < SHORTEST_ADMIN_TOKEN;
}

/** The password of the dashboard; null: the dashboard is off. */
export function usableAdminToken(config: Pick<Config, 'adminToken'>): string | null {
  return isTooShort(config) ? null : (config.adminToken?.reveal() ?? null);
}
