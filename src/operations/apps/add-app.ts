import { isAppId } from '../../bridge/connections/app-id.ts';
import type { AppStore, NotAdded, StoredApp } from '../../bridge/ledger/app-store.ts';
import type { AppWide } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { rotated } from '../connections/rotate-secret.ts';
import { Refusal } from '../refusal.ts';

type Deps = { apps: Pick<AppStore, 'add'> };

/** `scopes` null: the platform's own. */
export type GivenApp = Omit<StoreApp, 'secrets' | 'scopes'> & { secret: string; scopes: readonly string[] | null };

/** Keeps an app by which stores can be connected, and its secret sealed. */
export async function addApp({ apps }: Deps, { secret, ...given }: GivenApp, said: Said): Promise<StoredApp> {
  const { id, platform } = given;
  if (!isAppId(id)) throw badId(id);
  const wide = appWideOf(platform);
  const scopes = [...new Set(given.scopes ?? wide.scopes)];
  const problem = wide.appProblem({ clientId: given.clientId, scopes });
  if (problem !== null) throw new Refusal('invalid', problem);
  const { secrets } = rotated({ platform }, { secret, revokeNow: true });
  const added = await apps.add({ ...given, scopes, secrets: secrets([]) }, said);
  if ('taken' in added) throw taken({ id, platform }, added);
  return added;
}

/** What the apps of a platform are. Throws for one whose stores have no apps. */
export function appWideOf(platform: string): AppWide {
  const { appWide } = storefrontOf(storefronts, platform);
  if (appWide === undefined) throw new Error(`stores of ${platform} are connected by no app`);
  return appWide;
}

function badId(id: string): Refusal {
  return new Refusal('invalid', {
    en: `${id} can’t be the name of an app: it is part of addresses, so lower-case letters, digits and hyphens between them, 40 at most`,
    bg: `${id} не може да е име на приложение: то е част от адреси, затова малки латински букви, цифри и тирета между тях, най-много 40`,
  });
}

function taken({ id, platform }: Pick<StoreApp, 'id' | 'platform'>, not: NotAdded): Refusal {
  if (not.taken === 'clientId')
    return new Refusal('conflict', {
      en: `the app of this client id is there already, as ${not.of}`,
      bg: `приложението с този client id вече го има като ${not.of}`,
    });
  if (not.taken === 'removed')
    return new Refusal(
      'conflict',
      { en: `${id} was the name of another app, which earlier connections bear`, bg: `${id} беше име на друго приложение, което носят по-ранни връзки` },
      { advice: { en: 'choose another name', bg: 'изберете друго име' } },
    );
  return new Refusal(
    'conflict',
    { en: `there is an app ${id} already`, bg: `вече има приложение ${id}` },
    {
      advice: {
        en: `\`orderbridge ${platform}-app rotate-secret ${id}\` gives it a new secret; for another app choose another name`,
        bg: `\`orderbridge ${platform}-app rotate-secret ${id}\` му дава нова тайна; за друго приложение изберете друго име`,
      },
    },
  );
}
