import type { Gateways } from '../order/facts/settings.ts';

/**
 * Ids under which plugins of several platforms name online processors; only those that certainly are one; the merchant maps the others. An id that one
 * platform alone writes belongs into its own folder: an entry here changes what stores of every platform are recorded with.
 */
export const wellKnownGateways: Gateways = {
  'Shopify Payments': ['shopify_payments'],
  WooPayments: ['woocommerce_payments', 'woocommerce_payments_apple_pay', 'woocommerce_payments_google_pay'],
  Stripe: [
    ...['stripe', 'stripe_cc', 'stripe_applepay', 'stripe_googlepay', 'stripe_payment_request', 'stripe_link', 'stripe_link_checkout', 'stripe_upm'],
    ...['stripe_alipay', 'stripe_bancontact', 'stripe_blik', 'stripe_eps', 'stripe_giropay', 'stripe_ideal', 'stripe_klarna', 'stripe_multibanco'],
    ...['stripe_p24', 'stripe_sepa', 'stripe_sepa_debit', 'stripe_sofort', 'stripe_wechat', 'stripe_wechat_pay'],
  ],
  PayPal: [
    ...['paypal', 'paypal_express', 'ppec_paypal', 'eh_paypal_express', 'ppcp-gateway', 'ppcp-credit-card-gateway', 'ppcp-card-button-gateway'],
    ...['ppcp-applepay', 'ppcp-googlepay', 'ppcp-axo-gateway'],
  ],
  Braintree: ['braintree', 'braintree_credit_card', 'braintree_cc', 'braintree_paypal', 'braintree_applepay', 'braintree_googlepay'],
  myPOS: ['mypos', 'mypos_virtual'],
  Klarna: ['klarna', 'klarna_payments', 'klarna_checkout', 'kco'],
  Revolut: ['revolut', 'revolut_cc', 'revolut_pay', 'revolut_payment_request'],
  Mollie: [
    ...['mollie', 'mollie_wc_gateway_creditcard', 'mollie_wc_gateway_applepay', 'mollie_wc_gateway_bancontact', 'mollie_wc_gateway_belfius'],
    ...['mollie_wc_gateway_eps', 'mollie_wc_gateway_giropay', 'mollie_wc_gateway_ideal', 'mollie_wc_gateway_kbc', 'mollie_wc_gateway_klarna'],
    ...['mollie_wc_gateway_klarnapaylater', 'mollie_wc_gateway_klarnapaynow', 'mollie_wc_gateway_klarnasliceit', 'mollie_wc_gateway_paypal'],
    ...['mollie_wc_gateway_przelewy24', 'mollie_wc_gateway_sofort'],
  ],
  Adyen: ['adyen', 'woosa_adyen_credit_card', 'woosa_adyen_applepay', 'woosa_adyen_googlepay'],
  Square: ['square', 'square_credit_card', 'square_cash_app_pay'],
  Worldpay: ['worldpay', 'access_worldpay_checkout', 'access_worldpay_hpp'],
  'Checkout.com': ['checkout_com', 'wc_checkout_com_cards', 'wc_checkout_com_apple_pay', 'wc_checkout_com_google_pay'],
  'Amazon Pay': ['amazon_payments', 'amazon_payments_advanced'],
  'Authorize.net': ['authorize_net', 'authorize_net_cim_credit_card'],
  'Viva Wallet': ['vivawallet', 'vivawallet_native', 'vivacom_smart'],
};
