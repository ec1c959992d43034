<?php
/**
 * A store of WordPress and WooCommerce: as much of them as the outbox calls, on a MariaDB that really runs.
 *
 * @package Orderbridge
 */

use Orderbridge\Test\ShopDatabase;

const DB_NAME           = 'shop';
const MINUTE_IN_SECONDS = 60;

/** What WordPress' class of this name does. */
final class wpdb {
	public string $prefix = 'wp_';

	public function __construct( private ShopDatabase $database ) {}

	/** Its names of tables follow the site. */
	public function __get( string $table ): string {
		return $this->prefix . $table;
	}

	public function delete( string $table, array $where ): mixed {
		return $this->query( $this->prepare( 'DELETE FROM %i WHERE %i = %s', $table, key( $where ), current( $where ) ) );
	}

	public function prepare( string $sql, mixed ...$values ): string {
		return preg_replace_callback(
			'/%[ids]/',
			function ( array $found ) use ( &$values ): string {
				$value = array_shift( $values );
				return match ( $found[0] ) {
					'%i' => "`{$value}`",
					'%d' => (string) (int) $value,
					'%s' => "'" . $this->database->escape( (string) $value ) . "'",
				};
			},
			$sql
		);
	}

	public function esc_like( string $text ): string {
		return addcslashes( $text, '_%\\' );
	}

	public function query( string $sql ): mixed {
		return $this->database->query( $sql );
	}

	public function get_results( string $sql ): array {
		return array_map( static fn( array $row ): object => (object) $row, $this->database->query( $sql )->rows );
	}

	public function get_var( string $sql ): ?string {
		$row = $this->database->query( $sql )->row;
		return array_values( $row )[0] ?? null;
	}

	public function get_charset_collate(): string {
		return 'DEFAULT CHARACTER SET utf8mb4';
	}
}

/** A webhook of WooCommerce. */
final class WC_Webhook {
	public int $failures = 0;

	public function __construct( private int $id, private string $topic, private ?string $url = null ) {}

	public function delete(): void {
		unset( Store::$webhooks[ $this->id ] );
	}

	public function get_status(): string {
		return 'active';
	}

	public function get_id(): int {
		return $this->id;
	}

	public function get_topic(): string {
		return $this->topic;
	}

	public function get_resource(): string {
		return explode( '.', $this->topic )[0];
	}

	public function get_event(): string {
		return explode( '.', $this->topic )[1];
	}

	public function get_failure_count(): int {
		return $this->failures;
	}

	public function get_delivery_url(): string {
		return $this->url ?? sprintf( 'https://tax.example/webhooks/woocommerce/c_%024x', $this->id );
	}

	public function build_payload( mixed $arg ): array {
		if ( 'action' === $this->get_resource() ) {
			return array( 'action' => $this->get_event(), 'arg' => $arg );
		}
		Store::$cached[ $arg ] ??= Store::$orders[ $arg ] ?? null;
		return Store::$cached[ $arg ] ?? ( 'deleted' === $this->get_event() ? array( 'deleted' => $arg ) : null ) ?? array( 'code' => 'woocommerce_rest_shop_order_invalid_id' );
	}

	public function process( mixed $arg ): void {
		Store::$processed[] = $this->topic;
		Orderbridge\Sender::take( true, $this, $arg );
	}

	public function generate_signature( string $body ): string {
		return md5( $body );
	}

	public function get_new_delivery_id(): string {
		return 'd';
	}
}

/** What the tests set and see. */
final class Store {
	/** @var array<string, mixed> */
	public static array $options = array();
	/** @var array<int, WC_Webhook> */
	public static array $webhooks = array();
	/** @var array<int, array<string, mixed>> */
	public static array $orders = array();
	/** @var array<int, array<string, mixed>|null> Orders as this process has read them. */
	public static array $cached = array();
	/** Whether the object cache can forget what this process has read. */
	public static bool $flushes = true;
	/** Whether orders are rows of WooCommerce's own tables. */
	public static bool $has_tables = false;
	/** @var array<int, int> Statuses by webhook. */
	public static array $answers = array();
	/** @var string[] Bodies that were taken. */
	public static array $taken = array();
	/** @var string[] Prefixes of sites whose minutes ended. */
	public static array $unscheduled = array();
	/** @var string[] Topics of webhooks that were asked for a message. */
	public static array $processed = array();
	/** @var int[] Webhooks that were asked to deliver by WooCommerce. */
	public static array $handed_over = array();
	/** @var string[] */
	public static array $log = array();
	/** @var array<string, callable[]> By action. */
	public static array $hooks = array();
	/** @var string[] Actions that are being done. */
	public static array $doing = array();

	/** @var array<int, array<string, mixed>> Options of the sites of a network that are not the current one. */
	public static array $sites = array();

	public static function act( string $action, mixed ...$args ): void {
		self::$doing[] = $action;
		foreach ( self::$hooks[ $action ] ?? array() as $hook ) {
			$hook( ...$args );
		}
		array_pop( self::$doing );
	}

	public static function custom_orders_table_usage_is_enabled(): bool {
		return self::$has_tables;
	}

	public static function load(): object {
		return new class() {
			public function get_webhooks_ids(): array {
				return array_keys( Store::$webhooks );
			}

			public function add( string $hook, array $args ): void {
				Store::$handed_over[] = $args['webhook_id'];
			}

			public function queue(): object {
				return $this;
			}

			public function warning( string $line ): void {
				Store::$log[] = $line;
			}

			public string $version = '10.0';
		};
	}
}

class_alias( Store::class, 'WC_Data_Store' );
class_alias( Store::class, 'Automattic\WooCommerce\Utilities\OrderUtil' );

function get_option( string $name, mixed $otherwise = false ): mixed {
	return Store::$options[ $name ] ?? $otherwise;
}

function update_option( string $name, mixed $value ): void {
	Store::$options[ $name ] = $value;
}

function delete_option( string $name ): void {
	unset( Store::$options[ $name ] );
}

function is_multisite(): bool {
	return array() !== Store::$sites;
}

function delete_post_meta_by_key( string $key ): void {
	$GLOBALS['wpdb']->delete( $GLOBALS['wpdb']->postmeta, array( 'meta_key' => $key ) );
}

function wp_delete_comment( int $id ): void {
	$GLOBALS['wpdb']->delete( $GLOBALS['wpdb']->comments, array( 'comment_ID' => $id ) );
}

function get_sites(): array {
	return array( 1, ...array_keys( Store::$sites ) );
}

/** Site 1 is the current one. */
function switch_to_blog( int $id ): void {
	if ( 1 !== $id ) {
		list( Store::$options, Store::$sites[ $id ] ) = array( Store::$sites[ $id ], Store::$options );
		$GLOBALS['wpdb']->prefix                       = "wp_{$id}_";
	}
}

function restore_current_blog(): void {
	$id = (int) preg_replace( '/\D/', '', $GLOBALS['wpdb']->prefix );
	if ( 0 !== $id ) {
		list( Store::$options, Store::$sites[ $id ] ) = array( Store::$sites[ $id ], Store::$options );
		$GLOBALS['wpdb']->prefix                       = 'wp_';
	}
}

function as_unschedule_all_actions(): void {
	Store::$unscheduled[] = $GLOBALS['wpdb']->prefix;
}

function wc_get_webhook( int $id ): ?WC_Webhook {
	return Store::$webhooks[ $id ] ?? null;
}

function WC(): object {
	return Store::load();
}

function wc_get_logger(): object {
	return Store::load();
}

function wp_json_encode( mixed $value ): string {
	return json_encode( $value, JSON_THROW_ON_ERROR );
}

function apply_filters( string $name, mixed $value, mixed ...$more ): mixed {
	return 'woocommerce_webhook_http_args' === $name ? Orderbridge\Failures::note_delivering( $value, ...$more ) : $value;
}

function get_bloginfo(): string {
	return '6.8';
}

function home_url( string $path = '' ): string {
	return "https://shop.example{$path}";
}

function wp_safe_remote_request( string $url, array $args ): array {
	$id       = $args['headers']['X-WC-Webhook-ID'];
	Store::act( 'test_sending', $id );
	$response = array( 'code' => Store::$answers[ $id ] ?? 200 );
	if ( 200 === $response['code'] ) {
		Store::$taken[] = $args['body'];
	}
	return Orderbridge\Failures::note_answer( $response, $args, $url );
}

function current_time( string $type, bool $gmt ): string {
	return ( $gmt ? 'gmdate' : 'date' )( 'Y-m-d H:i:s' );
}

/** The store is two hours before Greenwich. */
function get_date_from_gmt( string $date ): string {
	return gmdate( 'Y-m-d H:i:s', strtotime( "{$date} UTC" ) + 7200 );
}

function clean_post_cache( int $id ): void {
	unset( Store::$cached[ $id ] );
}

/** Another process has read nothing yet. */
function wp_remote_post(): void {
	Store::$cached = array();
	Orderbridge\Sender::run();
}

function admin_url( string $path ): string {
	return home_url( "/wp-admin/{$path}" );
}

function wp_hash( string $text ): string {
	return md5( $text );
}

function delete_transient(): void {}

function wp_cache_supports( string $feature ): bool {
	return 'flush_runtime' === $feature && Store::$flushes;
}

function wp_cache_flush_runtime(): void {
	Store::$cached = array();
}

function wp_remote_retrieve_response_code( array $response ): int {
	return $response['code'];
}

function wp_remote_retrieve_header(): string {
	return '';
}

function is_wp_error(): bool {
	return false;
}

function plugin_basename( string $file ): string {
	return basename( $file );
}

function register_activation_hook(): void {}

function register_deactivation_hook(): void {}

function add_action( string $name, callable $hook ): void {
	Store::$hooks[ $name ][] = $hook;
}

function current_action(): string|false {
	return end( Store::$doing );
}

function get_post_type( int $id ): string|false {
	return isset( Store::$orders[ $id ] ) ? 'shop_order' : 'page';
}

function add_filter(): void {}
