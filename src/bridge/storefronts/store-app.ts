/** An app by which stores of a platform are connected. `secrets`: the newest first; `until` null: for good. `kind`: custom distribution, a public app, or one of the merchant's own organisation. */
export type StoreApp = {
  id: string;
  platform: string;
  clientId: string;
  secrets: readonly { secret: string; until: string | null }[];
  kind: 'custom' | 'public' | 'own';
  scopes: readonly string[];
};
