import type { ConnectPage } from './base/connect-page.ts';
import { companyPage } from './pages/company/company-page.ts';
import { confirmPage } from './pages/confirm/confirm-page.ts';
import { mappingPage } from './pages/mapping/mapping-page.ts';
import { disconnectPage, keepPage, statusPage, unlinkPage } from './pages/status/status-page.ts';
import { backPage } from './pages/store/back-page.ts';
import { foundPage, goPage } from './pages/store/found-page.ts';
import { keysPage } from './pages/store/keys-page.ts';
import { storePage } from './pages/store/store-page.ts';
import { trialPage } from './pages/trial/trial-page.ts';
import { webhooksPage } from './pages/webhooks/webhooks-page.ts';

/** Every address below `/connect/{token}`. */
export const pages: readonly ConnectPage[] = [
  ...[storePage, foundPage, goPage, backPage, keysPage, companyPage, webhooksPage, mappingPage, trialPage],
  ...[statusPage, keepPage, disconnectPage, unlinkPage, confirmPage],
];
