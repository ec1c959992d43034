<?php
/**
 * The box on the screen of an order, and the column of the list.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use WC_Order;
use WP_Post;

defined( 'ABSPATH' ) || exit;

/**
 * Orders are rows of WooCommerce's own tables (HPOS) or posts: the screens have other names, and the hooks other arguments.
 */
final class Order_Screen {
	private const COLUMN = 'orderbridge';

	/** Colours that WooCommerce's own states of orders have. */
	private const COLOURS = array(
		'recorded'   => 'status-processing',
		'replaced'   => 'status-processing',
		'removed'    => 'status-cancelled',
		'unrecorded' => 'status-cancelled',
		'review'     => 'status-on-hold',
	);

	/**
	 * Hooks in on both kinds of screens.
	 */
	public static function hook(): void {
		// After WooCommerce's own, so that it is below the actions and above the notes.
		add_action( 'add_meta_boxes', array( self::class, 'add_box' ), 40 );
		foreach ( array( 'edit-shop_order', 'woocommerce_page_wc-orders' ) as $screen ) {
			add_filter( "manage_{$screen}_columns", array( self::class, 'add_column' ) );
		}
		add_action( 'manage_shop_order_posts_custom_column', array( self::class, 'show_cell' ), 10, 2 );
		add_action( 'manage_woocommerce_page_wc-orders_custom_column', array( self::class, 'show_cell' ), 10, 2 );
	}

	/**
	 * Adds the box.
	 */
	public static function add_box(): void {
		add_meta_box( 'orderbridge', 'orderbridge', array( self::class, 'show_box' ), wc_get_page_screen_id( 'shop-order' ), 'side', 'high' );
	}

	/**
	 * Adds the column after that of the order's status.
	 *
	 * @param array<string, string> $columns Of the list.
	 * @return array<string, string>
	 */
	public static function add_column( array $columns ): array {
		$at = array_search( 'order_status', array_keys( $columns ), true );
		$at = false === $at ? count( $columns ) : $at + 1;
		return array_slice( $columns, 0, $at, true ) + array( self::COLUMN => 'orderbridge' ) + array_slice( $columns, $at, null, true );
	}

	/**
	 * Shows a cell of the column.
	 *
	 * @param string       $column Of the list.
	 * @param WC_Order|int $order  Or its id.
	 */
	public static function show_cell( string $column, WC_Order|int $order ): void {
		$order = self::COLUMN === $column ? wc_get_order( $order ) : false;
		if ( $order instanceof WC_Order ) {
			self::show_state( $order );
		}
	}

	/**
	 * Shows the box.
	 *
	 * @param WC_Order|WP_Post $shown What the screen is of.
	 */
	public static function show_box( WC_Order|WP_Post $shown ): void {
		$order = $shown instanceof WP_Post ? wc_get_order( $shown->ID ) : $shown;
		if ( ! $order instanceof WC_Order ) {
			return;
		}
		$state = (string) $order->get_meta( Note::STATE );
		if ( isset( self::COLOURS[ $state ] ) ) {
			echo '<p>';
			self::show_state( $order );
			echo '</p>';
		} else {
			echo '<p>' . esc_html__( 'Nothing is known of this order yet. States come from the notes of orderbridge: they must be switched on there.', 'orderbridge' ) . '</p>';
		}
		if ( 'review' === $state ) {
			echo '<p>' . esc_html__( 'A person must decide. The note of the order says why.', 'orderbridge' ) . '</p>';
		}
		if ( 'review' !== $state && 'removed' !== $state && null !== Webhooks::newest() ) {
			echo '<p><a class="button" target="_blank" rel="noreferrer" href="' . esc_url( Receipt::address( $order->get_id() ) ) . '">' . esc_html__( 'Open the receipt', 'orderbridge' ) . '</a></p>';
		}
	}

	/**
	 * Shows state and document number.
	 *
	 * @param WC_Order $order Whose.
	 */
	private static function show_state( WC_Order $order ): void {
		$state    = (string) $order->get_meta( Note::STATE );
		$document = (string) $order->get_meta( Note::DOCUMENT );
		$colour   = self::COLOURS[ $state ] ?? null;
		if ( null === $colour ) {
			return;
		}
		echo '<mark class="order-status ' . esc_attr( $colour ) . '"><span>' . esc_html( self::name( $state ) ) . '</span></mark>';
		if ( '' !== $document ) {
			/* translators: %s: number of the document. */
			echo ' <span>' . esc_html( sprintf( __( 'document %s', 'orderbridge' ), $document ) ) . '</span>';
		}
	}

	/**
	 * What people call a state.
	 *
	 * @param string $state Of an order.
	 */
	private static function name( string $state ): string {
		return match ( $state ) {
			'recorded'   => __( 'Recorded', 'orderbridge' ),
			'replaced'   => __( 'Replaced', 'orderbridge' ),
			'removed'    => __( 'Removed', 'orderbridge' ),
			'unrecorded' => __( 'Not recorded', 'orderbridge' ),
			default      => __( 'In review', 'orderbridge' ),
		};
	}
}
