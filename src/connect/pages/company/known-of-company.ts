import { z } from 'zod';
import type { TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import type { Onboarding } from '../../../operations/onboarding/onboarding.ts';

const text = z.string().nullable().catch(null);
const store = z.object({ home: text, url: text, name: text }).catch({ home: null, url: null, name: null });

/** What his store and his invitation say already. */
export function knownOfCompany({ progress, email }: Pick<Onboarding, 'progress' | 'email'>): Partial<TypedCompany> {
  const { home, url, name } = store.parse(progress['store'] ?? {});
  return {
    ...{ auditGenerationDay: '10', customerEmail: email ?? '', name: name ?? '' },
    domain: (home ?? url ?? '').replace(/^https?:\/\//, '').replace(/\/+$/, ''),
  };
}
