/** Where a merchant's link leads. `base`: where this server is reached, without a trailing slash. */
export function connectAddress(base: string, token: string): string {
  return `${base}/connect/${token}`;
}
