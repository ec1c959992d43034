import { z } from 'zod';
import type { TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import type { Onboarding } from '../../../operations/onboarding/onboarding.ts';
import { onboardingOf } from '../../../operations/onboarding/store-means.ts';

const text = z.string().nullable().catch(null);
const store = z.object({ home: text, url: text, name: text }).catch({ home: null, url: null, name: null });

/** What his store and his invitation say already. */
export function knownOfCompany({ progress, email, platform }: Pick<Onboarding, 'progress' | 'email' | 'platform'>): Partial<TypedCompany> {
  const { home, url, name } = store.parse(progress['store'] ?? {});
  return {
    ...{ auditGenerationDay: '10', customerEmail: email ?? '', name: name ?? '' },
    // Where a platform has addresses of its own, customers know the shop by another one.
    domain: onboardingOf(platform)?.addressHint === undefined ? (home ?? url ?? '').replace(/^https?:\/\//, '').replace(/\/+$/, '') : '',
  };
}
