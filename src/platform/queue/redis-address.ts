import type { RedisOptions } from 'ioredis';

/** redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB?sentinel-password=PASSWORD, with `rediss` over TLS. */
const SENTINEL = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([^/?#]+)(?:\/(\d+))?(?:\?sentinel-password=([^&#]+))?$/;
const SENTINEL_PORT = 26_379;

/** Where Redis is: an address that ioredis takes, or that of its Sentinels, who know which Redis is the master. Undefined: it is neither. */
export function redisAddress(text: string): (string | Omit<RedisOptions, 'replyMapping'>) | undefined {
  if (['redis:', 'rediss:'].includes(URL.parse(text)?.protocol ?? '')) return text;
  const [, scheme, user = '', hosts = '', name = '', db = '0', sentinelPassword] = SENTINEL.exec(text) ?? [];
  const sentinels = hosts.split(',').map((host) => URL.parse(`redis://${host}`));
  if (scheme === undefined || sentinels.some((at) => at === null || at.hostname === '')) return undefined;
  const [username = '', ...password] = user.split(':');
  return {
    sentinels: sentinels.flatMap((at) => (at === null ? [] : [{ host: at.hostname, port: at.port === '' ? SENTINEL_PORT : Number(at.port) }])),
    name: decodeURIComponent(name),
    db: Number(db),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword: decodeURIComponent(sentinelPassword) }),
    ...(scheme === 'rediss' ? { tls: {}, enableTLSForSentinelMode: true } : {}),
  };
}
