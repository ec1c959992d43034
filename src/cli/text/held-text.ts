import type { HeldBack, Tried } from '../../operations/one-first.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';

/** Why orders stay parked, and what releases them. */
export function heldText({ connectionId, codes, orders, tried }: HeldBack, waitSeconds: number): string {
  const rest = `${orders} more ${orders === 1 ? 'order' : 'orders'} of ${connectionId} (${codes.join(', ')}) ${orders === 1 ? 'stays' : 'stay'} parked`;
  const why = tried.map((one) => triedText(one, waitSeconds)).join('; ');
  const commands = codes.map((code) => `\`orderbridge release --code ${code} --connection ${connectionId}\``).join(' and ');
  return `${rest}: ${why}. Once the cause is put right, ${commands} goes on.`;
}

function triedText({ order: { id, number }, state, code, detail }: Tried, waitSeconds: number): string {
  const name = `the order ${number === null ? `id:${id}` : oneLine(number)} went first and`;
  if (state === null) return `${name} was not decided within ${waitSeconds} s (\`orderbridge status\` says whether anything works on it)`;
  return `${name} ${code === null ? `is ${state}` : `is ${state} as ${code}: ${oneLine(detail ?? '')}`}`;
}
