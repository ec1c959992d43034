import { embeddedDialect, sign } from '../../src/contract/dialect.ts';
import type { Credentials } from '../../test/support/worlds/compliance-caller.ts';
import { type SampleOrder, sampleOrder } from './sample-order.ts';

/** A whole HTTP request: a signed create of about 1 KB with an Idempotency-Key, as the bridge sends it. */
export function signedCreate({ url, apiKey, apiSecret, ...sample }: Credentials & SampleOrder & { url: string }): Buffer {
  const order = sampleOrder(sample);
  const body = Buffer.from(JSON.stringify(order));
  const head = [
    'POST /public-api/v1/order HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'User-Agent: orderbridge',
    `X-Api-Key: ${apiKey}`,
    `X-Signature: ${sign(body, apiSecret, embeddedDialect)}`,
    `Idempotency-Key: ${sample.shopId}/${order.internalId}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
