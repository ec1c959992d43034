/** An answer of the stand-in; `body` text is sent as HTML, anything else as JSON. */
export type WooAnswer = { status: number; body: unknown; headers?: Record<string, string> };

export function wooProblem(status: number, code: string, message: string): WooAnswer {
  return { status, body: { code, message, data: { status } } };
}

export const badParameter = (name: string) => wooProblem(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`);
export const notFound = (what: string) => wooProblem(404, `woocommerce_rest_${what}_invalid_id`, 'Invalid ID.');
export const noRoute = wooProblem(404, 'rest_no_route', 'No route was found matching the URL and request method.');
export const cannotView = (status: 401 | 403) => wooProblem(status, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
export const keyError = (message: string) => wooProblem(401, 'woocommerce_rest_authentication_error', message);
