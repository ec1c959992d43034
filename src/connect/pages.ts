import type { ConnectPage } from './base/connect-page.ts';

/** Every address below `/connect/{token}`. */
export const pages: readonly ConnectPage[] = [];
