<?php
/**
 * Sends the outbox in place of WooCommerce's webhooks.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use Automattic\WooCommerce\Utilities\OrderUtil;
use WC_Webhook;

defined( 'ABSPATH' ) || exit;

/**
 * WooCommerce's webhooks stay active and notice each change, but at each event are kept from sending while the plugin sends: without the plugin, however it went,
 * they send again from the next event on.
 */
final class Sender {
	private const TICK     = 'orderbridge_tick';
	private const GROUP    = 'orderbridge';
	private const ACTION   = 'orderbridge_send';
	private const TAKEN_AT = 'orderbridge_taken_at';
	private const RETRY    = 'orderbridge_retry';
	private const SILENT   = 'orderbridge_silent';

	private const SECONDS = 20;

	/**
	 * Whether this request added something.
	 *
	 * @var bool
	 */
	private static bool $has_news = false;

	/**
	 * Orders that are deleted in this request.
	 *
	 * @var array<int, true>
	 */
	private static array $deleted = array();

	/**
	 * Hooks in. Where the merchant no longer wants it, only what waits is sent.
	 */
	public static function hook(): void {
		add_action( self::TICK, array( self::class, 'run' ) );
		add_action( 'wp_ajax_' . self::ACTION, array( self::class, 'run_now' ) );
		add_action( 'wp_ajax_nopriv_' . self::ACTION, array( self::class, 'run_now' ) );
		add_action( 'admin_init', array( self::class, 'schedule' ) );
		// Before WooCommerce's own, so that the order is whole.
		add_action( 'woocommerce_before_delete_order', array( self::class, 'keep_deleted' ), 1 );
		// Orders as posts: all that the admin and the trash call.
		add_action( 'before_delete_post', array( self::class, 'keep_deleted' ), 1 );
		add_action( 'deleted_post', array( self::class, 'add_deletion' ) );
		// Before WooCommerce's webhooks, so that what is sent has it.
		add_action( 'woocommerce_update_order', array( Outbox::class, 'move_date' ), 1 );
		if ( ! is_ticked( 'sending' ) ) {
			return;
		}
		Outbox::install();
		Failures::hook();
		add_filter( 'woocommerce_webhook_should_deliver', array( self::class, 'take' ), 1000, 3 );
		add_action( 'shutdown', array( self::class, 'kick' ), 9999 );
	}

	/**
	 * Takes what a webhook would deliver into the outbox; true: WooCommerce delivers it, too.
	 *
	 * @param bool       $should  Whether it would.
	 * @param WC_Webhook $webhook That would.
	 * @param mixed      $arg     What it is about.
	 */
	public static function take( $should, WC_Webhook $webhook, mixed $arg ): bool {
		if ( ! $should || ! is_scalar( $arg ) || strlen( (string) $arg ) > 150 || ! Webhooks::leads_to_orderbridge( $webhook->get_delivery_url() ) ) {
			return (bool) $should;
		}
		// All there was to say of it is sent, or kept by `keep_deleted()`; WooCommerce would send an error.
		if ( 'order' === $webhook->get_resource() && 'deleted' !== $webhook->get_event() && isset( self::$deleted[ (int) $arg ] ) ) {
			return false;
		}
		if ( ! Outbox::add( $webhook, (string) $arg ) ) {
			return true;
		}
		self::$has_news = true;
		return self::needs_webhooks();
	}

	/**
	 * Keeps what waits of an order that is deleted for good: a sale must not go unseen.
	 *
	 * @param int $order_id Of the order.
	 */
	public static function keep_deleted( $order_id ): void {
		// At the second of both hooks the order has no lines any more.
		if ( isset( self::$deleted[ (int) $order_id ] ) || ( 'before_delete_post' === current_action() && ( OrderUtil::custom_orders_table_usage_is_enabled() || 'shop_order' !== get_post_type( (int) $order_id ) ) ) ) {
			return;
		}
		self::$deleted[ (int) $order_id ] = true;
		if ( ! is_ticked( 'sending' ) && 0 === Outbox::count() ) {
			return;
		}
		foreach ( Outbox::of_order( (int) $order_id ) as $row ) {
			$webhook = Webhooks::of( (int) $row->webhook_id, $row->topic );
			$body    = null === $webhook ? null : Delivery::body( $webhook, (int) $order_id );
			if ( null !== $body ) {
				Outbox::keep( $row, $body );
			}
		}
	}

	/**
	 * Has the webhooks deliver that an order is deleted which was a post: WooCommerce does only where its own code deletes it.
	 *
	 * @param int $order_id Of the order.
	 */
	public static function add_deletion( $order_id ): void {
		foreach ( isset( self::$deleted[ (int) $order_id ] ) ? Webhooks::all() : array() as $webhook ) {
			if ( 'action.woocommerce_delete_order' === $webhook->get_topic() ) {
				$webhook->process( (int) $order_id );
			}
		}
	}

	/**
	 * Has Action Scheduler send each minute while there may be something, and looks whether that works.
	 */
	public static function schedule(): void {
		$is_needed    = is_ticked( 'sending' ) || Outbox::count() > 0;
		$is_scheduled = as_has_scheduled_action( self::TICK, null, self::GROUP );
		if ( $is_needed && ! $is_scheduled ) {
			as_schedule_recurring_action( time(), MINUTE_IN_SECONDS, self::TICK, array(), self::GROUP, true );
		} elseif ( ! $is_needed && $is_scheduled ) {
			self::forget();
		}
		if ( $is_needed ) {
			self::notice_silence();
		}
	}

	/**
	 * Has another process send at once what this request added, after its answer went out; where that can't be, Action Scheduler sends it.
	 */
	public static function kick(): void {
		if ( ! self::$has_news || self::retry()['at'] > time() ) {
			return;
		}
		if ( function_exists( 'fastcgi_finish_request' ) ) {
			fastcgi_finish_request();
		} elseif ( function_exists( 'litespeed_finish_request' ) ) {
			litespeed_finish_request();
		} else {
			return;
		}
		self::call_self();
	}

	/**
	 * Sends, if this site itself asks.
	 */
	public static function run_now(): void {
		// phpcs:ignore WordPress.Security.NonceVerification.Missing -- no user asks, but the site itself, which proves it by a key.
		$key = sanitize_text_field( wp_unslash( $_POST['key'] ?? '' ) );
		if ( ! hash_equals( wp_hash( self::ACTION ), $key ) ) {
			wp_die( '', '', array( 'response' => 403 ) );
		}
		if ( function_exists( 'fastcgi_finish_request' ) ) {
			fastcgi_finish_request();
		}
		self::run();
		wp_die();
	}

	/**
	 * Sends what is due; what is left then is another process's.
	 */
	public static function run(): void {
		if ( ! Outbox::lock() ) {
			return;
		}
		$until   = time() + self::SECONDS;
		$is_open = self::retry()['at'] <= time();
		$rows    = array();
		// Where `Delivery::body()` would read an order from this process's memory again, each is sent once, and the rest by the next process.
		$rereads = wp_cache_supports( 'flush_runtime' );
		while ( $is_open && time() < $until ) {
			$rows = Outbox::due();
			foreach ( $rereads ? $rows : array_column( $rows, null, 'arg' ) as $row ) {
				$is_open = self::send( $row );
				if ( ! $is_open || time() >= $until ) {
					break;
				}
			}
			if ( array() === $rows || ! $rereads ) {
				break;
			}
		}
		Outbox::unlock();
		self::notice_silence();
		if ( $is_open && array() !== $rows ) {
			self::call_self();
		}
	}

	/**
	 * Ends it: what waits is given to WooCommerce, or without it stays until the plugin is active again.
	 *
	 * @param bool $network_wide On each site of a network, or on this one.
	 */
	public static function stop( bool $network_wide ): void {
		if ( $network_wide ) {
			Outbox::on_each_site( array( self::class, 'stop_site' ) );
		} else {
			self::stop_site();
		}
	}

	/**
	 * Ends it on this site, if it ever began there.
	 */
	public static function stop_site(): void {
		if ( ! Outbox::is_installed() ) {
			return;
		}
		self::forget();
		if ( function_exists( 'WC' ) ) {
			self::hand_over();
			Failures::forgive();
		}
	}

	/**
	 * Forgets how it went, and ends the minutes. Action Scheduler comes with WooCommerce, its table stays.
	 */
	private static function forget(): void {
		delete_option( self::TAKEN_AT );
		delete_option( self::RETRY );
		delete_option( self::SILENT );
		if ( function_exists( 'as_unschedule_all_actions' ) ) {
			as_unschedule_all_actions( self::TICK, array(), self::GROUP );
		} else {
			Outbox::unschedule( self::TICK );
		}
	}

	/**
	 * When orderbridge last took something; null: never.
	 */
	public static function taken_at(): ?int {
		$at = (int) get_option( self::TAKEN_AT, 0 );
		return 0 === $at ? null : $at;
	}

	/**
	 * Whether WooCommerce's webhooks send, too.
	 */
	public static function needs_webhooks(): bool {
		return Rhythm::needs_webhooks( self::taken_at(), Outbox::waiting_since(), time() );
	}

	/**
	 * When the plugin falls silent, WooCommerce's webhooks get what waits: never in a shopper's request.
	 */
	private static function notice_silence(): void {
		$silent = null !== self::taken_at() && self::needs_webhooks();
		if ( (bool) get_option( self::SILENT, false ) === $silent ) {
			return;
		}
		update_option( self::SILENT, $silent ? 1 : 0 );
		if ( $silent ) {
			Delivery::log( 'nothing was taken for a time: WooCommerce’s webhooks send, too' );
			self::hand_over();
		}
	}

	/**
	 * Sends one row; false: nothing more can be sent now.
	 *
	 * @param object $row Of the outbox.
	 */
	private static function send( object $row ): bool {
		$webhook = Webhooks::of( (int) $row->webhook_id, $row->topic );
		if ( null === $webhook ) {
			Outbox::remove( $row );
			return true;
		}
		$arg  = self::arg( $row );
		$body = Delivery::body( $webhook, $arg, $row );
		if ( null === $body ) {
			self::postpone( $row );
			return true;
		}
		$response = Delivery::send( $webhook, $arg, $body );
		$status   = (int) wp_remote_retrieve_response_code( $response );
		$outcome  = Rhythm::outcome( $status );
		if ( 'taken' === $outcome ) {
			Outbox::remove( $row );
			self::taken();
			return true;
		}
		Delivery::log( sprintf( 'webhook %d, %s: %s', $row->webhook_id, $row->arg, is_wp_error( $response ) ? $response->get_error_message() : "status {$status}" ) );
		if ( 'gone' === $outcome ) {
			Outbox::remove( $row );
			return true;
		}
		if ( 'refused' === $outcome ) {
			self::postpone( $row );
			return true;
		}
		$failures = self::retry()['failures'] + 1;
		$at       = time() + Rhythm::wait( $failures, (int) wp_remote_retrieve_header( $response, 'retry-after' ) );
		update_option( self::RETRY, compact( 'failures', 'at' ) );
		self::postpone( $row, $at + Rhythm::STEP_BACK );
		return false;
	}

	/**
	 * Tries one message again later, or drops it.
	 *
	 * @param object   $row Of the outbox.
	 * @param int|null $at  When; null: later each time.
	 */
	private static function postpone( object $row, ?int $at = null ): void {
		if ( time() - (int) $row->created_at > Rhythm::KEEP_SECONDS ) {
			Delivery::log( sprintf( 'webhook %d, %s: dropped, since it was not taken for 30 days', $row->webhook_id, $row->arg ) );
			Outbox::remove( $row );
			return;
		}
		Outbox::postpone( $row, $at );
	}

	/**
	 * Notes that orderbridge takes what the plugin sends; written once a minute.
	 */
	private static function taken(): void {
		if ( time() - (int) self::taken_at() >= MINUTE_IN_SECONDS ) {
			update_option( self::TAKEN_AT, time() );
		}
		if ( 0 !== self::retry()['failures'] ) {
			delete_option( self::RETRY );
		}
	}

	/**
	 * How often in a row nothing was taken, and when it is tried again.
	 *
	 * @return array{failures: int, at: int}
	 */
	private static function retry(): array {
		$kept = (array) get_option( self::RETRY, array() );
		return array(
			'failures' => (int) ( $kept['failures'] ?? 0 ),
			'at'       => (int) ( $kept['at'] ?? 0 ),
		);
	}

	/**
	 * Gives all that waits to WooCommerce, which tries once. It stays here until it is taken: orderbridge takes what comes twice once.
	 */
	private static function hand_over(): void {
		foreach ( Outbox::all() as $row ) {
			WC()->queue()->add(
				'woocommerce_deliver_webhook_async',
				array(
					'webhook_id' => (int) $row->webhook_id,
					'arg'        => self::arg( $row ),
				),
				'woocommerce-webhooks'
			);
		}
	}

	/**
	 * What a row is about, as WooCommerce has it.
	 *
	 * @param object $row Of the outbox.
	 */
	private static function arg( object $row ): int|string {
		return ctype_digit( (string) $row->arg ) ? (int) $row->arg : $row->arg;
	}

	/**
	 * Has another process of this site send; its answer is not waited for.
	 */
	private static function call_self(): void {
		wp_remote_post(
			admin_url( 'admin-ajax.php' ),
			array(
				'timeout'   => 0.01,
				'blocking'  => false,
				// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- as WordPress calls itself.
				'sslverify' => apply_filters( 'https_local_ssl_verify', false ),
				'body'      => array(
					'action' => self::ACTION,
					'key'    => wp_hash( self::ACTION ),
				),
			)
		);
	}
}
