/** What `sanitize_text_field` of WordPress, through which its form sends a secret, takes out or rewrites. */
const ALTERED = /<|%[0-9a-f]{2}|\s{2}|[\t\r\n]|^\s|\s$/i;

/** A secret that WordPress' form would change, also when a webhook that was made by REST is opened and saved there. */
export function secretAdvice(secret: string): string | null {
  if (!ALTERED.test(secret)) return null;
  return 'WordPress’ form for webhooks changes this secret when it is saved there (it takes out tags, % with two hexadecimal digits, and spaces at the ends or in a row), so that signatures would not match; it leaves letters and digits alone: `openssl rand -hex 32` makes such a secret.';
}
