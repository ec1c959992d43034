import { expect, test } from 'vitest';
import { redisAddress } from '../../../src/platform/queue/redis-address.ts';

const FAILOVER = { failoverDetector: true, sentinelCommandTimeout: 2_000 };

test('an address of one Redis is left to ioredis', () => {
  expect(redisAddress('redis://user:p%40ss@redis.example:6380/2')).toEqual({ url: 'redis://user:p%40ss@redis.example:6380/2', options: {} });
  expect(redisAddress('rediss://redis.example')).toEqual({ url: 'rediss://redis.example', options: {} });
  expect(redisAddress('redis://redis.example/')).toEqual({ url: 'redis://redis.example/', options: {} });
});

test('Sentinels are named with the master that they watch', () => {
  expect(redisAddress('redis+sentinel://a.example,b.example:26380,[::1]:26381/main')?.options).toEqual({
    sentinels: [
      { host: 'a.example', port: 26_379 },
      { host: 'b.example', port: 26_380 },
      { host: '::1', port: 26_381 },
    ],
    name: 'main',
    db: 0,
    ...FAILOVER,
  });
  expect(redisAddress('rediss+sentinel://bridge:a%3Ab%40c:d@a.example/main/3?sentinel-password=x%20y')?.options).toEqual({
    sentinels: [{ host: 'a.example', port: 26_379 }],
    name: 'main',
    db: 3,
    ...FAILOVER,
    ...{ username: 'bridge', password: 'a:b@c:d', sentinelPassword: 'x y', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
  });
  expect(redisAddress('redis+sentinel://:secret@a.example/main')?.options).toMatchObject({ password: 'secret' });
});

test('with an authority of its own every address is one over TLS', () => {
  const tls = { ca: 'PEM' };
  expect(redisAddress('redis://redis.example', 'PEM')?.options).toEqual({ tls });
  expect(redisAddress('redis+sentinel://a.example/main', 'PEM')?.options).toMatchObject({ tls, sentinelTLS: tls, enableTLSForSentinelMode: true });
});

test.for([
  'http://redis.example',
  'redis.example:6379',
  'redis+sentinel://a.example',
  'redis+sentinel://a.example,/main',
  'redis+sentinel://a.example:port/main',
  'redis+sentinel://a.example/main/x',
  'redis://user:100%@redis.example',
  'redis://us%er@redis.example',
  'redis://redis.example/main',
  'redis://redis.example/1/2',
  'redis+sentinel://user:100%@a.example/main',
  'redis+sentinel://a.example/ma%in',
  'redis+sentinel://a.example/main?sentinel-password=100%',
])('%s is neither', (text) => {
  expect(redisAddress(text)).toBeUndefined();
});
