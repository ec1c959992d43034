<?php
/**
 * When the outbox tries again, and whether WooCommerce's webhooks are needed.
 *
 * @package Orderbridge
 */

namespace Orderbridge;

defined( 'ABSPATH' ) || exit;

/**
 * Pure decisions. Times are seconds since 1970.
 */
final class Rhythm {
	/** A sender from which nothing was taken for so long, while something waits, is not relied on. */
	public const SILENT_AFTER = 15 * 60;
	/** What was not taken for so long is dropped: orderbridge reads the store by itself, and has long found it. */
	public const KEEP_SECONDS = 30 * 24 * 60 * 60;

	/** How long after the next try one comes again that met a server which was away. */
	public const STEP_BACK = 15;

	private const FIRST_WAIT     = 15;
	private const LONGEST_WAIT   = 5 * 60;
	private const LONGEST_OF_ONE = 60 * 60;

	/**
	 * Whether WooCommerce's own webhooks send, too: until orderbridge took something from the plugin, and when that stopped.
	 *
	 * @param int|null $taken_at      When orderbridge last took a message of the plugin; null: never.
	 * @param int|null $waiting_since Since when the oldest message waits; null: none does.
	 * @param int      $now           Now.
	 */
	public static function needs_webhooks( ?int $taken_at, ?int $waiting_since, int $now ): bool {
		if ( null === $taken_at ) {
			return true;
		}
		return null !== $waiting_since && $now - max( $taken_at, $waiting_since ) > self::SILENT_AFTER;
	}

	/**
	 * Seconds until orderbridge, which took nothing, is called again.
	 *
	 * @param int $failures In a row.
	 * @param int $asked    By its `Retry-After`; 0: it did not say.
	 */
	public static function wait( int $failures, int $asked = 0 ): int {
		return max( self::doubled( $failures, self::LONGEST_WAIT ), min( $asked, self::LONGEST_OF_ONE ) );
	}

	/**
	 * Seconds until one message that was refused is tried again; the others go on.
	 *
	 * @param int $attempts So far.
	 */
	public static function wait_of_one( int $attempts ): int {
		return self::doubled( $attempts, self::LONGEST_OF_ONE );
	}

	/**
	 * What an answer means: `taken`; `refused`: by this webhook, the others may take theirs; `gone`: its connection was ended; `away`: nothing is taken now.
	 *
	 * @param int $status Of HTTP; 0: there was no answer.
	 */
	public static function outcome( int $status ): string {
		return match ( true ) {
			$status >= 200 && $status < 300 => 'taken',
			in_array( $status, array( 400, 401, 404, 413, 415, 422, 500 ), true ) => 'refused',
			410 === $status => 'gone',
			default => 'away',
		};
	}

	/**
	 * Doubles the first wait.
	 *
	 * @param int $times   How often it failed, from 1 on.
	 * @param int $longest Wait.
	 */
	private static function doubled( int $times, int $longest ): int {
		return (int) min( self::FIRST_WAIT * 2 ** min( max( $times, 1 ) - 1, 20 ), $longest );
	}
}
