import type { ConnectPage } from './base/connect-page.ts';
import { companyPage } from './pages/company.ts';
import { confirmPage } from './pages/confirm.ts';
import { mappingPage } from './pages/mapping.ts';
import { disconnectPage, keepPage, statusPage, unlinkPage } from './pages/status.ts';
import { backPage, foundPage, goPage } from './pages/store/found-page.ts';
import { keysPage } from './pages/store/keys-page.ts';
import { storePage } from './pages/store/store-page.ts';
import { trialPage } from './pages/trial.ts';
import { webhooksPage } from './pages/webhooks.ts';

/** Every address below `/connect/{token}`. */
export const pages: readonly ConnectPage[] = [
  ...[storePage, foundPage, goPage, backPage, keysPage, companyPage, webhooksPage, mappingPage, trialPage],
  ...[statusPage, keepPage, disconnectPage, unlinkPage, confirmPage],
];
