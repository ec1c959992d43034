import { keyOf, newStandardSecret, secretProblem } from '../../../contract/standard-webhook.ts';
import { testMoney, testNumber } from '../amounts.ts';
import type { Delivery, Sample, Storefront, TestOrder, Unsigned, VerifyResult } from '../contract.ts';
import { hmac } from '../hmac.ts';
import type { Snippet } from '../onboarding.ts';
import { standardSignatures, verifyStandard } from '../standard-signature.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { normalize, topics } from './normalize.ts';
import { api } from './read-orders.ts';

const shell = ({ address, secret, message }: Parts) => `#!/usr/bin/env bash
# Sends an order, signed as Standard Webhooks 1.0 says. Needs curl and openssl.
set -euo pipefail
address=${shellText(address)}
secret=${shellText(secret)}
body=${shellText(message)}

id="msg_$(openssl rand -hex 16)"
time="$(date +%s)"
key="$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')"
signature="$(printf %s "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"
curl --silent --show-error --max-time 15 --write-out '\\n%{http_code}\\n' --header 'Content-Type: application/json' \\
  --header "webhook-id: $id" --header "webhook-timestamp: $time" --header "webhook-signature: v1,$signature" \\
  --data-binary "$body" "$address"
`;

const node = ({ address, secret, message }: Parts) => `// Sends an order, signed as Standard Webhooks 1.0 says. Node 20 or later, no package needed.
import { createHmac, randomUUID } from 'node:crypto';

const ADDRESS = ${JSON.stringify(address)};
const SECRET = ${JSON.stringify(secret)};

async function sendOrder(body) {
  const id = \`msg_\${randomUUID()}\`;
  const time = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest('base64');
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': \`v1,\${signature}\` };
  const answer = await fetch(ADDRESS, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) });
  return \`\${answer.status} \${await answer.text()}\`;
}

// The order as it is now, whenever it changes: JSON.stringify(message)
console.log(await sendOrder(${JSON.stringify(message)}));
`;

const php = ({ address, secret, message }: Parts) => `<?php
// Sends an order, signed as Standard Webhooks 1.0 says. PHP 8, no package needed.
const ADDRESS = ${phpText(address)};
const SECRET = ${phpText(secret)};

function sendOrder(string $body): string {
    $id = 'msg_' . bin2hex(random_bytes(16));
    $time = (string) time();
    $key = base64_decode(substr(SECRET, strlen('whsec_')), true);
    $signature = base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $headers = "Content-Type: application/json\\r\\nwebhook-id: $id\\r\\nwebhook-timestamp: $time\\r\\nwebhook-signature: v1,$signature\\r\\n";
    $options = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 15];
    $stream = fopen(ADDRESS, 'r', false, stream_context_create(['http' => $options]));
    if ($stream === false) throw new RuntimeException('no answer: send it again later');
    return stream_get_meta_data($stream)['wrapper_data'][0] . "\\n" . stream_get_contents($stream) . "\\n";
}

// The order as it is now, whenever it changes: json_encode($message, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR)
echo sendOrder(${phpText(message)});
`;

/** Any shop that signs with Standard Webhooks and sends the JSON of docs/own-shop.md. */
export const standard: Storefront = {
  name: 'standard',
  topics,
  gateways: wellKnownGateways,
  transactionComesLater: false,
  deliveriesNameStore: false,
  repeats: true,
  envelope,
  keptHeaders: ['webhook-id', 'webhook-timestamp'],
  signatures: standardSignatures,
  verify,
  verifyRequest: verify,
  normalize,
  secretProblem,
  newSecret: newStandardSecret,
  testDeliveries,
  sign,
  samples: {
    'order.paid': (given) => [testDeliveries(given)],
    'order.updated': changed('order.updated', () => ({ total: '2.40', lines: [{ ...testLine, quantity: 2, amount: '2.40' }] })),
    'order.refunded': changed('order.refunded', (at) => ({ refunds: [{ id: '1', at, amount: testMoney.total }] })),
    'order.cancelled': changed('order.cancelled', (at) => ({ status: 'cancelled', refunds: [{ id: '1', at, amount: testMoney.total }] })),
  },
  api,
  onboarding: { title: 'Standard Webhooks', snippets, connectionCode },
};

function envelope(headers: ReadonlyMap<string, string>): ReturnType<Storefront['envelope']> {
  const sentAt = instantOf(headers.get('webhook-timestamp') ?? '');
  return { topic: '', deliveryId: headers.get('webhook-id') ?? null, store: null, ...(sentAt === null ? {} : { sentAt }) };
}

/** Seconds since 1970 → ISO 8601; null for anything else. */
function instantOf(timestamp: string): string | null {
  return /^\d{1,12}$/.test(timestamp) ? new Date(Number(timestamp) * 1000).toISOString() : null;
}

function verify(delivery: Delivery, secrets: readonly string[], now: number): VerifyResult {
  return verifyStandard(
    delivery,
    secrets.flatMap((secret) => keyOf(secret) ?? []),
    now,
  );
}

/** One message. */
function testDeliveries(given: TestOrder): readonly Delivery[] {
  const {
    id,
    now,
    signedAt = now,
    secret,
    store,
    order = { type: 'order.paid', timestamp: new Date(now).toISOString(), data: { order: madeUp(given) } },
  } = given;
  return [sign({ topic: '', id: `msg_test_${id}`, store, secret, now: signedAt, body: Buffer.from(JSON.stringify(order)) })];
}

/** As Standard Webhooks says. */
function sign({ id, secret, now, body }: Unsigned): Delivery {
  const timestamp = String(Math.floor(now / 1000));
  const signature = hmac(keyOf(secret) ?? Buffer.alloc(0), [`${id}.${timestamp}.`, body]).toString('base64');
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { headers: new Map(Object.entries(headers)), body };
}

const testLine = { id: '1', name: testMoney.name, quantity: 1, amount: testMoney.total, vatRate: testMoney.rate };

/** A paid order, and what became of it a second later. */
function changed(type: string, change: (at: string) => object): Sample {
  return (given) => {
    const at = new Date(given.now + 1_000).toISOString();
    const order = { ...madeUp(given), updatedAt: at, ...change(at) };
    return [testDeliveries(given), testDeliveries({ ...given, order: { type, timestamp: at, data: { order } } })];
  };
}

function madeUp({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total, currency } = testMoney;
  return {
    ...{ id, number: testNumber(id), status: 'paid', createdAt: at, updatedAt: at, paidAt: at, currency, total },
    lines: [testLine],
    payment: { method: 'stripe', transactionId: `test_${id}` },
    refunds: [],
  };
}

type SnippetInput = { address: string; secret: string; id: string; now: number };
/** `message`: JSON, without a line break. */
type Parts = { address: string; secret: string; message: string };

/** Programs without any package that send one order, signed as Standard Webhooks 1.0 says: a shop takes the function over. */
export function snippets({ address, secret, ...order }: SnippetInput): readonly Snippet[] {
  const parts = { address, secret, message: JSON.stringify(messageOf(order)) };
  return [
    { language: 'PHP', fileName: 'send-order.php', run: 'php send-order.php', code: php(parts) },
    { language: 'Node', fileName: 'send-order.mjs', run: 'node send-order.mjs', code: node(parts) },
    { language: 'Shell', fileName: 'send-order.sh', run: 'bash send-order.sh', code: shell(parts) },
  ];
}

/** A trial order, which is taken and never recorded. */
function messageOf({ id, now }: Pick<SnippetInput, 'id' | 'now'>): object {
  const at = new Date(now).toISOString();
  const { total, currency } = testMoney;
  const order = {
    ...{ id, number: testNumber(id), status: 'paid', test: true, createdAt: at, updatedAt: at, paidAt: at, currency, total },
    lines: [testLine],
    payment: { method: 'stripe', transactionId: `test_${id}` },
    refunds: [],
  };
  return { type: 'order.paid', timestamp: at, data: { order } };
}

/** The secret is the user part of the address. */
function connectionCode({ address, secret }: { address: string; secret: string }): string {
  return address.replace('://', `://${encodeURIComponent(secret)}@`);
}

function phpText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
