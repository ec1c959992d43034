import { type ShopBefore, shopsOfMailbox, shopsOfStore } from '../../bridge/ledger/invitations/invitation-store.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import { Refusal } from '../refusal.ts';
import { keptStore } from './kept-store.ts';
import { carryToWay, findNewest, type Onboarding } from './onboarding.ts';
import { saveCompany } from './own-company.ts';
import { foundStore } from './store.ts';

type Deps = { pool: Pool; service: object | null };
type OfferDeps = Deps & { sealer: Sealer };

/** `name` null: the service does not say it. `until`: when this very store was disconnected from it; null: it had another store. ISO instant. */
export type OfferedShop = { shopId: string; destinationId: string; name: string | null; until: string | null };

/**
 * The shops that a merchant may choose: those that their store had before, if they have proved at its platform that they are of the store, and those to which a person
 * invited the same mailbox. Who comes uninvited is nobody that we know.
 */
export async function offeredShops(deps: OfferDeps, onboarding: Onboarding): Promise<OfferedShop[]> {
  const shops = await choosable(deps, onboarding);
  return Promise.all(
    shops.map(async ({ shop: { shopId, destinationId, name }, before }) => ({
      ...{ shopId, destinationId, until: before?.closedAt ?? null },
      name: (await nameAtService(deps, shopId)) ?? name,
    })),
  );
}

/** `before`: what their store had there; null: they came to it by an earlier invitation. */
type Choosable = { shop: Pick<ShopBefore, 'shopId' | 'destinationId' | 'name' | 'way'>; before: ShopBefore | null };

async function choosable(deps: OfferDeps, onboarding: Onboarding): Promise<Choosable[]> {
  const { id, email, who } = onboarding;
  const before = await shopsBefore(deps, onboarding);
  const ofMailbox = email === null || who === PROGRAM ? [] : await shopsOfMailbox(deps.pool, { email, except: id, program: PROGRAM });
  const others = ofMailbox.filter(({ shopId }) => before.every((one) => one.shopId !== shopId));
  return [...before.map((shop) => ({ shop, before: shop })), ...others.map((shop) => ({ shop, before: null }))];
}

/** Those that their store had before, no matter who connected it; none, unless its merchant approved an app there, so that the platform said which store it is. */
async function shopsBefore({ pool, sealer }: OfferDeps, onboarding: Onboarding): Promise<ShopBefore[]> {
  const { platform } = onboarding;
  const kept = keptStore(sealer, onboarding);
  if (platform === null || kept?.granted === undefined || kept.access?.url !== foundStore(onboarding)?.url) return [];
  return shopsOfStore(pool, { platform, identity: kept.granted.identity });
}

/** As our own service has it; null: it is another one's, or not there. */
export async function nameAtService({ pool, service }: Deps, shopId: string): Promise<string | null> {
  return service === null ? null : ((await readShop(pool, { id: shopId }))?.name ?? null);
}

/** Their store is to be connected to one of the shops that they may choose. If the store had it before, its merchant is mailed where they were then, unless their link or they themselves say where. */
export async function chooseShop(deps: OfferDeps, onboarding: Onboarding, shopId: string): Promise<void> {
  const chosen = (await choosable(deps, onboarding)).find(({ shop }) => shop.shopId === shopId);
  if (chosen === undefined) throw cantChoose();
  const { before } = chosen;
  const { destinationId, way } = chosen.shop;
  if (way !== null) await carryToWay(deps.pool, way, onboarding.id);
  await saveCompany(deps, onboarding.id, (company, newest) => {
    if (company.sent !== null) throw beingMade();
    // Another window may have gone on meanwhile, or chosen another store.
    const isFree = newest.shopId === null || newest.shopId === shopId || company.chosen !== null;
    if (newest.connectionId !== null || !isFree || foundStore(newest)?.url !== foundStore(onboarding)?.url) throw cantChoose();
    const { said, mailsAsBefore } = mailsOf(before, newest, company.mailsAsBefore);
    return {
      company: { shop: null, chosen: before === null ? 'mailbox' : 'store', mailsAsBefore },
      said: { shopId, destinationId, ...said },
      done: true,
    };
  });
}

/** `said`: what of the mailbox is to be kept. A mailbox of before is only written to: it proves nothing of who they are. */
function mailsOf(
  merchant: ShopBefore | null,
  newest: Onboarding,
  wasCopied: boolean,
): { said: Partial<Pick<Onboarding, 'mailTo' | 'lang'>>; mailsAsBefore: boolean } {
  const own = newest.email ?? (wasCopied ? null : newest.mailTo);
  const before = own !== null ? null : (merchant?.email ?? merchant?.mailTo ?? null);
  if (before === null) return { said: wasCopied ? { mailTo: null } : {}, mailsAsBefore: false };
  return { said: { mailTo: before, lang: newest.lang ?? merchant?.lang ?? null }, mailsAsBefore: true };
}

/** They chose the wrong one, or another store: they are asked anew. Nothing, if they chose none, or their store is connected. Returns how it is then. */
export async function unchooseShop(deps: { pool: Pool }, { id }: Pick<Onboarding, 'id'>): Promise<Onboarding> {
  await saveCompany(deps, id, (company, { connectionId }) => {
    if (company.chosen === null || connectionId !== null) return null;
    const mailbox = company.mailsAsBefore ? { mailTo: null } : {};
    return { company: { chosen: null, mailsAsBefore: false }, said: { shopId: null, destinationId: null, ...mailbox }, done: false };
  });
  return findNewest(deps, id);
}

function cantChoose(): Refusal {
  return new Refusal('conflict', { en: 'this shop can’t be chosen', bg: 'този обект не може да бъде избран' });
}

function beingMade(): Refusal {
  return new Refusal('conflict', {
    en: 'a new shop was asked for by the form of this page: go on with that one',
    bg: 'с формуляра на тази страница вече е поискан нов обект: продължете с него',
  });
}
