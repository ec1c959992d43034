import type { Core } from '../../app/core.ts';
import { type ListedDelivery, listDeliveries } from '../../operations/connections/store-webhooks.ts';
import { codeWords } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { markTone } from '../text/tones.ts';

export type Options = { refused?: true; limit: number; json?: true };

export async function deliveries(context: CliContext, core: Core, { id, limit, json, ...only }: Options & { id: string }): Promise<void> {
  const refused = only.refused === true;
  const shown = await listDeliveries(core, { id, refused, limit });
  if (json) return printJson(context, shown);
  if (shown.length === 0) return printLines(context, [refused ? 'No webhook of this connection was refused.' : 'No webhook of this connection has come yet.']);
  printTable(context, {
    header: ['time', 'result', 'topic', 'order', 'what it did', 'from'],
    rows: shown.map(row),
    give: ['from', 'topic'],
    keep: ['time', 'result', 'order'],
    tones: { result: markTone },
  });
  printLines(context, advice(shown));
}

function row({ at, result, topic, order, outcome, code, client }: ListedDelivery): (string | null)[] {
  const did = [outcome, code].filter((word) => word !== null).join(', ');
  return [localTime(at), result, topic, order?.number ?? order?.orderId ?? null, did, client].map((cell) => (cell === null ? null : oneLine(cell)));
}

/** What the reasons of refusals mean, each once. */
function advice(shown: readonly ListedDelivery[]): string[] {
  const codes = new Set(shown.flatMap(({ result, code }) => (result === 'refused' && code !== null ? [code] : [])));
  const reasons = [...codes].map((code) => `${code}: ${codeWords(code, 'en').means} ${codeWords(code, 'en').todo}`);
  return reasons.length === 0 ? [] : ['', ...reasons];
}
