import type { AppAddresses } from '../../bridge/storefronts/contract.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import { appWebhookAddress } from '../connections/webhook-address.ts';
import { Refusal } from '../refusal.ts';
import { appWideOf } from './add-app.ts';
import { type FindApps, knownApp, type NamedApp } from './known-app.ts';

/** Where an app leads; `base`: where the internet reaches this server. */
export function appAddresses(base: string, app: Pick<StoreApp, 'id' | 'platform'>): AppAddresses {
  return { install: `${base}/${app.platform}/install`, callback: `${base}/${app.platform}/callback`, webhooks: appWebhookAddress(base, app) };
}

/** What a merchant opens to connect a store by this app; the platform's own way there names the app by its signature. */
export function installLink(base: string, app: Pick<StoreApp, 'id' | 'platform'>): string {
  return `${appAddresses(base, app).install}?app=${app.id}`;
}

/** The file by which the platform's tools configure the app. `base` null: it is not known where the internet reaches this server, so that it can't be written. */
export async function appConfiguration(deps: FindApps, named: NamedApp, base: string | null): Promise<string> {
  const app = await knownApp(deps, named);
  if (base === null) {
    throw new Refusal(
      'misconfigured',
      { en: 'PUBLIC_URL is not set, so the addresses of the app are not known', bg: 'PUBLIC_URL не е зададен, затова адресите на приложението не са известни' },
      {
        advice: {
          en: 'set it to the address under which the internet reaches this server',
          bg: 'задайте в него адреса, на който интернет достига този сървър',
        },
      },
    );
  }
  return appWideOf(app.platform).configuration(app, appAddresses(base, app));
}
