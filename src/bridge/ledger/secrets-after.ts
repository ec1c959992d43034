import type { Connection, LiveSecret } from '../connections/connection.ts';

/**
 * The secrets from now on, or how they are made of those of this moment: then the row is locked meanwhile, so that one that was added a moment ago,
 * such as for webhooks that were healed, is among them.
 */
export type SecretsAfter = LiveSecret[] | ((live: readonly LiveSecret[]) => LiveSecret[]);

/** Null: they stay. */
export function secretsOf(after: SecretsAfter | null, { secrets }: Pick<Connection, 'secrets'>): LiveSecret[] | null {
  return typeof after === 'function' ? after(secrets) : after;
}
