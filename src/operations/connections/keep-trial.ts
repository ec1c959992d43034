import { ACCESS_WARNING, SHOP_WARNING } from '../../bridge/connections/connection.ts';

type Deps = { connections: { warn(id: string, kind: string, words: string): Promise<void>; endWarning(id: string, kind: string): Promise<boolean> } };

/** What a trial found. Undefined: it was not tried. */
export type TrialResult = { access?: readonly string[]; shop?: string | null };

/** Keeps what is wrong as warnings of the connection, and ends those of what works. */
export async function keepTrial({ connections }: Deps, id: string, { access, shop }: TrialResult): Promise<void> {
  const keep = async (kind: string, words: string) => {
    if (words === '') await connections.endWarning(id, kind);
    else await connections.warn(id, kind, words);
  };
  if (access !== undefined) await keep(ACCESS_WARNING, access.join(' '));
  if (shop !== undefined) await keep(SHOP_WARNING, shop ?? '');
}
