import { z } from 'zod';
import { type Html, html, nothing } from '../../web/html.ts';

const shape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), shape).optional();
  },
  get items() {
    return shape.optional();
  },
  get anyOf() {
    return z.array(shape).optional();
  },
});
type Shape = z.output<typeof shape>;

/** A schema of the document as a table of its fields; fields of fields are shown by their path. */
export function schemaCard(name: string, schema: object): Html {
  const rows = fieldRows(shape.parse(schema), '');
  return html`<section class="card" id="schema-${name}"><h3>${name}</h3>
<table><thead><tr><th>field</th><th>rule</th></tr></thead><tbody>${rows}</tbody></table></section>
`;
}

function fieldRows({ properties = {}, required = [] }: Shape, at: string): Html[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${at}${name}`;
    const must = required.includes(name) ? html` <span class="must">required</span>` : nothing;
    const row = html`<tr><td><code>${path}</code>${must}</td><td>${field.description ?? ''}${field.description === undefined ? nothing : html`<br>`}<span class="soft">${ruleOf(field)}</span></td></tr>`;
    const withTimeout = field.items ?? field.anyOf?.find(({ properties: some }) => some !== undefined) ?? field;
    return [row, ...fieldRows(withTimeout, `${path}${field.items === undefined ? '.' : '[].'}`)];
  });
}

function ruleOf(field: Shape): string {
  const { anyOf, items, enum: values } = field;
  if (anyOf !== undefined) return anyOf.map(ruleOf).join(' or ');
  if (items !== undefined) return `array of ${ruleOf(items)}${between(field.minItems, field.maxItems, ' items')}`;
  if (field.$ref !== undefined) return field.$ref.split('/').at(-1) ?? '';
  if (values !== undefined) return `one of ${values.join(', ')}${withDefault(field)}`;
  if (field.const !== undefined) return `always ${JSON.stringify(field.const)}`;
  return `${[field.type].flat().join(' or ')}${field.format === undefined ? '' : ` (${field.format})`}${sizeOf(field)}${withDefault(field)}`;
}

function sizeOf(field: Shape): string {
  if (field.maxLength !== undefined) return between(field.minLength, field.maxLength, ' characters');
  if (field.exclusiveMaximum !== undefined) return `, from ${field.minimum ?? 0}`;
  if (field.exclusiveMinimum !== undefined) return `, above ${field.exclusiveMinimum}${field.maximum === undefined ? '' : `, up to ${field.maximum}`}`;
  return between(field.minimum, field.maximum, '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) return '';
  return least === undefined ? `, up to ${most}${unit}` : `, ${least}–${most}${unit}`;
}

function withDefault(field: Shape): string {
  return field.default === undefined ? '' : `, default ${JSON.stringify(field.default)}`;
}
