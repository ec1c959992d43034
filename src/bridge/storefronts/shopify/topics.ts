/** What the store sells, as webhooks name it. */
export const orderTopics = ['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/delete', 'refunds/create', 'order_transactions/create'] as const;

/** What becomes of the app in the store. */
export const appTopics = ['app/uninstalled', 'app/scopes_update'] as const;

/** Privacy requests, which the app's configuration alone can subscribe to. */
export const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const;
