<?php
/**
 * The receipt of an order.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

defined( 'ABSPATH' ) || exit;

/**
 * Orderbridge gives a link that soon ends, which is fetched when the button is pressed, and kept nowhere.
 */
final class Receipt {
	private const ACTION = 'orderbridge_receipt';

	/**
	 * Hooks in where the button leads.
	 */
	public static function hook(): void {
		add_action( 'admin_post_' . self::ACTION, array( self::class, 'open' ) );
	}

	/**
	 * Where the button leads.
	 *
	 * @param int $order_id Of the order.
	 */
	public static function address( int $order_id ): string {
		return wp_nonce_url( admin_url( 'admin-post.php?action=' . self::ACTION . '&order=' . $order_id ), self::ACTION . $order_id );
	}

	/**
	 * Fetches the link, and leads there.
	 */
	public static function open(): void {
		$order_id = absint( $_GET['order'] ?? 0 );
		check_admin_referer( self::ACTION . $order_id );
		if ( ! current_user_can( 'edit_shop_orders' ) ) {
			wp_die( esc_html__( 'You may not see this order.', 'orderbridge' ), '', array( 'response' => 403 ) );
		}
		$webhook = Webhooks::newest();
		if ( null === $webhook ) {
			wp_die( esc_html__( 'This store is not connected to orderbridge.', 'orderbridge' ), '', array( 'response' => 404 ) );
		}
		$body     = wp_json_encode( array( 'order' => (string) $order_id ) );
		$response = wp_safe_remote_post(
			untrailingslashit( $webhook->get_delivery_url() ) . '/receipt-link',
			array(
				'timeout'     => 15,
				'redirection' => 0,
				'body'        => $body,
				'headers'     => self::headers( 'msg_' . wp_generate_uuid4(), time(), $body, array( $webhook, 'generate_signature' ) ),
			)
		);
		$answer   = wp_remote_retrieve_body( $response );
		$url      = self::link_in( (int) wp_remote_retrieve_response_code( $response ), $answer );
		if ( null === $url ) {
			$words = __( 'orderbridge gave no link: either it has no receipt of this order, or it could not be reached.', 'orderbridge' );
			wp_die( esc_html( trim( $words . ' ' . self::text_in( $answer, 'detail' ) ) ), '', array( 'response' => 502 ) );
		}
		nocache_headers();
		// phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- the link leads to orderbridge, whose host is not this store's.
		wp_redirect( $url );
		exit;
	}

	/**
	 * Signed as Standard Webhooks says.
	 *
	 * @param string                   $id        Of the message.
	 * @param int                      $timestamp In seconds.
	 * @param string                   $body      As it is sent.
	 * @param callable(string): string $sign      Base64 of the HMAC-SHA256.
	 * @return array<string, string>
	 */
	public static function headers( string $id, int $timestamp, string $body, callable $sign ): array {
		return array(
			'Content-Type'         => 'application/json',
			'webhook-id'           => $id,
			'webhook-timestamp'    => (string) $timestamp,
			'webhook-signature'    => 'v1,' . $sign( "{$id}.{$timestamp}.{$body}" ),
			'x-orderbridge-plugin' => VERSION,
		);
	}

	/**
	 * The link of an answer; null: it has none.
	 *
	 * @param int    $status Of the answer.
	 * @param string $body   Of the answer.
	 */
	public static function link_in( int $status, string $body ): ?string {
		$url = 200 === $status ? self::text_in( $body, 'url' ) : '';
		return 1 === preg_match( '#^https?://[^\s"<>\\\\]+$#i', $url ) ? $url : null;
	}

	/**
	 * A text of a JSON object; empty: it has none.
	 *
	 * @param string $body Of an answer.
	 * @param string $name Of the text.
	 */
	private static function text_in( string $body, string $name ): string {
		$answer = json_decode( $body, true );
		$text   = is_array( $answer ) ? ( $answer[ $name ] ?? '' ) : '';
		return is_string( $text ) ? $text : '';
	}
}
