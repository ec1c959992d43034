import { quoted, type Said } from '../../../contract/said.ts';

/** The names that the form has for the topics that every store needs, in its order. */
const FORM_TOPICS = ['Order created', 'Order updated', 'Order deleted', 'Order restored'] as const;

/** WordPress sends to no other port. */
const PORTS = ['', '80', '443', '8080'];
const PRIVATE =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|\[(::1?|f[cde].*)\]|[^.[]*|(127|10|0)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/;

/** How a merchant makes the webhooks by hand; what is wrong with the address comes first. */
export function connectSteps(address: string): readonly Said[] {
  return [
    ...problemsOf(address),
    {
      en: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook: four webhooks, one form each. In each form:',
      bg: 'WooCommerce → Settings → Advanced → Webhooks → Add webhook: четири известия, всяко със свой формуляр. Във всеки формуляр:',
    },
    {
      en: '  Status: Active (the form begins with “Disabled”, and says nothing if it is left so)',
      bg: '  Status: Active (формулярът започва с „Disabled“ и не предупреждава, ако остане така)',
    },
    {
      en: `  Topic: ${FORM_TOPICS.join('; ')}: one of them in each of the four`,
      bg: `  Topic: ${FORM_TOPICS.join('; ')}: във всяко от четирите по една`,
    },
    quoted(`  Delivery URL: ${address}`),
    { en: '  Secret: the one that you gave here, the same in all four', bg: '  Secret: тайната, която дадохте тук, една и съща и в четирите' },
    { en: '  API version: “WP REST API Integration v3”, not a legacy one', bg: '  API version: „WP REST API Integration v3“, а не някоя от старите' },
    {
      en: '“Webhook updated successfully” does not mean that the secret is right: the first order shows it.',
      bg: '„Webhook updated successfully“ не означава, че тайната е вярна: показва го първата поръчка.',
    },
    {
      en: 'WooCommerce sends when a page of the shop is processed: a test order may take minutes until then.',
      bg: 'WooCommerce изпраща, когато някой отвори страница на магазина: дотогава пробна поръчка може да се забави с минути.',
    },
  ];
}

function problemsOf(address: string): Said[] {
  const url = URL.parse(address);
  if (url === null) return [];
  const wrong: Said[] = [
    ...(PORTS.includes(url.port) ? [] : [wrongPort(url.port)]),
    ...(PRIVATE.test(url.hostname) ? [noPublicHost(url.hostname)] : []),
    ...(url.protocol === 'https:' ? [] : [NOT_HTTPS]),
  ];
  if (wrong.length === 0) return [];
  return [
    {
      en: `No store can use this address (PUBLIC_URL): ${wrong.map(({ en }) => en).join('; ')}.`,
      bg: `Никой магазин не може да използва този адрес (PUBLIC_URL): ${wrong.map(({ bg }) => bg).join('; ')}.`,
    },
  ];
}

function wrongPort(port: string): Said {
  return { en: `its port is ${port}: WordPress sends to 443, 80 and 8080 alone`, bg: `портът му е ${port}, а WordPress изпраща само до 443, 80 и 8080` };
}

function noPublicHost(host: string): Said {
  return {
    en: `${host} is no public host: WordPress refuses it (“A valid URL was not provided”), and sends nothing`,
    bg: `${host} не е публичен хост: WordPress го отказва („A valid URL was not provided“) и не изпраща нищо`,
  };
}

const NOT_HTTPS: Said = { en: 'it is not https: everybody on the way could read the orders', bg: 'не е https: всеки по пътя би могъл да прочете поръчките' };
