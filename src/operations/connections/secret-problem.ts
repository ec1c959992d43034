import type { Storefront } from '../../bridge/storefronts/contract.ts';

const LEAST = 8;

/** Whether a webhook secret is so short that it can be guessed from one signed request. */
export function isWeakSecret(secret: string): boolean {
  return [...secret].length < LEAST;
}

/** Why a webhook secret is not taken: it could never verify, or could be guessed; null: it is fine. */
export function secretProblem(storefront: Pick<Storefront, 'secretProblem'>, secret: string): string | null {
  const problem = storefront.secretProblem(secret);
  if (problem !== null || !isWeakSecret(secret)) return problem;
  return `The secret has fewer than ${LEAST} characters, so that it could be guessed: make a longer one in the store, such as with \`openssl rand -hex 32\`.`;
}
