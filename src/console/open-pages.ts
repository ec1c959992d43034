import type { OpenPage } from './base/open-page.ts';
import { choosePasswordPage } from './pages/entry/choose-password-page.ts';
import { enterPage } from './pages/entry/enter-page.ts';
import { oidcPages } from './pages/entry/oidc-pages.ts';
import { setupPage } from './pages/entry/setup-page.ts';
import { signInPage } from './pages/entry/sign-in-page.ts';

/** Every page that needs no session: the ways to one. */
export const openPages: readonly OpenPage[] = [signInPage, setupPage, choosePasswordPage, enterPage, ...oidcPages];
