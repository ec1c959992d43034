/** The names that the form has for the topics that every store needs, in its order. */
const FORM_TOPICS = ['Order created', 'Order updated', 'Order deleted', 'Order restored'] as const;

/** WordPress sends to no other port. */
const PORTS = ['', '80', '443', '8080'];
const PRIVATE =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|\[(::1?|f[cde].*)\]|[^.[]*|(127|10|0)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/;

/** How a merchant makes the webhooks by hand; what is wrong with the address comes first. */
export function connectSteps(address: string): readonly string[] {
  return [
    ...problemsOf(address),
    'WooCommerce → Settings → Advanced → Webhooks → Add webhook: four webhooks, one form each. In each form:',
    '  Status: Active (the form begins with “Disabled”, and says nothing if it is left so)',
    `  Topic: ${FORM_TOPICS.join('; ')}: one of them in each of the four`,
    `  Delivery URL: ${address}`,
    '  Secret: the one that you gave here, the same in all four',
    '  API version: “WP REST API Integration v3”, not a legacy one',
    '“Webhook updated successfully” does not mean that the secret is right: the first order shows it.',
    'WooCommerce sends when a page of the shop is visited: a test order may take minutes until then.',
  ];
}

function problemsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const wrong = [
    ...(PORTS.includes(url.port) ? [] : [`its port is ${url.port}: WordPress sends to 443, 80 and 8080 alone`]),
    ...(PRIVATE.test(url.hostname) ? [`${url.hostname} is no public host: WordPress refuses it (“A valid URL was not provided”), and sends nothing`] : []),
    ...(url.protocol === 'https:' ? [] : ['it is not https: everybody on the way could read the orders']),
  ];
  return wrong.length === 0 ? [] : [`No store can use this address (PUBLIC_URL): ${wrong.join('; ')}.`];
}
