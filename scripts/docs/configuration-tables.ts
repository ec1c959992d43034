import { z } from 'zod';
import { connectionSettings } from '../../src/bridge/connections/connection-settings.ts';
import type { Storefront } from '../../src/bridge/storefronts/contract.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { wellKnownGateways } from '../../src/bridge/storefronts/well-known-gateways.ts';
import { describeEnvironment } from '../../src/config/environment.ts';
import { markdownTable } from './markdown-table.ts';

/** Every environment variable. */
export function environmentTable(): string[] {
  return markdownTable(
    ['variable', 'default', 'what for'],
    describeEnvironment().map(({ name, default: usual, description, secret }) => [
      `\`${name}\``,
      usual === null ? '' : `\`${usual}\``,
      `${description}${secret ? ' Secret.' : ''}`,
    ]),
  );
}

const property = z.object({
  description: z.string(),
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.object({ enum: z.array(z.string()).optional(), type: z.string().optional() })).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
});
type Property = z.infer<typeof property>;

/** Every setting of a connection. */
export function settingsTable(): string[] {
  return markdownTable(
    ['setting', 'values', 'default', 'what for'],
    Object.entries(describeSettings()).map(([name, described]) => [`\`${name}\``, valuesOf(described), defaultOf(described), described.description]),
  );
}

function describeSettings(): Record<string, Property> {
  const schema = z.toJSONSchema(connectionSettings, { io: 'input' });
  return z.object({ properties: z.record(z.string(), property) }).parse(schema).properties;
}

function valuesOf({ type, format, enum: values, anyOf = [], minimum, maximum }: Property): string {
  const choices = values ?? anyOf.flatMap((each) => each.enum ?? [String(each.type)]);
  if (choices.length > 0) return choices.map((each) => `\`${each}\``).join(', ');
  if (type === 'number') return `number, ${minimum}–${maximum}`;
  if (format === 'date-time') return 'date and time with an offset';
  return type === 'boolean' ? '`true`, `false`' : (type ?? '');
}

function defaultOf(described: Property): string {
  return 'default' in described && described.default !== undefined ? `\`${JSON.stringify(described.default)}\`` : '';
}

/** The gateways that need no setting: those of every platform, then those of single platforms. */
export function gatewayTable(): string[] {
  const shared = Object.entries(wellKnownGateways).map(([name, ids]) => [name, quoted(ids)]);
  const own = Object.values<Storefront>(storefronts).flatMap(({ name: platform, gateways }) =>
    Object.entries(gateways).flatMap(([name, ids]) => {
      const more = ids.filter((id) => !(wellKnownGateways[name] ?? []).includes(id));
      return more.length === 0 ? [] : [[`${name} (${platform})`, quoted(more)]];
    }),
  );
  return markdownTable(['processor', 'gateway ids'], [...shared, ...own]);
}

function quoted(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}
