import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { drawShot } from '../../support/hostile/draw-shot.ts';
import { families, planFamilies } from '../../support/hostile/families.ts';
import { MOST_HANGING } from '../../support/hostile/hostile-limits.ts';
import { type Merchant, type MerchantName, type Merchants, merchantNames } from '../../support/hostile/merchant.ts';

const COUNT = 12_000;

function merchant(name: MerchantName): Merchant {
  const platform = name.includes('app') ? 'shopify' : name === 'plugin' || name === 'hanging' ? 'woocommerce' : 'standard';
  return { name, platform, secret: 'whsec_c2VjcmV0', connectionId: `c_${name}`, shopId: randomUUID(), store: 'corner.example' };
}

const merchants = Object.fromEntries(merchantNames.map((name) => [name, merchant(name)])) as Merchants;
const sourceOf = (seed: number) => ({ seed, plan: planFamilies(COUNT, { seed }), merchants, adminToken: 'a token' });

describe('the requests of an attack', () => {
  test('are the same for the same seed', () => {
    const [one, same, other] = [sourceOf(1), sourceOf(1), sourceOf(2)];
    const paths = ({ plan, ...source }: typeof one) => Array.from({ length: 300 }, (_, n) => drawShot({ plan, ...source }, n).path);
    expect(same.plan).toEqual(one.plan);
    expect(paths(same)).toEqual(paths(one));
    expect(paths(other)).not.toEqual(paths(one));
  });

  test.each(families)('"%s" is drawn, and of no body over 6 MB', (family) => {
    const source = sourceOf(1);
    const shot = drawShot(source, source.plan.indexOf(family));
    expect(shot.family).toBe(family);
    expect(shot.body.length).toBeLessThanOrEqual(6 * 1024 * 1024 + 1);
  });

  test('have one of each costly form, however few they are', () => {
    const plan = planFamilies(200, { seed: 7 });
    expect(plan.filter((family) => family === 'heavy body').length).toBeGreaterThanOrEqual(3);
    expect(plan.filter((family) => family === 'redaction').length).toBeGreaterThanOrEqual(10);
  });

  test('keep a store that hangs busy, and no more', () => {
    expect(sourceOf(1).plan.filter((family) => family === 'order, store hangs').length).toBeLessThanOrEqual(MOST_HANGING);
  });
});
