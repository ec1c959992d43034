// Creates orders of the compliance service over HTTP.
import type { Credentials } from '../../../test/support/worlds/compliance-caller.ts';
import { type LoadPlan, runLoad } from '../../load.ts';
import { signedCreate } from '../signed-create.ts';

/** Order `first + i` goes to the shops in turn; `lines` are two and three by turns if it is null. */
export type CreateLoad = Omit<LoadPlan, 'request'> & Credentials & { shopIds: string[]; first: number; lines: number | null; day: string };

process.on('message', async ({ shopIds, first, lines, day, ...load }: CreateLoad) => {
  const request = (i: number): Buffer => {
    const n = first + i;
    return signedCreate({ ...load, shopId: shopIds[n % shopIds.length] ?? '', n, lines: lines ?? (n % 2) + 2, day });
  };
  process.send?.(await runLoad({ ...load, request }));
});
process.once('disconnect', () => process.exit());
process.send?.({ port: 0 });
