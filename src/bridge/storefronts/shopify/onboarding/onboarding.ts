import type { StoreOnboarding } from '../../onboarding.ts';
import { guide } from './guide.ts';
import { look } from './look.ts';
import { prove } from './prove.ts';
import { survey } from './survey.ts';

/** A merchant connects his shop by its myshopify.com address and the keys of an app: one of his own organisation, or one that was made in the admin before 2026. */
export const onboarding: StoreOnboarding = {
  title: 'Shopify',
  addressHint: {
    en: 'The address that ends in .myshopify.com; the administration shows it under Settings → Domains.',
    bg: 'Адресът, който завършва на .myshopify.com; администрацията го показва под Settings → Domains.',
  },
  look,
  prove,
  secretIn: ({ clientSecret }) => clientSecret ?? null,
  survey,
  surveyDays: 60,
  guide,
};
