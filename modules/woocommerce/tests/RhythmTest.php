<?php
/**
 * When it is tried again, and who sends.
 *
 * @package Orderbridge
 */

use Orderbridge\Rhythm;
use PHPUnit\Framework\TestCase;

final class RhythmTest extends TestCase {
	private const NOW = 1_800_000_000;

	/** @dataProvider senders */
	public function test_webhooks_are_kept_from_sending_only_while_the_plugin_is_known_to_send( ?int $taken_ago, ?int $waits, bool $needs ): void {
		$this->assertSame( $needs, Rhythm::needs_webhooks( null === $taken_ago ? null : self::NOW - $taken_ago, null === $waits ? null : self::NOW - $waits, self::NOW ) );
	}

	public function senders(): array {
		return array(
			'nothing was taken yet'                      => array( null, null, true ),
			'nothing was taken yet, and something waits' => array( null, 1, true ),
			'taken, and nothing waits'                   => array( 5, null, false ),
			'taken long ago, in a quiet week'            => array( 600000, null, false ),
			'taken long ago, and a new order waits'      => array( 600000, 1, false ),
			'it waits just as long as it may'            => array( 600000, 900, false ),
			'it waits too long'                          => array( 600000, 901, true ),
			'one is refused for long, others are taken'  => array( 30, 90000, false ),
			'nothing is taken any more'                  => array( 901, 90000, true ),
		);
	}

	public function test_waits_double_up_to_five_minutes_or_what_orderbridge_asks_for(): void {
		$this->assertSame( array( 15, 30, 60, 120, 240, 300, 300 ), array_map( array( Rhythm::class, 'wait' ), range( 1, 7 ) ) );
		$this->assertSame( array( 15, 40, 3600 ), array( Rhythm::wait( 1, 3 ), Rhythm::wait( 1, 40 ), Rhythm::wait( 1, 86400 ) ) );
		$this->assertSame( 300, Rhythm::wait( PHP_INT_MAX ) );
	}

	public function test_a_message_that_is_refused_waits_up_to_an_hour(): void {
		$this->assertSame( array( 15, 30, 1920, 3600, 3600 ), array_map( array( Rhythm::class, 'wait_of_one' ), array( 1, 2, 8, 9, 1000 ) ) );
	}

	/** @dataProvider statuses */
	public function test_only_2xx_is_taken( int $status, string $outcome ): void {
		$this->assertSame( $outcome, Rhythm::outcome( $status ) );
	}

	public function statuses(): array {
		return array(
			array( 200, 'taken' ),
			array( 204, 'taken' ),
			array( 301, 'away' ),
			array( 302, 'away' ),
			array( 400, 'refused' ),
			array( 413, 'refused' ),
			array( 500, 'refused' ),
			array( 401, 'refused' ),
			array( 404, 'refused' ),
			array( 410, 'gone' ),
			array( 429, 'away' ),
			array( 502, 'away' ),
			array( 503, 'away' ),
			array( 0, 'away' ),
		);
	}
}
