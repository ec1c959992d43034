import type { ConnectPage } from './base/connect-page.ts';
import { companyPage } from './pages/company/company-page.ts';
import { disconnectPage, keepPage, statusPage, unlinkPage } from './pages/status/status-page.ts';

/** Every address below `/connect/{token}`. */
export const pages: readonly ConnectPage[] = [companyPage, statusPage, keepPage, disconnectPage, unlinkPage];
