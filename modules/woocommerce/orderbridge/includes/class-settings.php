<?php
/**
 * The page of the plugin: WooCommerce → Settings → Integration → orderbridge.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use WC_Integration;

defined( 'ABSPATH' ) || exit;

/**
 * The merchant's link is a key: it is used when the button is pressed, and kept nowhere.
 */
final class Settings extends WC_Integration {
	/**
	 * Names the page and its settings.
	 */
	public function __construct() {
		$this->id                 = 'orderbridge';
		$this->method_title       = 'orderbridge';
		$this->method_description = __( 'Each paid order of this store becomes a tax record. The box and the column of orders show what was recorded.', 'orderbridge' );
		$this->init_form_fields();
		$this->init_settings();
		add_action( 'woocommerce_update_options_integration_orderbridge', array( $this, 'process_admin_options' ) );
	}

	/**
	 * The settings.
	 */
	public function init_form_fields(): void {
		$this->form_fields = array(
			'sending'      => array(
				'title'       => __( 'Sending', 'orderbridge' ),
				'type'        => 'checkbox',
				'default'     => 'no',
				'label'       => __( 'The plugin sends the orders, and tries again until orderbridge has taken them', 'orderbridge' ),
				'description' => __( 'WooCommerce’s webhooks send each change once. They stop sending as soon as orderbridge has taken the first message of the plugin, and send again when nothing is taken for 15 minutes, or when the plugin is switched off.', 'orderbridge' ),
			),
			'remove_meta'  => array(
				'title'   => __( 'When the plugin is deleted', 'orderbridge' ),
				'type'    => 'checkbox',
				'default' => 'yes',
				'label'   => __( 'Remove states and document numbers from the orders', 'orderbridge' ),
			),
			'remove_notes' => array(
				'type'    => 'checkbox',
				'default' => 'no',
				'label'   => __( 'Remove the notes of orderbridge from the orders, too', 'orderbridge' ),
			),
			'disconnect'   => array(
				'type'    => 'checkbox',
				'default' => 'no',
				'label'   => __( 'End the connection, too: remove the webhooks and the REST key of orderbridge. No order is recorded any more', 'orderbridge' ),
			),
		);
	}

	/**
	 * Shows the page.
	 */
	public function admin_options(): void {
		$webhooks = array_filter( Webhooks::all(), static fn( \WC_Webhook $webhook ): bool => 'active' === $webhook->get_status() );
		if ( array() === $webhooks ) {
			$this->show_connect();
		} else {
			$this->show_connected( count( $webhooks ) );
		}
		parent::admin_options();
	}

	/**
	 * Saves the settings, or leads to orderbridge. WooCommerce has checked the form's nonce and the user's rights.
	 */
	public function process_admin_options(): bool {
		// phpcs:ignore WordPress.Security.NonceVerification.Missing -- WC_Admin_Settings::save() has checked it.
		$link = sanitize_url( wp_unslash( $_POST['orderbridge_link'] ?? '' ) );
		$url  = '' === $link ? null : Webhooks::connect_address( $link, home_url() );
		if ( null !== $url ) {
			// phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- the merchant's own link, whose host is not this store's.
			wp_redirect( $url );
			exit;
		}
		if ( '' !== $link ) {
			\WC_Admin_Settings::add_error( __( 'This is not a link of an invitation. It looks like https://…/connect/…', 'orderbridge' ) );
		}
		$was   = is_ticked( 'sending' );
		$saved = parent::process_admin_options();
		if ( $was && ! is_ticked( 'sending' ) ) {
			// What waits is still sent.
			Failures::forgive();
		}
		return $saved;
	}

	/**
	 * Shows the button that leads to orderbridge.
	 */
	private function show_connect(): void {
		echo '<h2>' . esc_html__( 'Connect this store', 'orderbridge' ) . '</h2>';
		$link = defined( 'ORDERBRIDGE_LINK' ) ? Webhooks::connect_address( (string) constant( 'ORDERBRIDGE_LINK' ), home_url() ) : null;
		if ( null !== $link ) {
			echo '<p><a class="button button-primary" href="' . esc_url( $link ) . '">' . esc_html__( 'Connect', 'orderbridge' ) . '</a></p>';
			return;
		}
		echo '<p><label for="orderbridge_link">' . esc_html__( 'The link of your invitation', 'orderbridge' ) . '</label><br>';
		echo '<input type="url" class="regular-text" id="orderbridge_link" name="orderbridge_link" autocomplete="off" placeholder="https://…/connect/…"> ';
		echo '<button type="submit" class="button button-primary" name="save" value="connect">' . esc_html__( 'Connect', 'orderbridge' ) . '</button></p>';
	}

	/**
	 * Shows that the store is connected, and who sends.
	 *
	 * @param int $webhooks How many lead to orderbridge and are active.
	 */
	private function show_connected( int $webhooks ): void {
		/* translators: %d: how many webhooks. */
		$words = _n( 'This store is connected: %d webhook leads to orderbridge.', 'This store is connected: %d webhooks lead to orderbridge.', $webhooks, 'orderbridge' );
		echo '<p>' . esc_html( sprintf( $words, $webhooks ) ) . '</p>';
		$waiting = Outbox::count();
		if ( is_ticked( 'sending' ) ) {
			self::show_sender();
		} elseif ( 0 === $waiting ) {
			return;
		}
		/* translators: %d: how many messages. */
		$words = _n( '%d message waits to be sent.', '%d messages wait to be sent.', $waiting, 'orderbridge' );
		echo '<p>' . esc_html( sprintf( $words, $waiting ) ) . '</p>';
	}

	/**
	 * Shows who sends.
	 */
	private static function show_sender(): void {
		$taken = Sender::taken_at();
		if ( Sender::needs_webhooks() ) {
			echo '<p>' . esc_html( null === $taken ? __( 'WooCommerce’s webhooks send, too, until orderbridge has taken the first message of the plugin.', 'orderbridge' ) : __( 'orderbridge takes nothing from the plugin: WooCommerce’s webhooks send, too.', 'orderbridge' ) ) . '</p>';
		} else {
			echo '<p>' . esc_html__( 'The plugin sends, in place of WooCommerce’s webhooks.', 'orderbridge' ) . '</p>';
		}
	}
}
