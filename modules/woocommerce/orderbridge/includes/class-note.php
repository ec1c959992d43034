<?php
/**
 * What the notes of orderbridge say of an order.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use WC_Order;
use WP_Comment;
use WP_REST_Request;

defined( 'ABSPATH' ) || exit;

/**
 * Orderbridge writes a private note of each change by the REST API. Its last line is for programs: `(orderbridge: STATE DOCUMENT CHANGE)`.
 */
final class Note {
	public const STATE    = '_orderbridge_state';
	public const DOCUMENT = '_orderbridge_document';

	private const LINE = '/^\(orderbridge: (recorded|replaced|removed|unrecorded|review) ([\w.\/-]{1,40}) \S+\)$/';

	/**
	 * Hooks in where notes come in by the REST API: those that people write in the administration are not read.
	 */
	public static function hook(): void {
		add_action( 'woocommerce_rest_insert_order_note', array( self::class, 'keep' ), 10, 2 );
	}

	/**
	 * State and document of a note's last line; null: it is no note of orderbridge.
	 *
	 * @param string $text Of the note.
	 * @return array{state: string, document: string}|null
	 */
	public static function parse( string $text ): ?array {
		$lines = preg_split( '/\R/u', rtrim( $text ) );
		$last  = trim( (string) end( $lines ) );
		if ( 1 !== preg_match( self::LINE, $last, $found ) ) {
			return null;
		}
		return array(
			'state'    => $found[1],
			'document' => '-' === $found[2] ? '' : $found[2],
		);
	}

	/**
	 * Keeps on the order what its new note says. The order's time of change stays, so that nothing is sent because of it.
	 *
	 * @param WP_Comment      $note    The note.
	 * @param WP_REST_Request $request That brought it.
	 */
	public static function keep( WP_Comment $note, WP_REST_Request $request ): void {
		$said  = self::parse( $note->comment_content );
		$order = null === $said ? false : wc_get_order( (int) $request['order_id'] );
		if ( ! $order instanceof WC_Order || ! current_user_can( 'edit_shop_orders' ) || get_comment_meta( (int) $note->comment_ID, 'is_customer_note', true ) ) {
			return;
		}
		$order->update_meta_data( self::STATE, $said['state'] );
		$order->update_meta_data( self::DOCUMENT, $said['document'] );
		add_filter( 'woocommerce_orders_table_datastore_should_save_after_meta_change', '__return_false' );
		$order->save_meta_data();
		remove_filter( 'woocommerce_orders_table_datastore_should_save_after_meta_change', '__return_false' );
	}
}
