<?php
/**
 * Plugin Name:          orderbridge for WooCommerce
 * Description:          Shows on each order what orderbridge recorded of it, opens the receipt, connects the store by one button, and sends orders with retries.
 * Version:              0.1.0
 * Requires at least:    6.8
 * Requires PHP:         8.2
 * Requires Plugins:     woocommerce
 * Author:               orderbridge
 * License:              MIT
 * License URI:          https://opensource.org/license/mit
 * Text Domain:          orderbridge
 * Domain Path:          /languages
 * WC requires at least: 8.2
 * WC tested up to:      10.5
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

defined( 'ABSPATH' ) || exit;

const VERSION  = '0.1.0';
const SETTINGS = 'woocommerce_orderbridge_settings';

require_once __DIR__ . '/includes/class-webhooks.php';
require_once __DIR__ . '/includes/class-note.php';
require_once __DIR__ . '/includes/class-order-screen.php';
require_once __DIR__ . '/includes/class-receipt.php';
require_once __DIR__ . '/includes/class-rhythm.php';
require_once __DIR__ . '/includes/class-outbox.php';
require_once __DIR__ . '/includes/class-delivery.php';
require_once __DIR__ . '/includes/class-failures.php';
require_once __DIR__ . '/includes/class-sender.php';

/**
 * Whether the merchant ticked a setting.
 *
 * @param string $name Of the setting.
 */
function is_ticked( string $name ): bool {
	return 'yes' === ( ( (array) get_option( SETTINGS, array() ) )[ $name ] ?? '' );
}

register_activation_hook( __FILE__, array( Outbox::class, 'install' ) );
register_deactivation_hook( __FILE__, array( Sender::class, 'stop' ) );

add_action(
	'before_woocommerce_init',
	static function (): void {
		FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__, true );
		FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', __FILE__, true );
	}
);

add_action(
	'woocommerce_loaded',
	static function (): void {
		Note::hook();
		Order_Screen::hook();
		Receipt::hook();
		Sender::hook();
	}
);

add_filter(
	'woocommerce_integrations',
	static function ( array $integrations ): array {
		require_once __DIR__ . '/includes/class-settings.php';
		return array( ...$integrations, Settings::class );
	}
);

add_filter(
	'plugin_action_links_' . plugin_basename( __FILE__ ),
	static function ( array $links ): array {
		$url = admin_url( 'admin.php?page=wc-settings&tab=integration&section=orderbridge' );
		return array( '<a href="' . esc_url( $url ) . '">' . esc_html__( 'Settings', 'orderbridge' ) . '</a>', ...$links );
	}
);

add_action(
	'after_plugin_row_' . plugin_basename( __FILE__ ),
	static function (): void {
		$waiting = Outbox::count();
		if ( 0 === $waiting ) {
			return;
		}
		/* translators: %d: how many messages. */
		$words = _n( '%d message to orderbridge waits to be sent. If you deactivate the plugin, WooCommerce tries once more to send it; if you then delete the plugin, nothing sends it again.', '%d messages to orderbridge wait to be sent. If you deactivate the plugin, WooCommerce tries once more to send them; if you then delete the plugin, nothing sends them again.', $waiting, 'orderbridge' );
		echo '<tr class="plugin-update-tr active"><td colspan="4" class="plugin-update colspanchange"><div class="notice inline notice-warning notice-alt"><p>' . esc_html( sprintf( $words, $waiting ) ) . '</p></div></td></tr>';
	}
);
