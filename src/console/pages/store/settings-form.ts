import { z } from 'zod';
import { type ConnectionSettings, connectionSettings, readSettings, type SettingsInput } from '../../../bridge/connections/connection-settings.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../../contract/order-dto.ts';

/** A setting that has one value: how it is given, and its default as text ('' : none). */
export type SingleSetting = {
  name: Exclude<keyof ConnectionSettings, 'vatGroups' | 'payments'>;
  kind: 'choice' | 'yes-no' | 'number' | 'list' | 'text' | 'instant';
  choices: readonly string[];
  usual: string;
};

/** Settings as a form has them: texts, '' where one is as usual. */
export type TypedSettings = {
  single: Readonly<Partial<Record<SingleSetting['name'], string>>>;
  vatGroups: readonly { rate: string; group: string }[];
  payments: readonly { gateway: string; type: string; processor: string }[];
};

const property = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.object({ enum: z.array(z.string()).optional(), type: z.string().optional() })).optional(),
  default: z.unknown().optional(),
});
const schema = z.object({ properties: z.record(z.string(), property) });

/** What a form may choose from; another compliance service may take other values, too. */
export const formChoices = { vatGroups: VAT_GROUPS, paymentTypes: PAYMENT_TYPES };

/** Every setting with one value, in the order of the schema. */
export function singleSettings(): SingleSetting[] {
  const { properties } = schema.parse(z.toJSONSchema(connectionSettings, { io: 'input' }));
  return Object.entries(properties).flatMap(([name, described]) => (isSingle(name) ? [{ name, ...kindOf(described), usual: textOf(described.default) }] : []));
}

function isSingle(name: string): name is SingleSetting['name'] {
  return name !== 'vatGroups' && name !== 'payments' && Object.hasOwn(connectionSettings.shape, name);
}

function kindOf({ type, format, enum: values, anyOf = [] }: z.output<typeof property>): Pick<SingleSetting, 'kind' | 'choices'> {
  const choices = values ?? anyOf.flatMap((each) => each.enum ?? []);
  if (choices.length > 0) return { kind: 'choice', choices };
  if (type === 'boolean') return { kind: 'yes-no', choices: [] };
  if (type === 'number') return { kind: 'number', choices: [] };
  if (type === 'array') return { kind: 'list', choices: [] };
  return { kind: format === 'date-time' ? 'instant' : 'text', choices: [] };
}

/** Settings as they are written, for a form. */
export function typedSettings(written: SettingsInput): TypedSettings {
  const { vatGroups = {}, payments = {}, ...rest } = written;
  return {
    single: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, textOf(value)])),
    vatGroups: Object.entries(vatGroups).map(([rate, group]) => ({ rate, group })),
    payments: Object.entries(payments).map(([gateway, { paymentType: type, paymentProcessorName: processor = '' }]) => ({ gateway, type, processor })),
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The settings that a form says; what it shows unchanged stays as it is written. Every problem with its path. */
export function settingsOfForm(typed: TypedSettings, written: SettingsInput): ReturnType<typeof readSettings> {
  const before = typedSettings(written).single;
  const singles = singleSettings().flatMap(({ name, kind }): [string, unknown][] => {
    const text = typed.single[name] ?? '';
    if (text === (before[name] ?? '')) return written[name] === undefined ? [] : [[name, written[name]]];
    return text === '' ? [] : [[name, typedValue(kind, text)]];
  });
  const groups = typed.vatGroups.filter(({ group }) => group !== '').map(({ rate, group }) => [rate.replace(/\s*%$/, ''), group]);
  const payments = typed.payments
    .filter(({ type }) => type !== '')
    .map(({ gateway, type, processor }) => [gateway, { paymentType: type, ...(processor === '' ? {} : { paymentProcessorName: processor }) }]);
  return readSettings({
    ...(groups.length === 0 ? {} : { vatGroups: Object.fromEntries(groups) }),
    ...(payments.length === 0 ? {} : { payments: Object.fromEntries(payments) }),
    ...Object.fromEntries(singles),
  });
}

function typedValue(kind: SingleSetting['kind'], text: string): unknown {
  if (kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'yes-no') return text === 'true';
  if (kind === 'list') return text.split(',').flatMap((part) => (part.trim() === '' ? [] : part.trim()));
  return text;
}
