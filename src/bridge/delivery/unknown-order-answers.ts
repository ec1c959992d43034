import { randomUUID } from 'node:crypto';
import type { Reply } from '../order/decisions/answer.ts';

/** How a destination says that it has no such order: the sorted keys of the JSON object in its 404. `seenAt`: ISO instant. */
export type UnknownOrderAnswer = { keys: readonly string[]; seenAt: string };

export type UnknownOrderAnswersDeps = {
  ledger: {
    unknownOrderAnswerOf(destinationId: string): Promise<UnknownOrderAnswer | null>;
    keepUnknownOrderAnswer(destinationId: string, keys: readonly string[]): Promise<void>;
  };
  /** Requests the delete of an order. */
  deleteOrder(destinationId: string, complianceId: string, signal: AbortSignal): Promise<Reply>;
  /** Nothing was learned; it is retried later. */
  onFailed(destinationId: string, err: unknown): void;
  /** ms since 1970 */
  now(): number;
};

export type UnknownOrderAnswers = AsyncDisposable & {
  /** Null: not known yet, or the destination has no JSON for it. */
  keysOf(destinationId: string): Promise<readonly string[] | null>;
  /** A create was answered: after one that `succeeded`, it is the service that answers there; while others fail, it may be somebody else. */
  created(destinationId: string, succeeded: boolean): void;
};

const RENEWED_AFTER_MS = 24 * 60 * 60_000;
const AGAIN_AFTER_MS = 60 * 60_000;

/** Learns, beside the work, how each destination answers the delete of an order that never existed. */
export function createUnknownOrderAnswers(deps: UnknownOrderAnswersDeps): UnknownOrderAnswers {
  const notBefore = new Map<string, number>();
  const failures = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  /** Returns when to look again at the earliest. */
  async function learn(destinationId: string): Promise<number> {
    const failed = failures.get(destinationId);
    const known = await deps.ledger.unknownOrderAnswerOf(destinationId);
    const due = known === null ? 0 : Date.parse(known.seenAt) + RENEWED_AFTER_MS;
    if (due > deps.now()) return due;
    const reply = await deps.deleteOrder(destinationId, randomUUID(), stopping.signal);
    const keys = reply.kind === 'answered' && reply.status === 404 ? reply.keys : undefined;
    if (keys === undefined) throw new Error(`the delete of an order that never existed was answered with ${wordsOf(reply)}, not with a 404 in JSON`);
    if (failures.get(destinationId) !== failed) throw new Error('creates failed meanwhile, so that another program may have answered');
    await deps.ledger.keepUnknownOrderAnswer(destinationId, keys);
    return deps.now() + RENEWED_AFTER_MS;
  }

  async function learnQuietly(destinationId: string): Promise<void> {
    try {
      notBefore.set(destinationId, await learn(destinationId));
    } catch (thrown) {
      notBefore.set(destinationId, deps.now() + AGAIN_AFTER_MS);
      if (!stopping.signal.aborted) deps.onFailed(destinationId, thrown);
    } finally {
      running.delete(destinationId);
    }
  }

  return {
    keysOf: async (destinationId) => (await deps.ledger.unknownOrderAnswerOf(destinationId))?.keys ?? null,
    created(destinationId, succeeded) {
      if (!succeeded) return void failures.set(destinationId, (failures.get(destinationId) ?? 0) + 1);
      if (stopping.signal.aborted || running.has(destinationId) || (notBefore.get(destinationId) ?? 0) > deps.now()) return;
      running.set(destinationId, learnQuietly(destinationId));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

function wordsOf(reply: Reply): string {
  return reply.kind === 'answered' ? String(reply.status) : reply.error;
}
