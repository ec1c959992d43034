import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prolongOnboarding } from '../../../src/bridge/ledger/invitations/invitation-store.ts';
import { confirmByMailbox, confirmLink, decideCompany } from '../../../src/operations/onboarding/confirm-company.ts';
import { listInvitations } from '../../../src/operations/onboarding/invitations.ts';
import { openLink } from '../../../src/operations/onboarding/onboarding.ts';
import { listShops } from '../../../src/service/reading/read-shops.ts';
import { atCompany, newcomer } from '../../support/connect/at-company.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { type Merchant, uninvited } from '../../support/connect/merchant.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const RUNS = Number(process.env['COMPANY_RUNS'] ?? 6);
const COMPANIES = ['206770508', '131071587', '831641791'] as const;
const world = useSharedWorlds();

const step = fc.record({
  who: fc.nat(3),
  company: fc.constantFrom(...COMPANIES),
  act: fc.constantFrom('press', 'press', 'press', 'mailbox', 'mailbox', 'change', 'confirm', 'refuse', 'raise', 'lapse', 'renew'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two ways of one mailbox, one of another, and a merchant who came by an app. */
async function fourMerchants(it: World): Promise<Merchant[]> {
  await it.bridge.pool.query(
    'truncate onboardings, compliance.shops, compliance.company_owners, compliance.merchants cascade; update jobs.database set id = gen_random_uuid()',
  );
  const mailboxes = ['a@shop.example', 'A@shop.example', 'b@shop.example'];
  return [...(await Promise.all(mailboxes.map((mailbox) => newcomer(it, mailbox)))), await atCompany(it, await uninvited(it.bridge, 'en'))];
}

/** Returns the company that the operator confirmed; null: they confirmed none. */
async function take({ bridge: { pool } }: World, merchant: Merchant, { act, company }: Step): Promise<string | null> {
  if (act === 'press' || act === 'raise') {
    const receiptStartNumber = act === 'raise' ? '5000' : '';
    await merchant.post('/company', companyTyped({ companyUic: company, mailTo: 'c@shop.example', receiptStartNumber }));
  } else if (act === 'lapse') await pool.query(`update onboardings set expires_at = now() where id = $1`, [merchant.id]);
  else if (act === 'renew') await prolongOnboarding(pool, { id: merchant.id, days: 14 });
  else if (act === 'change') await merchant.post('/company', { verb: 'unask' });
  else if (act === 'mailbox') {
    await pool.query(`update onboarding_links set made_at = made_at - interval '31 days'`);
    const asked = await confirmLink({ pool }, merchant.id);
    const opened = await openLink({ pool }, asked?.token ?? '');
    if (asked !== null && 'scope' in opened && opened.scope.kind === 'confirm')
      await confirmByMailbox({ pool }, merchant, { company: asked.company, mailbox: opened.scope.mailbox });
  } else return decided(pool, merchant, act === 'confirm');
  return null;
}

async function decided(pool: World['bridge']['pool'], { id }: Merchant, isTheirs: boolean): Promise<string | null> {
  const waits = (await listInvitations({ pool })).find((one) => one.id === id)?.waits ?? null;
  if (waits !== null) await decideCompany({ pool }, { id, company: waits.company, isTheirs, by: 'cli:test' });
  return waits !== null && isTheirs ? waits.company : null;
}

/** `said`: whom the operator confirmed, with the company. */
async function mustBeOfOne({ bridge: { pool } }: World, said: ReadonlySet<string>): Promise<void> {
  const made = (await listInvitations({ pool })).filter(({ shopId }) => shopId !== null);
  const shops = new Map((await listShops(pool, { limit: 100 })).items.map(({ id, companyUic }) => [id, companyUic]));
  expect(shops.size).toBe(made.length);
  for (const { company, shopId } of made) expect(shops.get(shopId ?? '')).toBe(company);
  for (const [company, ways] of Map.groupBy(made, (one) => one.company)) {
    const merchants = ways.filter(({ id }) => !said.has(`${id} ${company}`)).map(({ email, id }) => email?.toLowerCase() ?? id);
    expect(new Set(merchants).size, `merchants of ${company}`).toBeLessThanOrEqual(1);
  }
}

test('an invitation that was over when somebody else got its company, and is renewed, has lost it', async () => {
  await using it = await world({ embeddedService: true });
  const [first, , other] = (await fourMerchants(it)) as [Merchant, Merchant, Merchant, Merchant];
  const company = COMPANIES[0];
  const confirmed = async (merchant: Merchant) => {
    for (const act of ['press', 'mailbox'] as const) await take(it, merchant, { who: 0, company, act });
  };
  await confirmed(first);
  await take(it, first, { who: 0, company, act: 'lapse' });
  await confirmed(other);
  await take(it, other, { who: 0, company, act: 'press' });
  await take(it, first, { who: 0, company, act: 'renew' });
  await take(it, first, { who: 0, company, act: 'press' });

  const made = (await listInvitations({ pool: it.bridge.pool })).filter(({ shopId }) => shopId !== null);
  expect(made.map(({ id }) => id)).toEqual([other.id]);
});

test('S1: whatever merchants type, confirm and press: a company’s shops are of one mailbox, but for whom the operator confirmed', async () => {
  await using it = await world({ embeddedService: true });
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
    const merchants = await fourMerchants(it);
    const said = new Set<string>();
    for (const one of steps) {
      const merchant = merchants[one.who] as Merchant;
      const company = await take(it, merchant, one);
      if (company !== null) said.add(`${merchant.id} ${company}`);
    }
    await mustBeOfOne(it, said);
  });
  await fc.assert(property, { numRuns: RUNS });
});
