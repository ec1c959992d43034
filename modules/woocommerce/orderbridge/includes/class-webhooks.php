<?php
/**
 * How this store is connected.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use WC_Data_Store;
use WC_Webhook;

defined( 'ABSPATH' ) || exit;

/**
 * Orderbridge makes the webhooks when the store is connected; their address and secret are all that the plugin needs to know.
 */
final class Webhooks {
	private const ADDRESS = '#^https?://[^\s?\#]+/webhooks/woocommerce/c_[0-9a-f]{24}/?$#i';

	/**
	 * Whether an address is that of a connection at orderbridge, whatever its server is called.
	 *
	 * @param string $url Delivery address of a webhook.
	 */
	public static function leads_to_orderbridge( string $url ): bool {
		return 1 === preg_match( self::ADDRESS, $url );
	}

	/**
	 * The page of orderbridge for this store; null: the link is not that of an invitation.
	 *
	 * @param string $link  Of the invitation.
	 * @param string $store Address of this store.
	 */
	public static function connect_address( string $link, string $store ): ?string {
		if ( 1 !== preg_match( '#^https?://[^\s?\#]+/connect/[\w-]{20,}#', $link, $found ) ) {
			return null;
		}
		$query = array(
			'platform' => 'woocommerce',
			'address'  => $store,
		);
		return $found[0] . '/store?' . http_build_query( $query, '', '&', PHP_QUERY_RFC3986 );
	}

	/**
	 * The newest webhook that leads to orderbridge and is active, else the newest; null: the store is not connected.
	 */
	public static function newest(): ?WC_Webhook {
		$all = self::all();
		foreach ( $all as $webhook ) {
			if ( 'active' === $webhook->get_status() ) {
				return $webhook;
			}
		}
		return $all[0] ?? null;
	}

	/**
	 * The webhook that something waits for or, if orderbridge has replaced it, the newest of its topic; null: there is none any more.
	 *
	 * @param int    $id    Of the webhook.
	 * @param string $topic Of the webhook.
	 */
	public static function of( int $id, string $topic ): ?WC_Webhook {
		$same = null;
		foreach ( self::all() as $webhook ) {
			if ( $webhook->get_id() === $id ) {
				return $webhook;
			}
			if ( null === $same && $webhook->get_topic() === $topic ) {
				$same = $webhook;
			}
		}
		return $same;
	}

	/**
	 * Takes the webhooks that lead to orderbridge, and the REST keys that it got by WooCommerce's page of approval, whose descriptions that page writes.
	 */
	public static function disconnect(): void {
		global $wpdb;
		// phpcs:disable WordPress.DB.DirectDatabaseQuery.DirectQuery, WordPress.DB.DirectDatabaseQuery.NoCaching -- WooCommerce has no function for it, or is switched off.
		foreach ( class_exists( 'WC_Data_Store' ) ? self::all() : array() as $webhook ) {
			$webhook->delete( true );
		}
		$webhooks = "{$wpdb->prefix}wc_webhooks";
		if ( $webhooks !== $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $webhooks ) ) ) ) {
			return;
		}
		foreach ( $wpdb->get_results( $wpdb->prepare( 'SELECT webhook_id, delivery_url FROM %i', $webhooks ) ) as $row ) {
			if ( self::leads_to_orderbridge( $row->delivery_url ) ) {
				$wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE webhook_id = %d', $webhooks, $row->webhook_id ) );
			}
		}
		// WooCommerce keeps the ids of each status.
		foreach ( array( '', '_status_active', '_status_paused', '_status_disabled' ) as $kept ) {
			delete_transient( "woocommerce_webhook_ids{$kept}" );
		}
		$wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE description LIKE %s', $wpdb->prefix . 'woocommerce_api_keys', 'orderbridge - API (%' ) );
		// phpcs:enable
	}

	/**
	 * All webhooks that lead to orderbridge, newest first.
	 *
	 * @return WC_Webhook[]
	 */
	public static function all(): array {
		$all = array();
		foreach ( WC_Data_Store::load( 'webhook' )->get_webhooks_ids() as $id ) {
			$webhook = wc_get_webhook( $id );
			if ( null !== $webhook && self::leads_to_orderbridge( $webhook->get_delivery_url() ) ) {
				$all[] = $webhook;
			}
		}
		return $all;
	}
}
