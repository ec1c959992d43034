<?php
/**
 * The table of messages that wait to be sent.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use Automattic\WooCommerce\Utilities\OrderUtil;
use WC_Webhook;

defined( 'ABSPATH' ) || exit;

// The table is the plugin's own, and what it holds must not come from a cache.
// phpcs:disable WordPress.DB.DirectDatabaseQuery.DirectQuery, WordPress.DB.DirectDatabaseQuery.NoCaching, WordPress.DB.DirectDatabaseQuery.SchemaChange

/**
 * A row is a webhook and what it is about, such as the id of an order: the body is made when it is sent, so that no buyer is in it. Only that of an order which is
 * deleted meanwhile is kept here. Several changes of one order are one row. A change while the row is sent raises `version`, so that the row stays.
 */
final class Outbox {
	private const SCHEMA  = '1';
	private const VERSION = 'orderbridge_outbox';
	private const AT_ONCE = 20;

	/** An order that is refused so often, for about a day, no longer holds up that it was deleted. */
	private const HOLDS_UP = 30;

	/**
	 * Makes the table, unless it is there.
	 */
	public static function install(): void {
		if ( self::SCHEMA === get_option( self::VERSION ) ) {
			return;
		}
		global $wpdb;
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		$table = self::table();
		dbDelta(
			"CREATE TABLE {$table} (
			id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
			webhook_id bigint(20) unsigned NOT NULL,
			topic varchar(100) NOT NULL,
			arg varchar(150) NOT NULL,
			version int(10) unsigned NOT NULL DEFAULT 1,
			created_at int(10) unsigned NOT NULL,
			changed_at bigint(20) unsigned NOT NULL,
			attempts smallint(5) unsigned NOT NULL DEFAULT 0,
			next_at int(10) unsigned NOT NULL,
			body longtext NULL,
			PRIMARY KEY  (id),
			UNIQUE KEY webhook_arg (webhook_id,arg),
			KEY next_at (next_at)
			) ENGINE=InnoDB {$wpdb->get_charset_collate()};"
		);
		update_option( self::VERSION, self::SCHEMA );
	}

	/**
	 * Whether this site has the table.
	 */
	public static function is_installed(): bool {
		return (bool) get_option( self::VERSION );
	}

	/**
	 * Does something on each site of a network, which has a table of its own.
	 *
	 * @param callable $work What is done.
	 */
	public static function on_each_site( callable $work ): void {
		$sites = get_sites(
			array(
				'fields' => 'ids',
				'number' => 0,
			)
		);
		foreach ( $sites as $site_id ) {
			switch_to_blog( $site_id );
			$work();
			restore_current_blog();
		}
	}

	/**
	 * Drops the table.
	 */
	public static function uninstall(): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( 'DROP TABLE IF EXISTS %i', self::table() ) );
		delete_option( self::VERSION );
	}

	/**
	 * Adds what changed, behind all that waits; false: it could not be kept.
	 *
	 * @param WC_Webhook $webhook That would deliver it.
	 * @param string     $arg     What it is about.
	 */
	public static function add( WC_Webhook $webhook, string $arg ): bool {
		global $wpdb;
		$now = time();
		return false !== $wpdb->query(
			$wpdb->prepare(
				'INSERT INTO %i (webhook_id, topic, arg, created_at, changed_at, next_at) VALUES (%d, %s, %s, %d, %d, %d) ON DUPLICATE KEY UPDATE version = version + 1, changed_at = VALUES(changed_at), created_at = IF(attempts > 0, VALUES(created_at), created_at), attempts = 0, next_at = VALUES(next_at)',
				self::table(),
				$webhook->get_id(),
				$webhook->get_topic(),
				$arg,
				$now,
				(int) ( microtime( true ) * 1000000 ),
				$now
			)
		);
	}

	/**
	 * What is due, in the order of changes; what failed is behind it, so that none holds another up. That an order was deleted waits for what is kept of it.
	 *
	 * @return object[] id, webhook_id, topic, arg, version, created_at, attempts.
	 */
	public static function due(): array {
		global $wpdb;
		return (array) $wpdb->get_results( $wpdb->prepare( 'SELECT id, webhook_id, topic, arg, version, created_at, attempts FROM %i o WHERE next_at <= %d AND (body IS NOT NULL OR NOT EXISTS (SELECT 1 FROM %i kept WHERE kept.arg = o.arg AND kept.body IS NOT NULL AND kept.attempts < %d)) ORDER BY next_at, changed_at, id LIMIT %d', self::table(), time(), self::table(), self::HOLDS_UP, self::AT_ONCE ) );
	}

	/**
	 * All that waits, in the order of changes.
	 *
	 * @return object[] webhook_id, arg.
	 */
	public static function all(): array {
		global $wpdb;
		return (array) $wpdb->get_results( $wpdb->prepare( 'SELECT webhook_id, arg FROM %i ORDER BY changed_at, id', self::table() ) );
	}

	/**
	 * What waits of an order, but for its deletion.
	 *
	 * @param int $order_id Of the order.
	 * @return object[] id, webhook_id, topic.
	 */
	public static function of_order( int $order_id ): array {
		global $wpdb;
		return (array) $wpdb->get_results( $wpdb->prepare( "SELECT id, webhook_id, topic FROM %i WHERE arg = %s AND topic IN ('order.created', 'order.updated', 'order.restored')", self::table(), (string) $order_id ) );
	}

	/**
	 * Keeps the body of a message that can't be made later.
	 *
	 * @param object $row  Of the outbox.
	 * @param string $body As it is sent.
	 */
	public static function keep( object $row, string $body ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( 'UPDATE %i SET body = %s WHERE id = %d', self::table(), $body, $row->id ) );
	}

	/**
	 * The body that is kept; null: none is.
	 *
	 * @param object $row Of the outbox.
	 */
	public static function kept( object $row ): ?string {
		global $wpdb;
		return $wpdb->get_var( $wpdb->prepare( 'SELECT body FROM %i WHERE id = %d', self::table(), $row->id ) );
	}

	/**
	 * Removes what was sent, unless it has changed meanwhile.
	 *
	 * @param object $row Of the outbox.
	 */
	public static function remove( object $row ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE id = %d AND version = %d', self::table(), $row->id, $row->version ) );
	}

	/**
	 * Tries one message again later, unless it has changed meanwhile.
	 *
	 * @param object   $row Of the outbox.
	 * @param int|null $at  When; null: it was refused, and is tried later each time.
	 */
	public static function postpone( object $row, ?int $at = null ): void {
		global $wpdb;
		$attempts = null === $at ? min( (int) $row->attempts + 1, 1000 ) : (int) $row->attempts;
		$wpdb->query( $wpdb->prepare( 'UPDATE %i SET attempts = %d, next_at = %d WHERE id = %d AND version = %d', self::table(), $attempts, $at ?? time() + Rhythm::wait_of_one( $attempts ), $row->id, $row->version ) );
	}

	/**
	 * Ends what Action Scheduler would do, without it.
	 *
	 * @param string $action That recurs.
	 */
	public static function unschedule( string $action ): void {
		global $wpdb;
		$table = $wpdb->prefix . 'actionscheduler_actions';
		if ( $table === $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) ) {
			$wpdb->query( $wpdb->prepare( "DELETE FROM %i WHERE hook = %s AND status = 'pending'", $table, $action ) );
		}
	}

	/**
	 * Moves the time of change of a saved order that is a post, as WooCommerce does in its own tables (HPOS): orderbridge tells two states of an order apart by it.
	 * Were it set on the order, WooCommerce would write the status, too, which another process may have changed.
	 *
	 * @param int $order_id Of the order.
	 */
	public static function move_date( $order_id ): void {
		if ( OrderUtil::custom_orders_table_usage_is_enabled() ) {
			return;
		}
		global $wpdb;
		$now = current_time( 'mysql', true );
		$wpdb->query( $wpdb->prepare( "UPDATE %i SET post_modified = %s, post_modified_gmt = %s WHERE ID = %d AND post_type = 'shop_order' AND post_status NOT IN ('auto-draft', 'draft', 'wc-checkout-draft') AND post_modified_gmt < %s", $wpdb->posts, get_date_from_gmt( $now ), $now, $order_id, $now ) );
		clean_post_cache( (int) $order_id );
	}

	/**
	 * How much waits.
	 */
	public static function count(): int {
		global $wpdb;
		return self::is_installed() ? (int) $wpdb->get_var( $wpdb->prepare( 'SELECT COUNT(*) FROM %i', self::table() ) ) : 0;
	}

	/**
	 * Since when the oldest waits; null: none does. One that was refused does not count: WooCommerce's webhook would be refused, too.
	 */
	public static function waiting_since(): ?int {
		global $wpdb;
		$oldest = $wpdb->get_var( $wpdb->prepare( 'SELECT MIN(created_at) FROM %i WHERE attempts = 0', self::table() ) );
		return null === $oldest ? null : (int) $oldest;
	}

	/**
	 * One process sends at a time; false: another does. The lock ends with the process.
	 */
	public static function lock(): bool {
		global $wpdb;
		return '1' === (string) $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, 0)', self::lock_name() ) );
	}

	/**
	 * Lets others send.
	 */
	public static function unlock(): void {
		global $wpdb;
		$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', self::lock_name() ) );
	}

	/**
	 * A database server may have many sites.
	 */
	private static function lock_name(): string {
		return 'orderbridge_' . md5( DB_NAME . self::table() );
	}

	/**
	 * Name of the table.
	 */
	private static function table(): string {
		global $wpdb;
		return $wpdb->prefix . 'orderbridge_outbox';
	}
}
