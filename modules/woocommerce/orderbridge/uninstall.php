<?php
/**
 * Takes away what the plugin kept. WooCommerce's webhooks were never switched off: unless the merchant ticked otherwise, they and the REST key stay, and the store stays connected.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/class-webhooks.php';
require_once __DIR__ . '/includes/class-note.php';
require_once __DIR__ . '/includes/class-outbox.php';

// phpcs:disable WordPress.DB.DirectDatabaseQuery.DirectQuery, WordPress.DB.DirectDatabaseQuery.NoCaching, WordPress.DB.SlowDBQuery.slow_db_query_meta_key

/**
 * Removes states and document numbers, whichever storage orders have.
 */
function remove_meta(): void {
	global $wpdb;
	$orders_meta = $wpdb->prefix . 'wc_orders_meta';
	$has_table   = $orders_meta === $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $orders_meta ) ) );
	foreach ( array( Note::STATE, Note::DOCUMENT ) as $key ) {
		delete_post_meta_by_key( $key );
		if ( $has_table ) {
			$wpdb->delete( $orders_meta, array( 'meta_key' => $key ) );
		}
	}
}

/**
 * Removes the notes of orderbridge, and no others.
 */
function remove_notes(): void {
	global $wpdb;
	$last = 0;
	do {
		$notes = $wpdb->get_results( $wpdb->prepare( "SELECT comment_ID, comment_content FROM %i WHERE comment_type = 'order_note' AND comment_content LIKE %s AND comment_ID > %d ORDER BY comment_ID LIMIT 500", $wpdb->comments, '%' . $wpdb->esc_like( '(orderbridge: ' ) . '%', $last ) );
		foreach ( $notes as $note ) {
			$last = (int) $note->comment_ID;
			if ( null !== Note::parse( $note->comment_content ) ) {
				wp_delete_comment( $last, true );
			}
		}
	} while ( array() !== $notes );
}

/**
 * Takes away what one site has.
 */
function uninstall_site(): void {
	$settings = (array) get_option( 'woocommerce_orderbridge_settings', array() );
	if ( 'no' !== ( $settings['remove_meta'] ?? 'yes' ) ) {
		remove_meta();
	}
	if ( 'yes' === ( $settings['remove_notes'] ?? 'no' ) ) {
		remove_notes();
	}
	if ( 'yes' === ( $settings['disconnect'] ?? 'no' ) ) {
		Webhooks::disconnect();
	}
	Outbox::uninstall();
	foreach ( array( 'woocommerce_orderbridge_settings', 'orderbridge_taken_at', 'orderbridge_retry', 'orderbridge_silent' ) as $option ) {
		delete_option( $option );
	}
}

if ( is_multisite() ) {
	Outbox::on_each_site( __NAMESPACE__ . '\uninstall_site' );
} else {
	uninstall_site();
}
