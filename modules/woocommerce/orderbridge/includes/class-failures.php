<?php
/**
 * What WooCommerce does with a webhook that fails.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

defined( 'ABSPATH' ) || exit;

/**
 * After failures WooCommerce disables a webhook, which then notices no change. One that leads to a connection which was ended (410) has none to notice.
 */
final class Failures {
	/**
	 * The webhook that is delivered in this request; 0: none.
	 *
	 * @var int
	 */
	private static int $delivering = 0;

	/**
	 * What it was answered; 0: nothing.
	 *
	 * @var int
	 */
	private static int $status = 0;

	/**
	 * Hooks in where WooCommerce delivers.
	 */
	public static function hook(): void {
		add_filter( 'woocommerce_webhook_http_args', array( self::class, 'note_delivering' ), 10, 3 );
		add_filter( 'http_response', array( self::class, 'note_answer' ), 10, 3 );
		add_filter( 'woocommerce_max_webhook_delivery_failures', array( self::class, 'spare' ) );
	}

	/**
	 * Remembers which webhook is delivered.
	 *
	 * @param array<string, mixed> $args Of the request.
	 * @param mixed                $arg  What it is about.
	 * @param int                  $id   Of the webhook.
	 * @return array<string, mixed>
	 */
	public static function note_delivering( array $args, mixed $arg, int $id ): array {
		self::$delivering = $id;
		self::$status     = 0;
		return $args;
	}

	/**
	 * Remembers what it was answered.
	 *
	 * @param mixed  $response Of any request.
	 * @param mixed  $args     Of the request.
	 * @param string $url      Of the request.
	 */
	public static function note_answer( mixed $response, mixed $args, string $url ): mixed {
		if ( Webhooks::leads_to_orderbridge( $url ) ) {
			self::$status = (int) wp_remote_retrieve_response_code( $response );
		}
		return $response;
	}

	/**
	 * How many failures in a row are allowed.
	 *
	 * @param int $failures How many WooCommerce allows.
	 */
	public static function spare( $failures ): int {
		$webhook = 0 === self::$delivering || 410 === self::$status ? null : wc_get_webhook( self::$delivering );
		return null !== $webhook && Webhooks::leads_to_orderbridge( $webhook->get_delivery_url() ) ? PHP_INT_MAX : (int) $failures;
	}

	/**
	 * Leaves webhooks as if none had failed.
	 */
	public static function forgive(): void {
		foreach ( Webhooks::all() as $webhook ) {
			if ( $webhook->get_failure_count() > 0 ) {
				$webhook->set_failure_count( 0 );
				$webhook->save();
			}
		}
	}
}
