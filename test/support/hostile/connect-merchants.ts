import { randomBytes, randomUUID } from 'node:crypto';
import type { Program } from '../servers/program.ts';
import { type Merchant, type MerchantName, type Merchants, merchantNames } from './merchant.ts';

const SETTINGS = {
  recordFrom: '2020-01-01T00:00:00Z',
  transactionWaitSeconds: 0,
  vatGroups: { '0': 'GROUP_A', '9': 'GROUP_D', '20': 'GROUP_B' },
  payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' } },
  // A deletion that was believed would take a record with it.
  removeWithoutRefund: 'remove',
};

const platforms: Record<MerchantName, Pick<Merchant, 'platform' | 'store'>> = {
  honest: { platform: 'standard', store: '' },
  burst: { platform: 'standard', store: '' },
  heavy: { platform: 'standard', store: '' },
  refused: { platform: 'standard', store: '' },
  app: { platform: 'shopify', store: 'corner.myshopify.com' },
  'captured-app': { platform: 'shopify', store: 'captured.myshopify.com' },
  plugin: { platform: 'woocommerce', store: 'https://plugin.example/' },
  // The address of its API, which is not known yet.
  hanging: { platform: 'woocommerce', store: '' },
};

type How = {
  /** True: in a process of its own, because it is another checkout's program. */
  spawned: boolean;
  appSecret: string;
  storeUrl: string;
};

/** Connects each merchant to a shop of its own, by the command line. */
export async function connectMerchants(cli: Program, how: How): Promise<Merchants> {
  await cli.writeJson('settings.json', SETTINGS);
  const made: Partial<Merchants> = {};
  for (const name of merchantNames) made[name] = await connect(cli, name, how);
  return made as Merchants;
}

async function connect(cli: Program, name: MerchantName, { spawned, appSecret, storeUrl }: How): Promise<Merchant> {
  const { platform, store: named } = platforms[name];
  const store = name === 'hanging' ? `${storeUrl}/` : named;
  const own = platform === 'standard' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(24).toString('hex');
  const secret = platform === 'shopify' ? appSecret : own;
  const shopId = randomUUID();
  const api = name === 'hanging' ? ['--store-url', storeUrl, '--consumer-key', `ck_${name}`, '--consumer-secret', `cs_${name}`] : [];
  const flags = [
    '--platform',
    platform,
    '--name',
    platform === 'woocommerce' ? name : store || name,
    '--secret',
    '-',
    '--compliance-shop',
    shopId,
    '--settings',
    'settings.json',
  ];
  const args = ['connect', ...flags, ...api, '--json'];
  const { code, out, err } = await (spawned ? cli.spawn(args, { stdin: secret }) : cli.run(args, { stdin: secret }));
  if (code !== 0) throw new Error(`${name} can't be connected: ${err}`);
  const { connectionId } = JSON.parse(out) as { connectionId: string };
  return { name, platform, store, secret, shopId, connectionId };
}
