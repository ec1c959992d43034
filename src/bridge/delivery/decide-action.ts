import { isBehind } from '../order/claim.ts';
import { type Action, nextAction } from '../order/next-action.ts';
import type { Known, Mode } from './attempt-mode.ts';
import { termsOf } from './terms-of.ts';

/** What to do next with an order as this attempt knows it. */
export async function decideAction({ deps, storefront }: Pick<Mode, 'deps' | 'storefront'>, { claim, connection, queried }: Known): Promise<Action> {
  const { openStep } = claim;
  const canResend = openStep?.kind === 'create' && isBehind(claim);
  return nextAction({
    claim,
    ...(queried === undefined ? {} : { queried }),
    terms: termsOf(connection, storefront),
    mayFetch: queried === undefined && connection.access !== null && storefront.api !== undefined,
    mayResend: canResend && (await deps.compliance.honoursIdempotency(openStep.destinationId)),
    now: deps.now(),
  });
}
