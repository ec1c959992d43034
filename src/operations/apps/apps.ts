import { type Connection, isAppId, liveSecrets } from '../../bridge/connections/connection.ts';
import type { AppStore, AppUsers, NotAdded, StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import type { StoredOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import type { AppGrant } from '../../bridge/storefronts/app-grant.ts';
import type { AppAddresses, AppWide } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ownValue } from '../../contract/own-value.ts';
import { counted } from '../../contract/plural.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import { rotated } from '../connections/store-secrets.ts';
import { appWebhookAddress } from '../connections/store-webhooks.ts';
import { Refusal } from '../refusal.ts';

/** `scopes` null: the platform's own. */
type GivenApp = Omit<StoreApp, 'secrets' | 'scopes'> & { secret: string; scopes: readonly string[] | null };

/** Keeps an app by which stores can be connected, and its secret sealed. */
export async function addApp({ apps }: { apps: Pick<AppStore, 'add'> }, { secret, ...given }: GivenApp, said: Authorship): Promise<StoredApp> {
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
  return new Refusal(
    'invalid',
    `${id} can’t be the name of an app: it is part of addresses, so lower-case letters, digits and hyphens between them, 40 at most`,
  );
}

function taken({ id, platform }: Pick<StoreApp, 'id' | 'platform'>, not: NotAdded): Refusal {
  if (not.taken === 'clientId') return new Refusal('conflict', `the app of this client id is there already, as ${not.of}`);
  if (not.taken === 'removed')
    return new Refusal('conflict', { english: `${id} was the name of another app, which earlier connections bear`, advice: 'choose another name' });
  return new Refusal('conflict', {
    english: `there is an app ${id} already`,
    advice: `\`orderbridge ${platform}-app rotate-secret ${id}\` gives it a new secret; for another app choose another name`,
  });
}

/** `revokeNow`: the old secret has leaked. */
type AppRotation = NamedApp & { secret: string; revokeNow: boolean };

/** Takes a new secret of an app; the old ones stay live for a day, or end now. Returns until when (null: they are refused from now on). */
export async function rotateAppSecret(
  { apps }: FindApps & { apps: Pick<AppStore, 'changeSecrets'> },
  { secret, revokeNow, ...named }: AppRotation,
  said: Authorship,
): Promise<{ oldUntil: string | null }> {
  const { id, platform } = await knownApp({ apps }, named);
  const { secrets, oldUntil } = rotated({ platform }, { secret, revokeNow });
  if ((await apps.changeSecrets(id, secrets, said)) === null) throw unknownApp(named);
  return { oldUntil };
}

/** Forgets an app and its secrets: nothing is taken at its address any more. Refuses while live connections came by it. */
export async function removeApp({ apps }: FindApps & { apps: Pick<AppStore, 'remove'> }, named: NamedApp, said: Authorship): Promise<void> {
  const { id } = await knownApp({ apps }, named);
  const done = await apps.remove(id, said);
  if (done === null) throw unknownApp(named);
  if ('usedBy' in done) throw used(id, done.usedBy);
}

function used(id: string, users: AppUsers): Refusal {
  return new Refusal('conflict', {
    english: `${counted.en(users.length, 'connected store', 'connected stores')} came by the app ${id}, and would neither be heard nor read without it`,
    advice: '`orderbridge disconnect` each of them first, or connect it in another way with `orderbridge reconnect`',
    choices: { header: ['name', 'connection'], rows: users.map(({ id: connection, name }) => [name, connection]) },
  });
}

/** The apps that are there. `platform`: what their stores run on. */
export type FindApps = { apps: Pick<AppStore, 'find' | 'list'> };
type NamedApp = { platform: string; id: string };

/** The app of this id on a platform; refuses if there is none. */
async function knownApp({ apps }: FindApps, { platform, id }: NamedApp): Promise<StoredApp> {
  const app = await apps.find(id);
  if (app !== null && app.platform === platform) return app;
  throw unknownApp({ platform, id }, await listApps({ apps }, platform));
}

/** Those of a platform, by their ids. One whose secrets don't open is listed without them. */
export async function listApps({ apps }: FindApps, platform: string): Promise<StoredApp[]> {
  return (await apps.list()).filter((app) => app.platform === platform);
}

function unknownApp({ platform, id }: NamedApp, all: readonly StoredApp[] = []): Refusal {
  const names = all.map((app) => app.id);
  return new Refusal('missing', {
    en: `there is no app ${id}${didYouMean(id, names)}`,
    bg: `няма приложение ${id}${didYouMean(id, names, 'bg')}`,
    advice: `\`orderbridge ${platform}-app list\` shows them`,
  });
}

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
    throw new Refusal('misconfigured', {
      english: 'PUBLIC_URL is not set, so the addresses of the app are not known',
      advice: 'set it to the address under which the internet reaches this server',
    });
  }
  return appWideOf(app.platform).configuration(app, appAddresses(base, app));
}

/** How merchants of a platform let apps in; null: not at all, or there is none of this name. */
export function grantOf(platform: string): AppGrant | null {
  return ownValue(storefronts, platform)?.appGrant ?? null;
}

/** The apps that merchants of a platform can be asked to approve; those for all stores come first. */
export async function grantableApps({ apps }: FindApps, platform: string): Promise<StoredApp[]> {
  if (grantOf(platform) === null) return [];
  const usable = (await listApps({ apps }, platform)).filter((app) => liveSecrets(app, Date.now()).length > 0);
  return usable.toSorted((a, b) => Number(b.kind === 'public') - Number(a.kind === 'public'));
}

/** Those of all platforms, whether or not their secrets open. */
export async function allGrantableApps({ apps }: FindApps): Promise<StoredApp[]> {
  return (await apps.list()).filter(({ platform }) => grantOf(platform) !== null);
}

/** The app that merchants can be asked to approve; refuses if there is none of this name. */
export async function grantableApp({ apps }: FindApps, id: string): Promise<StoredApp> {
  const all = await allGrantableApps({ apps });
  const app = all.find((one) => one.id === id);
  if (app !== undefined) return app;
  const platform = Object.keys(storefronts).find((one) => grantOf(one) !== null) ?? '';
  throw unknownApp({ platform, id }, all);
}

/**
 * The apps that a merchant with a link is asked to approve: that of their store's connection, or the one that they were invited with; else those for all stores, or
 * the only one that there is. One of several that are each for one merchant is shown to nobody else.
 */
export async function offeredApps(
  deps: FindApps & { connections: { find(id: string): Promise<Connection | null> } },
  { platform, app, connectionId }: Pick<StoredOnboarding, 'platform' | 'app' | 'connectionId'>,
): Promise<StoredApp[]> {
  const usable = platform === null ? [] : await grantableApps(deps, platform);
  const connection = connectionId === null ? null : await deps.connections.find(connectionId);
  for (const named of [connection?.app, app]) {
    const one = usable.filter(({ id }) => id === named);
    if (one.length > 0) return one;
  }
  const open = usable.filter(({ kind }) => kind === 'public');
  return open.length > 0 || usable.length !== 1 ? open : usable;
}
