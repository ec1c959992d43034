/** What a person may call an app: it is part of addresses. The table of apps holds it, too. */
const APP_ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export function isAppId(text: string): boolean {
  return APP_ID.test(text);
}
