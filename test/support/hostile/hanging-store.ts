import type { ServerResponse } from 'node:http';
import { type RawServer, startHttpServer } from '../servers/raw-server.ts';

/** A store's API that takes calls and does not answer them, until it is let. */
export type HangingStore = { url: string; calls(): number; hang(): void; answer(): void } & AsyncDisposable;

const refundLine = { id: 92, quantity: -1, total: '-10.00', total_tax: '-0.90', meta_data: [{ key: '_refunded_item_id', value: '71' }] };
const refund = { id: 91, date_created_gmt: '2026-11-21T03:00:00', amount: '10.90', line_items: [refundLine], shipping_lines: [], fee_lines: [] };

export async function startHangingStore(): Promise<HangingStore> {
  const held: (() => void)[] = [];
  let hangs = false;
  let calls = 0;
  const server: RawServer = await startHttpServer((response, { path }) => {
    calls += 1;
    if (hangs) held.push(() => answerTo(response, path));
    else answerTo(response, path);
  });
  return {
    url: server.url,
    calls: () => calls,
    hang: () => {
      hangs = true;
    },
    answer: () => {
      hangs = false;
      for (const go of held.splice(0)) go();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function answerTo(response: ServerResponse, path: string): void {
  if (response.destroyed) return;
  const body = path.includes('/refunds') ? [refund] : { environment: { store_id: '5f0c2a' } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
