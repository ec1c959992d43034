import type { Snippet } from '../onboarding.ts';
import { testMoney, testNumber } from '../test-order-money.ts';

type Given = { address: string; secret: string; id: string; now: number };
/** `message`: JSON, without a line break. */
type Parts = { address: string; secret: string; message: string };

/** Programs without any package that send one order, signed as Standard Webhooks 1.0 says: a shop takes the function over. */
export function snippets({ address, secret, ...order }: Given): readonly Snippet[] {
  const parts = { address, secret, message: JSON.stringify(messageOf(order)) };
  return [
    { language: 'PHP', fileName: 'send-order.php', run: 'php send-order.php', code: php(parts) },
    { language: 'Node', fileName: 'send-order.mjs', run: 'node send-order.mjs', code: node(parts) },
    { language: 'Shell', fileName: 'send-order.sh', run: 'bash send-order.sh', code: shell(parts) },
  ];
}

/** A trial order, which is taken and never recorded. */
function messageOf({ id, now }: Pick<Given, 'id' | 'now'>): object {
  const at = new Date(now).toISOString();
  const { total, rate: vatRate, currency, name } = testMoney;
  const order = {
    ...{ id, number: testNumber(id), status: 'paid', test: true, createdAt: at, updatedAt: at, paidAt: at, currency, total },
    lines: [{ id: '1', name, quantity: 1, amount: total, vatRate }],
    payment: { method: 'stripe', transactionId: `test_${id}` },
    refunds: [],
  };
  return { type: 'order.paid', timestamp: at, data: { order } };
}

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

function phpText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
