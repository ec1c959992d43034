<?php
/**
 * Sends the outbox in place of WooCommerce's webhooks.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

use Throwable;
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
	 * The webhook that WooCommerce itself delivers in this request; 0: none.
	 *
	 * @var int
	 */
	private static int $delivering = 0;

	/**
	 * Hooks in if the merchant chose it.
	 */
	public static function hook(): void {
		if ( ! is_ticked( 'sending' ) ) {
			return;
		}
		Outbox::install();
		add_filter( 'woocommerce_webhook_should_deliver', array( self::class, 'take' ), 1000, 3 );
		add_filter( 'woocommerce_webhook_http_args', array( self::class, 'note_delivering' ), 10, 3 );
		add_filter( 'woocommerce_max_webhook_delivery_failures', array( self::class, 'spare' ) );
		add_action( self::TICK, array( self::class, 'run' ) );
		add_action( 'wp_ajax_' . self::ACTION, array( self::class, 'run_now' ) );
		add_action( 'wp_ajax_nopriv_' . self::ACTION, array( self::class, 'run_now' ) );
		add_action( 'admin_init', array( self::class, 'schedule' ) );
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
		if ( ! Outbox::add( $webhook, (string) $arg ) ) {
			return true;
		}
		self::$has_news = true;
		return self::needs_webhooks();
	}

	/**
	 * Remembers which webhook WooCommerce delivers.
	 *
	 * @param array<string, mixed> $args Of the request.
	 * @param mixed                $arg  What it is about.
	 * @param int                  $id   Of the webhook.
	 * @return array<string, mixed>
	 */
	public static function note_delivering( array $args, mixed $arg, int $id ): array {
		self::$delivering = $id;
		return $args;
	}

	/**
	 * After failures WooCommerce would disable a webhook, which then notices no change.
	 *
	 * @param int $failures How many it allows in a row.
	 */
	public static function spare( $failures ): int {
		$webhook = 0 === self::$delivering ? null : wc_get_webhook( self::$delivering );
		return null !== $webhook && Webhooks::leads_to_orderbridge( $webhook->get_delivery_url() ) ? PHP_INT_MAX : (int) $failures;
	}

	/**
	 * Has Action Scheduler send each minute, and looks whether that works.
	 */
	public static function schedule(): void {
		if ( ! as_has_scheduled_action( self::TICK, null, self::GROUP ) ) {
			as_schedule_recurring_action( time(), MINUTE_IN_SECONDS, self::TICK, array(), self::GROUP, true );
		}
		self::needs_webhooks();
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
		$retry   = self::retry();
		$is_open = $retry['at'] <= time();
		$rows    = array();
		while ( $is_open && time() < $until ) {
			$rows = Outbox::due();
			foreach ( $rows as $row ) {
				$is_open = self::send( $row );
				if ( ! $is_open || time() >= $until ) {
					break;
				}
			}
			if ( array() === $rows ) {
				break;
			}
		}
		Outbox::unlock();
		self::needs_webhooks();
		if ( $is_open && array() !== $rows ) {
			self::call_self();
		}
	}

	/**
	 * Ends it: what waits is given to WooCommerce.
	 */
	public static function stop(): void {
		delete_option( self::TAKEN_AT );
		delete_option( self::RETRY );
		delete_option( self::SILENT );
		if ( ! function_exists( 'WC' ) ) {
			return;
		}
		as_unschedule_all_actions( self::TICK, array(), self::GROUP );
		self::hand_over();
		foreach ( Webhooks::all() as $webhook ) {
			if ( $webhook->get_failure_count() > 0 ) {
				$webhook->set_failure_count( 0 );
				$webhook->save();
			}
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
	 * Whether WooCommerce's webhooks send, too. When the plugin falls silent, they get what waits.
	 */
	public static function needs_webhooks(): bool {
		$taken_at = self::taken_at();
		$needs    = Rhythm::needs_webhooks( $taken_at, Outbox::waiting_since(), time() );
		$silent   = $needs && null !== $taken_at;
		if ( (bool) get_option( self::SILENT, false ) !== $silent ) {
			update_option( self::SILENT, $silent ? 1 : 0 );
			if ( $silent ) {
				self::log( 'nothing was taken for a time: WooCommerce’s webhooks send, too' );
				self::hand_over();
			}
		}
		return $needs;
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
		$response = self::deliver( $webhook, ctype_digit( (string) $row->arg ) ? (int) $row->arg : $row->arg );
		if ( null === $response ) {
			Outbox::postpone( $row );
			return true;
		}
		$status  = (int) wp_remote_retrieve_response_code( $response );
		$outcome = Rhythm::outcome( $status );
		if ( 'taken' === $outcome ) {
			Outbox::remove( $row );
			self::taken();
			return true;
		}
		self::log( sprintf( 'webhook %d, %s: %s', $row->webhook_id, $row->arg, is_wp_error( $response ) ? $response->get_error_message() : "status {$status}" ) );
		if ( 'refused' === $outcome || time() - (int) $row->created_at > Rhythm::KEEP_SECONDS ) {
			Outbox::postpone( $row );
			return true;
		}
		$failures = self::retry()['failures'] + 1;
		$asked    = (int) wp_remote_retrieve_header( $response, 'retry-after' );
		update_option(
			self::RETRY,
			array(
				'failures' => $failures,
				'at'       => time() + Rhythm::wait( $failures, $asked ),
			)
		);
		return false;
	}

	/**
	 * Sends what WooCommerce would send; null: the body could not be made.
	 *
	 * @param WC_Webhook $webhook To deliver.
	 * @param mixed      $arg     What it is about.
	 * @return array<string, mixed>|\WP_Error|null
	 */
	private static function deliver( WC_Webhook $webhook, mixed $arg ): mixed {
		try {
			$payload = $webhook->build_payload( $arg );
		} catch ( Throwable $thrown ) {
			self::log( sprintf( 'webhook %d, %s: %s', $webhook->get_id(), $arg, $thrown->getMessage() ) );
			return null;
		}
		if ( is_array( $payload ) && 'rest_no_route' === ( $payload['code'] ?? null ) ) {
			return null;
		}
		$args = array(
			'method'      => 'POST',
			'timeout'     => 15,
			'redirection' => 0,
			'user-agent'  => sprintf( 'WooCommerce/%s Hookshot (WordPress/%s)', WC()->version, get_bloginfo( 'version' ) ),
			'body'        => trim( wp_json_encode( $payload ) ),
			'headers'     => array( 'Content-Type' => 'application/json' ),
			'cookies'     => array(),
		);
		// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- as WooCommerce does, so that what others add is sent.
		$args            = apply_filters( 'woocommerce_webhook_http_args', $args, $arg, $webhook->get_id() );
		$args['headers'] = array_merge(
			(array) $args['headers'],
			array(
				'X-WC-Webhook-Source'      => home_url( '/' ),
				'X-WC-Webhook-Topic'       => $webhook->get_topic(),
				'X-WC-Webhook-Resource'    => $webhook->get_resource(),
				'X-WC-Webhook-Event'       => $webhook->get_event(),
				'X-WC-Webhook-Signature'   => $webhook->generate_signature( $args['body'] ),
				'X-WC-Webhook-ID'          => $webhook->get_id(),
				'X-WC-Webhook-Delivery-ID' => $webhook->get_new_delivery_id(),
				'x-orderbridge-plugin'     => VERSION,
			)
		);
		return wp_safe_remote_request( $webhook->get_delivery_url(), $args );
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
					'arg'        => ctype_digit( (string) $row->arg ) ? (int) $row->arg : $row->arg,
				),
				'woocommerce-webhooks'
			);
		}
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

	/**
	 * Writes a line under WooCommerce → Status → Logs.
	 *
	 * @param string $line Without a buyer's data.
	 */
	private static function log( string $line ): void {
		wc_get_logger()->warning( $line, array( 'source' => 'orderbridge' ) );
	}
}
