<?php
/**
 * What the outbox does with answers.
 *
 * @package Orderbridge
 */

use Orderbridge\Failures;
use Orderbridge\Outbox;
use Orderbridge\Sender;
use Orderbridge\Test\ShopDatabase;
use PHPUnit\Framework\TestCase;

final class SenderTest extends TestCase {
	private static string $folder;
	private static ShopDatabase $database;

	public static function setUpBeforeClass(): void {
		self::$folder = sys_get_temp_dir() . '/orderbridge-' . bin2hex( random_bytes( 6 ) );
		mkdir( self::$folder );
		self::$database  = ShopDatabase::start( self::$folder );
		$GLOBALS['wpdb'] = new wpdb( self::$database );
	}

	public static function tearDownAfterClass(): void {
		self::$database->stop();
		exec( 'rm -rf ' . escapeshellarg( self::$folder ) );
	}

	protected function setUp(): void {
		foreach ( array( 'options', 'answers', 'taken', 'handed_over', 'log' ) as $name ) {
			Store::${$name} = array();
		}
		Store::$options['woocommerce_orderbridge_settings'] = array( 'sending' => 'yes' );
		Store::$webhooks = array( 1 => new WC_Webhook( 1, 'order.created' ), 2 => new WC_Webhook( 2, 'order.updated' ), 3 => new WC_Webhook( 3, 'order.deleted' ) );
		Store::$orders   = array_combine( range( 1, 9 ), array_map( static fn( int $id ): array => array( 'id' => $id ), range( 1, 9 ) ) );
		Outbox::uninstall();
		Outbox::install();
	}

	/** @dataProvider answers_to_one */
	public function test_an_answer_to_one_webhook_holds_no_other_up( int $status, int $left ): void {
		Store::$answers[1] = $status;
		$this->change( 1, 7 );
		$this->change( 2, 8 );
		Sender::run();

		$this->assertSame( array( array( '{"id":8}' ), $left ), array( Store::$taken, Outbox::count() ) );
	}

	public function answers_to_one(): array {
		return array( array( 400, 1 ), array( 401, 1 ), array( 404, 1 ), array( 410, 0 ), array( 500, 1 ) );
	}

	public function test_only_a_webhook_whose_connection_was_ended_may_be_disabled(): void {
		foreach ( array( 404 => PHP_INT_MAX, 410 => 5 ) as $status => $allowed ) {
			Store::$answers[1] = $status;
			$this->change( 1, $status );
			Sender::run();
			$this->assertSame( $allowed, Failures::spare( 5 ) );
		}
	}

	public function test_a_message_at_which_the_server_is_away_lets_others_go_first(): void {
		Store::$answers[1] = 502;
		$this->change( 1, 7 );
		Sender::run();
		$this->change( 2, 8 );
		Sender::run();
		$this->assertSame( array(), Store::$taken );

		$this->later( 120 );
		Sender::run();
		$this->assertSame( array( array( '{"id":8}' ), 1 ), array( Store::$taken, Outbox::count() ) );
	}

	public function test_a_change_is_tried_at_once(): void {
		Store::$answers[1] = 400;
		$this->change( 1, 7 );
		Sender::run();
		$this->assertSame( array(), Outbox::due() );

		$this->change( 1, 7 );
		$this->assertSame( array( '0' ), array_column( Outbox::due(), 'attempts' ) );
	}

	public function test_a_change_meanwhile_is_not_postponed(): void {
		$this->change( 1, 7 );
		$row = Outbox::due()[0];
		$this->change( 1, 7 );
		Outbox::postpone( $row );

		$this->assertCount( 1, Outbox::due() );
	}

	public function test_silence_is_noticed_in_a_request_and_handed_over_outside_of_it(): void {
		Store::$options['orderbridge_taken_at'] = time() - 1000;
		Store::$answers                         = array( 1 => 503 );
		$this->change( 1, 7 );
		self::$database->query( 'UPDATE wp_orderbridge_outbox SET created_at = created_at - 1000' );

		$this->assertTrue( $this->change( 1, 8 ) );
		$this->assertSame( array(), Store::$handed_over );
		Sender::run();
		$this->assertSame( array( 1, 1 ), Store::$handed_over );
	}

	public function test_a_message_that_is_refused_for_long_is_no_silence(): void {
		Store::$options['orderbridge_taken_at'] = time() - 2000;
		Store::$answers                         = array( 1 => 400 );
		$this->change( 1, 7 );
		Sender::run();
		self::$database->query( 'UPDATE wp_orderbridge_outbox SET created_at = created_at - 1000' );
		Sender::run();

		$this->assertSame( array( false, array(), 1 ), array( Sender::needs_webhooks(), Store::$handed_over, Outbox::count() ) );
	}

	public function test_an_order_that_changes_after_it_was_refused_for_long_is_no_silence(): void {
		Store::$options['orderbridge_taken_at'] = time() - 2000;
		Store::$answers                         = array( 1 => 400 );
		$this->change( 1, 7 );
		Sender::run();
		self::$database->query( 'UPDATE wp_orderbridge_outbox SET created_at = created_at - 1000' );
		$this->change( 1, 7 );

		$this->assertSame( array( false, array( '0' ) ), array( Sender::needs_webhooks(), array_column( Outbox::due(), 'attempts' ) ) );
	}

	public function test_a_sale_that_is_deleted_before_it_is_sent_is_sent_first(): void {
		Store::$options['orderbridge_taken_at'] = time();
		Store::$answers[1]                      = 502;
		$this->change( 1, 6 );
		Sender::run();
		Sender::keep_deleted( 6 );
		unset( Store::$orders[6] );
		$this->change( 3, 6 );
		$this->later( 16 );
		Sender::run();
		$this->assertSame( array(), Store::$taken );

		Store::$answers = array();
		$this->later( 120 );
		Sender::run();
		$this->assertSame( array( array( '{"id":6}', '{"deleted":6}' ), 0 ), array( Store::$taken, Outbox::count() ) );
	}

	public function test_nothing_more_is_said_of_an_order_that_was_sent_and_is_deleted(): void {
		Store::$options['orderbridge_taken_at'] = time();
		Sender::keep_deleted( 5 );

		$this->assertSame( array( false, false, 1 ), array( $this->change( 2, 5 ), $this->change( 3, 5 ), Outbox::count() ) );
	}

	public function test_without_woocommerce_only_its_minutes_end(): void {
		self::$database->query( "CREATE TABLE wp_actionscheduler_actions (hook VARCHAR(191), status VARCHAR(20))" );
		self::$database->query( "INSERT INTO wp_actionscheduler_actions VALUES ('orderbridge_tick', 'pending'), ('orderbridge_tick', 'complete'), ('other', 'pending')" );
		Outbox::unschedule( 'orderbridge_tick' );

		$this->assertSame( 2, self::$database->query( 'SELECT * FROM wp_actionscheduler_actions' )->num_rows );
	}

	public function test_what_was_not_taken_for_a_month_is_dropped_and_logged(): void {
		Store::$answers[1] = 400;
		$this->change( 1, 7 );
		self::$database->query( 'UPDATE wp_orderbridge_outbox SET created_at = created_at - 2592001' );
		Sender::run();

		$this->assertSame( 0, Outbox::count() );
		$this->assertStringContainsString( 'dropped', end( Store::$log ) );
	}

	private function change( int $webhook, int $order ): bool {
		return Sender::take( true, Store::$webhooks[ $webhook ], $order );
	}

	private function later( int $seconds ): void {
		self::$database->query( "UPDATE wp_orderbridge_outbox SET next_at = next_at - {$seconds}" );
		Store::$options['orderbridge_retry']['at'] -= $seconds;
	}
}
