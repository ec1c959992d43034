import type { RedisOptions } from 'ioredis';

/** redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB?sentinel-password=PASSWORD, with `rediss` over TLS. */
const SENTINEL = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([^/?#]+)(?:\/(\d+))?(?:\?sentinel-password=([^&#]+))?$/;
const SENTINEL_PORT = 26_379;
/** A master that hangs breaks no connection: the Sentinels say that another took over. One of them may hang, too. */
const FAILOVER = { failoverDetector: true, sentinelCommandTimeout: 2_000 } as const;

type Address = { url: string | null; options: Omit<RedisOptions, 'replyMapping'> };

/**
 * Where Redis is: an address that ioredis takes, or that of its Sentinels (in `options`), who know which Redis is the master. Undefined: it is neither.
 * `ca`: it is called over TLS, and must have a certificate that this authority signed.
 */
export function redisAddress(text: string, ca: string | null = null): Address | undefined {
  const own = ca === null ? {} : { ca };
  if (isOfOne(URL.parse(text))) return { url: text, options: ca === null ? {} : { tls: own } };
  const [, scheme, user = '', hosts = '', name = '', db = '0', sentinelPassword] = SENTINEL.exec(text) ?? [];
  const sentinels = hosts.split(',').map((host) => URL.parse(`redis://${host}`));
  if (scheme === undefined || !areDecodable(user, name, sentinelPassword) || sentinels.some((at) => at === null || at.hostname === '')) return undefined;
  const [username = '', ...password] = user.split(':');
  const options = {
    sentinels: sentinels.flatMap((at) =>
      at === null ? [] : [{ host: at.hostname.replace(/^\[|\]$/g, ''), port: at.port === '' ? SENTINEL_PORT : Number(at.port) }],
    ),
    name: decodeURIComponent(name),
    db: Number(db),
    ...FAILOVER,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword: decodeURIComponent(sentinelPassword) }),
    ...(scheme === 'rediss' || ca !== null ? { tls: own, sentinelTLS: own, enableTLSForSentinelMode: true } : {}),
  };
  return { url: null, options };
}

/** Its path is the number of a database. */
function isOfOne(url: URL | null): boolean {
  return url !== null && ['redis:', 'rediss:'].includes(url.protocol) && /^(\/\d*)?$/.test(url.pathname) && areDecodable(url.username, url.password);
}

/** A % of a password must be written as %25. */
function areDecodable(...parts: (string | undefined)[]): boolean {
  try {
    for (const part of parts) decodeURIComponent(part ?? '');
    return true;
  } catch {
    return false;
  }
}
