import { ProviderProblem } from '../../platform/oidc/provider-problem.ts';
import type { CheckFinding } from './check-finding.ts';

/** An identity provider, by what it says of itself. */
export type CheckedProvider = { host: string; check(): Promise<void> };

const what = 'sign-in';

/** Whether the identity provider answers as itself; without one there is nothing to tell. Whether it takes our client shows at the first sign-in. */
export async function checkProvider(provider: CheckedProvider | null): Promise<CheckFinding[]> {
  if (provider === null) return [];
  const { host } = provider;
  try {
    await provider.check();
    return [{ what, verdict: 'ok', words: `the identity provider ${host} answers` }];
  } catch (thrown) {
    if (!(thrown instanceof ProviderProblem)) throw thrown;
    const words =
      thrown.kind === 'away' ? `the identity provider ${host} does not answer` : `what the identity provider ${host} says of itself does not fit OIDC_ISSUER`;
    return [{ what, verdict: 'wrong', words: `${words} (${thrown.code}); people with a password can still sign in; check OIDC_ISSUER` }];
  }
}
