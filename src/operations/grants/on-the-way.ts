import { addInvitation } from '../../bridge/ledger/change-invitation.ts';
import { unfinishedWays } from '../../bridge/ledger/granted-ways.ts';
import type { Proved } from '../../bridge/storefronts/onboarding.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type Actor, PROGRAM } from '../../platform/trail/trail.ts';
import { ChangedMeanwhile, findNewest, newOnboardingLink, type Onboarding, saveNewest } from '../onboarding/onboarding.ts';
import { mailboxOf } from '../onboarding/own-mailbox.ts';
import { keptStore } from '../onboarding/recall-connection.ts';
import { sealStore } from '../onboarding/sealed-store.ts';
import { takeKeys } from '../onboarding/store-keys.ts';
import { foundStore } from '../onboarding/store-progress.ts';
import { newToken } from '../people/sessions.ts';
import { announceGranted } from './announce-granted.ts';
import type { Approval, PlaceDeps, Placed } from './place-grant.ts';

const DAYS = 14;
const MOST_TRIES = 5;

/** `token`: of a link that was made for him; null: he goes on by his own. */
type Way = { onboarding: Onboarding; token: string | null };

/** The way on which the merchant of a store without a connection goes on with his company. `onboarding` with a connection: that one was disconnected. */
export async function wayFor(deps: PlaceDeps, { app, access, onboarding }: Approval): Promise<Way> {
  if (onboarding !== null && onboarding.connectionId === null) return { onboarding, token: null };
  // Whoever approved is of the store. Whether he is of the company that it had, his next step asks.
  const [begun] = await unfinishedWays(deps.pool, { url: access.url, app: app.id });
  if (begun === undefined) return newWay(deps, { app, access, onboarding });
  return { onboarding: await findNewest(deps, begun), token: await newOnboardingLink(deps, { id: begun }, { scope: { kind: 'all' }, days: DAYS }) };
}

type NewWay = Pick<Approval, 'app' | 'access' | 'onboarding'>;

async function newWay(deps: PlaceDeps, { app, access: { url }, onboarding: before }: NewWay): Promise<Way> {
  const token = newToken();
  const mailTo = before === null ? null : mailboxOf(before);
  const given = { who: PROGRAM, email: null, mailTo, lang: before?.lang ?? null, shopId: null, destinationId: null, app: app.id };
  const made = await addInvitation(deps.pool, { ...given, days: DAYS, token: hashOf(token) });
  const found = { kind: 'address', typed: new URL(url).host, url, home: url, name: null, canHandOver: false, notes: [], mayWrite: null, version: null };
  return { onboarding: await saveNewest(deps, made.id, () => ({ step: 'store', progress: found, platform: app.platform })), token };
}

type OnWay = { approval: Approval; way: Way };

/** Keeps what was approved for his way, unless he has chosen another store since, in another window: then his choice leads on. */
export async function keepOnWay(deps: PlaceDeps, { approval, way: { onboarding, token } }: OnWay): Promise<Placed> {
  const by: Actor = `merchant:${onboarding.id}`;
  const taken = await takeGranted(deps, { approval, onboarding, by });
  if (taken !== null && !taken.ok) return { kind: 'problem', problem: taken.problem };
  if (taken !== null) await announceGranted(deps, { approval, by });
  await share(deps, approval);
  return { kind: 'way', token };
}

type Taking = { approval: Approval; onboarding: Onboarding; by: Actor };

/** Null: there is nothing to keep it for. */
async function takeGranted(deps: PlaceDeps, { approval, onboarding, by }: Taking): Promise<Proved | null> {
  const { access, app, identity, client, token, lacking } = approval;
  const notes = lacking.length === 0 ? [] : [{ code: 'scopes.fewer' as const, data: { to: lacking.join(', ') } }];
  const given = { url: access.url, credentials: { app: app.id }, by, granted: { token, identity, client, notes } };
  for (let tries = 1, newest = onboarding; isHis(newest, access.url); tries += 1, newest = await findNewest(deps, newest.id)) {
    try {
      return await takeKeys(deps, newest, given);
    } catch (thrown) {
      if (!(thrown instanceof ChangedMeanwhile) || tries >= MOST_TRIES) throw thrown;
    }
  }
  return null;
}

/** His way is open, and is of this store still. */
function isHis(onboarding: Onboarding, url: string): boolean {
  return onboarding.revokedAt === null && foundStore(onboarding)?.url === url;
}

/** New tokens end those before: the other open ways to this store, as of a merchant who was invited twice, have them, too. */
async function share({ pool, sealer }: PlaceDeps, { access: { url }, app, token }: Approval): Promise<void> {
  for (const id of await unfinishedWays(pool, { url, app: app.id })) {
    await saveNewest({ pool }, id, (newest) => {
      const kept = newest.revokedAt === null && newest.connectionId === null ? keptStore(sealer, newest) : null;
      if (kept?.granted === undefined || kept.access?.url !== url || kept.access['app'] !== app.id) return null;
      return kept.granted.token.token === token.token ? null : { sealed: sealStore(sealer, id, { ...kept, granted: { ...kept.granted, token } }) };
    });
  }
}
