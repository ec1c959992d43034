import { z } from 'zod';
import type { AskedAlike } from '../../bridge/ledger/asked-groups.ts';

const about = z.object({ of: z.enum(['check', 'rest']), group: z.string(), store: z.string(), connectionId: z.string(), code: z.string(), alike: z.string() });

/** What a run of a desk was about. check: one order went first; rest: the others of its group followed. */
export type RunAbout = z.output<typeof about>;

export function aboutGroup(of: RunAbout['of'], { id, store, connectionId, code, alike }: AskedAlike & { id: string; store: string }): RunAbout {
  return { of, group: id, store, connectionId, code, alike };
}

/** Null: it was made elsewhere. */
export function readAbout(stored: unknown): RunAbout | null {
  return about.safeParse(stored).data ?? null;
}
