<?php
/**
 * One message, as WooCommerce would deliver it.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use Throwable;
use WC_Webhook;

defined( 'ABSPATH' ) || exit;

/**
 * Makes bodies and sends them; one header says that the plugin does.
 */
final class Delivery {
	/**
	 * What WooCommerce would send; null: it could not be made.
	 *
	 * @param WC_Webhook  $webhook To deliver.
	 * @param mixed       $arg     What it is about.
	 * @param object|null $row     Of the outbox, where the body of an order is kept that is there no more, perhaps since a moment ago.
	 */
	public static function body( WC_Webhook $webhook, mixed $arg, ?object $row = null ): ?string {
		// Another process may have changed the order since this one read it.
		if ( wp_cache_supports( 'flush_runtime' ) ) {
			wp_cache_flush_runtime();
		}
		try {
			$payload = $webhook->build_payload( $arg );
		} catch ( Throwable $thrown ) {
			self::log( sprintf( 'webhook %d, %s: %s %s', $webhook->get_id(), $arg, $thrown::class, $thrown->getCode() ) );
			return null;
		}
		$code = is_array( $payload ) ? (string) ( $payload['code'] ?? '' ) : '';
		if ( 'rest_no_route' === $code ) {
			return null;
		}
		$kept = null !== $row && str_ends_with( $code, '_invalid_id' ) ? Outbox::kept( $row ) : null;
		return $kept ?? trim( wp_json_encode( $payload ) );
	}

	/**
	 * Sends as WooCommerce does.
	 *
	 * @param WC_Webhook $webhook To deliver.
	 * @param mixed      $arg     What it is about.
	 * @param string     $body    To send.
	 * @return array<string, mixed>|\WP_Error
	 */
	public static function send( WC_Webhook $webhook, mixed $arg, string $body ): mixed {
		$args = array(
			'method'      => 'POST',
			'timeout'     => 15,
			'redirection' => 0,
			'user-agent'  => sprintf( 'WooCommerce/%s Hookshot (WordPress/%s)', WC()->version, get_bloginfo( 'version' ) ),
			'body'        => $body,
			'headers'     => array( 'Content-Type' => 'application/json' ),
			'cookies'     => array(),
		);
		// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- as WooCommerce does, so that what others add is sent.
		$args            = apply_filters( 'woocommerce_webhook_http_args', $args, $arg, $webhook->get_id() );
		$args['headers'] = array_merge(
			(array) $args['headers'],
			array(
				'X-WC-Webhook-Source'      => home_url( '/' ),
				'X-WC-Webhook-Topic'       => $webhook->get_topic(),
				'X-WC-Webhook-Resource'    => $webhook->get_resource(),
				'X-WC-Webhook-Event'       => $webhook->get_event(),
				'X-WC-Webhook-Signature'   => $webhook->generate_signature( $args['body'] ),
				'X-WC-Webhook-ID'          => $webhook->get_id(),
				'X-WC-Webhook-Delivery-ID' => $webhook->get_new_delivery_id(),
				'x-orderbridge-plugin'     => VERSION,
			)
		);
		return wp_safe_remote_request( $webhook->get_delivery_url(), $args );
	}

	/**
	 * Writes a line under WooCommerce → Status → Logs.
	 *
	 * @param string $line Without a buyer's data.
	 */
	public static function log( string $line ): void {
		wc_get_logger()->warning( $line, array( 'source' => 'orderbridge' ) );
	}
}
