import type { AppStore, StoredApp } from '../../bridge/ledger/app-store.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { Refusal } from '../refusal.ts';

/** The apps that are there. `platform`: what their stores run on. */
export type FindApps = { apps: Pick<AppStore, 'find' | 'list'> };
export type NamedApp = { platform: string; id: string };

/** The app of this id on a platform; refuses if there is none. */
export async function knownApp({ apps }: FindApps, { platform, id }: NamedApp): Promise<StoredApp> {
  const app = await apps.find(id);
  if (app !== null && app.platform === platform) return app;
  throw unknownApp({ platform, id }, await listApps({ apps }, platform));
}

/** Those of a platform, by their ids. One whose secrets don't open is listed without them. */
export async function listApps({ apps }: FindApps, platform: string): Promise<StoredApp[]> {
  return (await apps.list()).filter((app) => app.platform === platform);
}

export function unknownApp({ platform, id }: NamedApp, all: readonly StoredApp[] = []): Refusal {
  const names = all.map((app) => app.id);
  return new Refusal(
    'missing',
    { en: `there is no app ${id}${didYouMean(id, names)}`, bg: `няма приложение ${id}${didYouMean(id, names, 'bg')}` },
    { advice: { en: `\`orderbridge ${platform}-app list\` shows them`, bg: `\`orderbridge ${platform}-app list\` ги показва` } },
  );
}
