import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eventBody } from '../../src/bridge/events/event.ts';
import { ordersAnswer } from '../../src/bridge/storefronts/standard/ask-orders.ts';
import { standardWebhook } from '../../src/bridge/storefronts/standard/payload.ts';
import { groups } from '../../src/cli/commands.ts';
import { type AuditColumns, articleColumns, headerColumns, orderColumns, returnColumns } from '../../src/service/audit/format/audit-columns.ts';
import { auditRules } from '../../src/service/audit/format/audit-rules.ts';
import { actionTable, answerTable } from './action-tables.ts';
import { asvsTable, readAsvs } from './asvs-table.ts';
import { checkTable } from './check-table.ts';
import { commandManual } from './command-manual.ts';
import { environmentTable, gatewayTable, settingsTable } from './configuration-tables.ts';
import { eventTable } from './event-table.ts';
import { fillSection } from './fill-section.ts';
import { markdownTable } from './markdown-table.ts';
import { metricTable } from './metric-table.ts';
import { schemaTables } from './schema-tables.ts';
import { codeTables, stateTable } from './state-tables.ts';

export type GeneratedDoc = { path: string; text: string };

const SCHEMAS = {
  'docs/reference/standard-webhooks.schema.json': standardWebhook,
  'docs/reference/standard-orders.schema.json': ordersAnswer,
  'docs/reference/events.schema.json': eventBody,
};

/** Every file of docs/reference that comes from code, in whole or in part, as it should be. `root` is the folder of the repository. */
export async function generatedDocs(root: string): Promise<GeneratedDoc[]> {
  const page = (name: string, sections: Record<string, readonly string[]>) => {
    const path = `docs/reference/${name}.md`;
    const before = readFileSync(join(root, path), 'utf8');
    return { path, text: Object.entries(sections).reduce((text, [name, lines]) => fillSection(text, name, lines), before) };
  };
  return [
    page('codes', { states: stateTable(), codes: codeTables(), checks: checkTable() }),
    page('variables', { environment: environmentTable() }),
    page('settings', { settings: settingsTable(), gateways: gatewayTable() }),
    page('audit-file', { 'audit-columns': columnTable(), 'audit-rules': ruleTable() }),
    page('asvs', { asvs: asvsTable(readAsvs(root)) }),
    page('tables', { tables: schemaTables(root) }),
    page('decisions', { actions: actionTable(), answers: answerTable() }),
    page('metrics-and-events', { metrics: await metricTable(), events: eventTable(root) }),
    { path: 'docs/reference/commands.md', text: await commandManual(commandTable()) },
    ...Object.entries(SCHEMAS).map(([path, schema]) => ({ path, text: formatted(root, path, JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))) })),
  ];
}

function columnTable(): string[] {
  const of = (columns: AuditColumns) =>
    Object.entries(columns).map(([element, { means, kind, optional, csv }]) => [
      `\`${element}\``,
      means,
      kind.limit,
      optional ? 'optional' : '',
      csv?.[1] ?? '',
    ]);
  return markdownTable(
    ['element', 'holds', 'limit', '', 'in the CSV'],
    [
      ...of(headerColumns),
      ['`order` / `orderenum`', 'The orders.', 'one or more', '', ''],
      ...of(orderColumns),
      ['`art` / `artenum`', 'An article.', 'one or more', '', ''],
      ...of(articleColumns),
      ['`r_ord`', 'How many orders were returned, in whole or in part.', 'whole number', 'optional in the newer schema', ''],
      ['`rorder` / `rorderenum`', 'The returned orders.', 'any number', 'optional', ''],
      ...of(returnColumns),
      ['`r_total`', 'What was given back in sum, with VAT.', 'two decimals', 'optional in the newer schema', ''],
    ],
  );
}

function ruleTable(): string[] {
  return markdownTable(
    ['rule', 'level', 'when', 'what to do'],
    Object.entries(auditRules).map(([rule, { level, when, advice }]) => [`\`${rule}\``, level, when, advice]),
  );
}

function commandTable(): string[] {
  return markdownTable(
    ['group', 'command', 'what it does'],
    Object.entries(groups).flatMap(([group, entries]) =>
      Object.entries(entries).map(([name, { summary }], at) => [at === 0 ? `**${group}**` : '', `\`orderbridge ${name}\``, summary]),
    ),
  );
}

function formatted(root: string, path: string, json: string): string {
  const biome = join(root, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], { cwd: root, input: json, encoding: 'utf8' });
}
