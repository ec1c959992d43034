/** What the store sells, as webhooks name it. */
export const orderTopics = ['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/delete', 'refunds/create', 'order_transactions/create'] as const;

/** What becomes of the app in the store. */
export const appTopics = ['app/uninstalled', 'app/scopes_update'] as const;

/** Privacy requests, which the app's configuration alone can subscribe to. */
export const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;

/** Those that can be subscribed to by the API: also two that nobody here needs, for they bring no more than orders/updated does. */
export const apiTopics: readonly string[] = [...orderTopics, 'orders/create', 'orders/edited', ...appTopics];

/** The topic as the API names it (ORDERS_PAID). */
export function apiName(topic: string): string {
  return topic.toUpperCase().replace('/', '_');
}
