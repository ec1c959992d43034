import { randomBytes } from 'node:crypto';
import type { SettingsInput } from '../bridge/connections/connection-settings.ts';
import type { DemoTime } from './demo-time.ts';
import { shopifyStories } from './shopify-stories.ts';
import { standardStories } from './standard-stories.ts';
import type { DemoPlatform, Story, StoryWebhook } from './story.ts';
import { wooStories } from './woocommerce-stories.ts';

/** A store of the demo: its shop at the compliance service, and the stories of its orders. */
export type DemoStore = {
  platform: DemoPlatform;
  /** Its name, and what it is. */
  title: string;
  /** Its name in webhooks. */
  store: string;
  companyUic: string;
  secret: string;
  settings: SettingsInput;
  stories: readonly Story[];
  /** Orders that are alike, and not in the table: what is printed of them, and their webhooks. */
  crowd?: { topic: string; numbers: string; webhooks: readonly StoryWebhook[] };
};

const payments = {
  cod: { paymentType: 'POSTAL_PAYMENT' },
} satisfies SettingsInput['payments'];

/** As the console and the compliance service name it. */
export function nameOf({ title }: Pick<DemoStore, 'title'>): string {
  return title.split(',')[0] ?? title;
}

/** The three stores, each with a fresh secret. */
export function demoStores(time: DemoTime): DemoStore[] {
  const settings: SettingsInput = { recordFrom: time.utc(0), transactionWaitSeconds: 2, vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' }, payments };
  return [
    {
      platform: 'shopify',
      title: 'Росица, cosmetics on Shopify',
      store: 'rositsa.myshopify.com',
      companyUic: '200000015',
      secret: randomBytes(32).toString('hex'),
      settings,
      stories: shopifyStories(time),
    },
    {
      platform: 'woocommerce',
      title: 'Сова, books on WooCommerce',
      store: 'https://sova.example',
      companyUic: '200000027',
      secret: randomBytes(24).toString('base64url'),
      settings,
      stories: wooStories(time),
    },
    {
      platform: 'standard',
      title: 'Тера, coffee in a self-made shop (Standard Webhooks)',
      store: 'tera.example',
      companyUic: '200000034',
      secret: `whsec_${randomBytes(32).toString('base64')}`,
      settings,
      stories: standardStories(time),
    },
  ];
}
