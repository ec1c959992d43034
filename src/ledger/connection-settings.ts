import { z } from 'zod';

const paymentMapping = z.strictObject({
  paymentType: z.string().min(1).max(64),
  paymentProcessorName: z.string().min(1).max(200).optional(),
});

const rate = z.string().regex(/^\d{1,2}(\.\d{1,4})?$/, 'a VAT rate in percent such as "20"');

/** A connection's settings as a merchant writes them: every key optional, unknown keys refused. */
export const connectionSettings = z.strictObject({
  vatGroups: z.record(rate, z.string().min(1).max(64)).optional().meta({ description: 'VAT rate in percent → the service’s group' }),
  payments: z.record(z.string().min(1), paymentMapping).optional().meta({ description: 'The storefront’s gateway id → payment type' }),
  recordFrom: z.iso.datetime({ offset: true }).optional().meta({ description: 'Orders paid before it are ignored; default: when connected' }),
  settleSeconds: z.number().min(0).max(3600).optional().meta({ description: 'A burst of webhooks within it becomes one submission' }),
  transactionWaitSeconds: z.number().min(0).max(86_400).default(60).meta({ description: 'How long an online payment’s transaction id is waited for' }),
  unknownOutcome: z.enum(['ask', 'resend']).default('ask').meta({ description: 'When a create’s reply was lost and the service has no Idempotency-Key' }),
  removeWithoutRefund: z
    .enum(['park', 'remove', 'keep'])
    .default('park')
    .meta({ description: 'A paid order was cancelled or deleted, and no refund was seen' }),
  freeOrders: z.enum(['ignore', 'record']).default('ignore').meta({ description: 'Orders whose total is zero' }),
  codPaidWhen: z.enum(['completed', 'processing']).default('completed').meta({ description: 'When cash on delivery counts as paid (WooCommerce)' }),
  convertTo: z.enum(['BGN', 'EUR']).nullable().default(null).meta({ description: 'Convert EUR and BGN into each other at 1.95583' }),
  receipts: z.boolean().default(false).meta({ description: 'Ask the service for a receipt after a create' }),
});

export type SettingsInput = z.input<typeof connectionSettings>;
export type ConnectionSettings = z.output<typeof connectionSettings>;

/** Reads settings from JSON; every problem with its path. */
export function readSettings(value: unknown): { ok: true; settings: SettingsInput } | { ok: false; problems: string[] } {
  const parsed = connectionSettings.safeParse(value);
  if (parsed.success) return { ok: true, settings: value as SettingsInput };
  return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`) };
}
