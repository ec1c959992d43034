<?php
/**
 * What is gone once the plugin is deleted, and what stays.
 *
 * @package Orderbridge
 */

use Orderbridge\Outbox;
use Orderbridge\Test\ShopDatabase;
use PHPUnit\Framework\TestCase;

final class UninstallTest extends TestCase {
	private const TABLES   = array(
		'postmeta (meta_key varchar(50))',
		'wc_orders_meta (meta_key varchar(50))',
		'comments (comment_ID int, comment_type varchar(20), comment_content text)',
		'wc_webhooks (webhook_id int, delivery_url text)',
		'woocommerce_api_keys (description varchar(200))',
	);
	private const META     = array( '_orderbridge_state', '_orderbridge_document', '_other' );
	private const NOTES    = array(
		1 => "Recorded as document 7\n(orderbridge: recorded 7 3f2a)",
		2 => 'Asked orderbridge. (orderbridge: see above)',
		3 => 'Paid by card',
	);
	private const WEBHOOKS = array(
		1 => 'https://tax.example/webhooks/woocommerce/c_000000000000000000000001',
		2 => 'https://erp.example/webhooks/woocommerce/123',
	);
	private const KEYS     = array( 'orderbridge - API (2026-12-01 07:30:00)', 'Zapier - API (2026-12-01 07:30:00)' );

	public function test_of_each_site_goes_what_the_plugin_kept_and_what_its_merchant_ticked(): void {
		$folder = sys_get_temp_dir() . '/orderbridge-' . bin2hex( random_bytes( 6 ) );
		mkdir( $folder );
		$database        = ShopDatabase::start( $folder );
		$GLOBALS['wpdb'] = new wpdb( $database );
		$ticked          = array( 'remove_notes' => 'yes', 'disconnect' => 'yes' );
		Store::$webhooks = array();
		Store::$options  = self::options( array() );
		Store::$sites    = array( 2 => self::options( $ticked ), 3 => self::options( array( 'remove_meta' => 'no' ) ) );
		Outbox::on_each_site( fn() => self::fill( $database ) );

		define( 'WP_UNINSTALL_PLUGIN', 'orderbridge/orderbridge.php' );
		require __DIR__ . '/../orderbridge/uninstall.php';

		$left = array();
		foreach ( array( 'wp_', 'wp_2_', 'wp_3_' ) as $prefix ) {
			$left[] = self::left( $database, $prefix );
		}
		$database->stop();
		exec( 'rm -rf ' . escapeshellarg( $folder ) );
		$everything = array( array( '_other' ), array( '_other' ), array( 1, 2, 3 ), array( 1, 2 ), self::KEYS, array() );
		$of_others  = array( array( '_other' ), array( '_other' ), array( 2, 3 ), array( 2 ), array( self::KEYS[1] ), array() );
		$with_meta  = array( self::META, self::META, array( 1, 2, 3 ), array( 1, 2 ), self::KEYS, array() );
		$this->assertSame( array( $everything, $of_others, $with_meta ), $left );
		$of_shop = array( 'blogname' => 'Shop' );
		$this->assertSame( array( $of_shop, array( 2 => $of_shop, 3 => $of_shop ) ), array( Store::$options, Store::$sites ) );
	}

	private static function options( array $settings ): array {
		$kept = array( 'orderbridge_taken_at' => 1, 'orderbridge_retry' => 1, 'orderbridge_silent' => 1 );
		return array( 'blogname' => 'Shop', 'woocommerce_orderbridge_settings' => $settings ) + $kept;
	}

	private static function fill( ShopDatabase $database ): void {
		global $wpdb;
		$prefix = $wpdb->prefix;
		Outbox::install();
		foreach ( self::TABLES as $table ) {
			$database->query( "CREATE TABLE {$prefix}{$table}" );
		}
		foreach ( self::META as $key ) {
			$database->query( "INSERT INTO {$prefix}postmeta VALUES ('{$key}')" );
			$database->query( "INSERT INTO {$prefix}wc_orders_meta VALUES ('{$key}')" );
		}
		foreach ( self::NOTES as $id => $text ) {
			$wpdb->query( $wpdb->prepare( 'INSERT INTO %i VALUES (%d, %s, %s)', "{$prefix}comments", $id, 'order_note', $text ) );
		}
		foreach ( self::WEBHOOKS as $id => $url ) {
			$database->query( "INSERT INTO {$prefix}wc_webhooks VALUES ({$id}, '{$url}')" );
		}
		foreach ( self::KEYS as $description ) {
			$database->query( "INSERT INTO {$prefix}woocommerce_api_keys VALUES ('{$description}')" );
		}
	}

	/** Meta of posts and of orders, notes, webhooks, keys, and tables of the plugin. */
	private static function left( ShopDatabase $database, string $prefix ): array {
		$column = static fn( string $sql ): array => array_map( 'current', $database->query( $sql )->rows );
		return array(
			$column( "SELECT meta_key FROM {$prefix}postmeta" ),
			$column( "SELECT meta_key FROM {$prefix}wc_orders_meta" ),
			array_map( 'intval', $column( "SELECT comment_ID FROM {$prefix}comments" ) ),
			array_map( 'intval', $column( "SELECT webhook_id FROM {$prefix}wc_webhooks" ) ),
			$column( "SELECT description FROM {$prefix}woocommerce_api_keys" ),
			$column( "SHOW TABLES LIKE '{$prefix}orderbridge%'" ),
		);
	}
}
