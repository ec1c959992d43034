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
use Orderbridge\Webhooks;
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
		Store::$flushes    = true;
		Store::$has_tables = false;
		foreach ( array( 'options', 'cached', 'processed', 'answers', 'taken', 'handed_over', 'log', 'hooks', 'sites', 'unscheduled' ) as $name ) {
			Store::${$name} = array();
		}
		Store::$options['woocommerce_orderbridge_settings'] = array( 'sending' => 'yes' );
		Store::$webhooks = array( 1 => new WC_Webhook( 1, 'order.created' ), 2 => new WC_Webhook( 2, 'order.updated' ), 3 => new WC_Webhook( 3, 'order.deleted' ) );
		Store::$orders   = array_combine( range( 1, 23 ), array_map( static fn( int $id ): array => array( 'id' => $id ), range( 1, 23 ) ) );
		Outbox::uninstall();
		Outbox::install();
	}

	public function test_disconnecting_takes_what_is_of_orderbridge_alone(): void {
		$described = array( 'orderbridge - API (2026-12-01 07:30:00)', 'My orderbridge - API (2026-12-01 07:30:00)', 'Zapier - API (2026-12-01 07:30:00)', 'orderbridge' );
		self::$database->query( 'CREATE TABLE wp_woocommerce_api_keys (description varchar(200))' );
		foreach ( $described as $description ) {
			self::$database->query( "INSERT INTO wp_woocommerce_api_keys VALUES ('{$description}')" );
		}
		Store::$webhooks[4] = new WC_Webhook( 4, 'order.updated', 'https://erp.example/webhooks/woocommerce/123' );
		self::$database->query( 'CREATE TABLE wp_wc_webhooks (webhook_id int, delivery_url text)' );
		self::$database->query( "INSERT INTO wp_wc_webhooks VALUES (1, 'https://tax.example/webhooks/woocommerce/c_000000000000000000000001'), (4, 'https://erp.example/webhooks/woocommerce/123')" );
		Webhooks::disconnect();

		$left = array_column( self::$database->query( 'SELECT description FROM wp_woocommerce_api_keys' )->rows, 'description' );
		$rows = array_map( 'intval', array_column( self::$database->query( 'SELECT webhook_id FROM wp_wc_webhooks' )->rows, 'webhook_id' ) );
		self::$database->query( 'DROP TABLE wp_woocommerce_api_keys, wp_wc_webhooks' );
		$this->assertSame( array( array( 4 ), array( 4 ), array_slice( $described, 1 ) ), array( array_keys( Store::$webhooks ), $rows, $left ) );
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

	/** @dataProvider object_caches */
	public function test_an_order_that_another_process_pays_meanwhile_is_sent_as_paid( bool $flushes ): void {
		Store::$flushes = $flushes;
		$this->change( 1, 7 );
		$this->change( 2, 7 );
		Store::$hooks['test_sending'][] = function ( int $webhook ): void {
			if ( 2 === $webhook && ! isset( Store::$orders[7]['paid'] ) ) {
				Store::$orders[7]['paid'] = true;
				$this->change( 2, 7 );
			}
		};
		Sender::run();

		$this->assertContains( '{"id":7}', Store::$taken );
		$this->assertSame( array( '{"id":7,"paid":true}', 0 ), array( end( Store::$taken ), Outbox::count() ) );
	}

	public function object_caches(): array {
		return array( 'that forgets' => array( true ), 'that can not' => array( false ) );
	}

	/** @dataProvider saves */
	public function test_the_time_of_change_moves_with_each_save_of_an_order_that_is_a_post( string $type, string $status, bool $has_tables, string $modified, bool $moves ): void {
		self::$database->query( 'CREATE OR REPLACE TABLE wp_posts (ID INT, post_type TEXT, post_status TEXT, post_modified DATETIME, post_modified_gmt DATETIME)' );
		self::$database->query( "INSERT INTO wp_posts VALUES (7, '{$type}', '{$status}', '{$modified}', '{$modified}'), (8, 'shop_order', 'wc-processing', '2026-01-01', '2026-01-01')" );
		Store::$has_tables = $has_tables;
		Sender::hook();
		Store::act( 'woocommerce_update_order', 7 );

		$moved = self::$database->query( "SELECT ID, post_status, post_modified - INTERVAL 2 HOUR = post_modified_gmt AND ABS(TIMESTAMPDIFF(SECOND, post_modified_gmt, UTC_TIMESTAMP())) < 60 AS moved FROM wp_posts" )->rows;
		$this->assertSame( array( array( 'ID' => '7', 'post_status' => $status, 'moved' => (string) (int) $moves ), array( 'ID' => '8', 'post_status' => 'wc-processing', 'moved' => '0' ) ), $moved );
	}

	public function saves(): array {
		return array(
			'paid'                => array( 'shop_order', 'wc-processing', false, '2026-01-01', true ),
			'of the future'       => array( 'shop_order', 'wc-processing', false, '2099-01-01', false ),
			'a draft'             => array( 'shop_order', 'wc-checkout-draft', false, '2026-01-01', false ),
			'begun in the admin'  => array( 'shop_order', 'auto-draft', false, '2026-01-01', false ),
			'a refund'            => array( 'shop_order_refund', 'wc-completed', false, '2026-01-01', false ),
			'copied from a table' => array( 'shop_order', 'wc-processing', true, '2026-01-01', false ),
		);
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

	/** @dataProvider deletions */
	public function test_a_sale_is_kept_however_it_is_deleted( int $order, array $actions ): void {
		Sender::hook();
		$this->change( 1, $order );
		Store::$cached[ $order ] = array( 'id' => $order, 'was' => 'changed by another process' );
		foreach ( $actions as $action ) {
			Store::act( $action, $order );
			Store::$orders[ $order ] = array( 'id' => $order, 'has' => 'no lines' );
		}
		unset( Store::$orders[ $order ] );
		Sender::run();

		$this->assertSame( array( "{\"id\":{$order}}" ), Store::$taken );
	}

	public function deletions(): array {
		return array(
			'orders as posts' => array( 1, array( 'before_delete_post' ) ),
			'by code'         => array( 2, array( 'woocommerce_before_delete_order', 'before_delete_post' ) ),
			'in tables'       => array( 3, array( 'woocommerce_before_delete_order' ) ),
		);
	}

	/** @dataProvider settings */
	public function test_an_order_as_post_that_is_deleted_past_woocommerce_is_reported( int $order, string $sending, array $taken ): void {
		Store::$options['woocommerce_orderbridge_settings'] = array( 'sending' => $sending );
		Store::$webhooks[4]                                 = new WC_Webhook( 4, 'action.woocommerce_delete_order' );
		Sender::hook();
		if ( array() !== $taken ) {
			$this->change( 1, $order );
		}
		foreach ( array( $order, 99 ) as $post ) {
			Store::act( 'before_delete_post', $post );
			unset( Store::$orders[ $post ] );
			Store::act( 'deleted_post', $post );
		}
		$this->assertSame( array( 'action.woocommerce_delete_order' ), Store::$processed );
		if ( array() !== $taken ) {
			$this->change( 4, $order );
			Sender::run();
			$this->assertSame( $taken, Store::$taken );
		}
	}

	public function settings(): array {
		return array(
			'the plugin sends'  => array( 21, 'yes', array( '{"id":21}', '{"action":"woocommerce_delete_order","arg":21}' ) ),
			'WooCommerce sends' => array( 22, 'no', array() ),
		);
	}

	public function test_an_order_in_tables_stays_when_the_post_is_deleted_that_it_was(): void {
		Store::$has_tables = true;
		Store::$webhooks[4] = new WC_Webhook( 4, 'action.woocommerce_delete_order' );
		Sender::hook();
		Store::act( 'before_delete_post', 23 );
		Store::act( 'deleted_post', 23 );
		$this->change( 2, 23 );
		Sender::run();

		$this->assertSame( array( '{"id":23}' ), Store::$taken );
	}

	public function test_a_page_that_is_deleted_is_no_order(): void {
		Sender::hook();
		$this->change( 1, 99 );
		Store::act( 'before_delete_post', 99 );

		$this->assertNull( Outbox::kept( Outbox::due()[0] ) );
	}

	public function test_a_sale_that_is_deleted_while_others_are_sent_is_sent_as_it_was(): void {
		Sender::hook();
		$this->change( 1, 9 );
		$this->change( 2, 4 );
		Store::$hooks['test_sending'][] = function ( int $webhook ): void {
			if ( 1 === $webhook ) {
				Store::act( 'before_delete_post', 4 );
				unset( Store::$orders[4] );
				$this->change( 3, 4 );
			}
		};
		Sender::run();

		$this->assertSame( array( array( '{"id":9}', '{"id":4}', '{"deleted":4}' ), 0 ), array( Store::$taken, Outbox::count() ) );
	}

	/** @dataProvider news_of_deletion */
	public function test_no_news_of_a_deletion_goes_before_the_sale( int $order, string $topic, string $news ): void {
		Sender::hook();
		Store::$webhooks[4] = new WC_Webhook( 4, $topic );
		Store::$answers[1]  = 400;
		$this->change( 1, $order );
		Store::act( 'woocommerce_before_delete_order', $order );
		unset( Store::$orders[ $order ] );
		$this->change( 4, $order );
		Sender::run();
		$this->assertSame( array(), Store::$taken );

		Store::$answers = array();
		$this->later( 120 );
		Sender::run();
		$this->assertSame( array( "{\"id\":{$order}}", $news ), Store::$taken );
	}

	public function news_of_deletion(): array {
		return array(
			array( 12, 'order.deleted', '{"deleted":12}' ),
			array( 8, 'action.woocommerce_delete_order', '{"action":"woocommerce_delete_order","arg":8}' ),
		);
	}

	public function test_a_sale_that_is_refused_for_a_day_no_longer_holds_its_deletion_up(): void {
		Sender::hook();
		Store::$answers[1] = 413;
		$this->change( 1, 10 );
		Store::act( 'woocommerce_before_delete_order', 10 );
		unset( Store::$orders[10] );
		$this->change( 3, 10 );
		for ( $refused = 1; $refused <= 30; $refused++ ) {
			$this->assertSame( array(), Store::$taken );
			Sender::run();
			$this->later( 3600 );
		}
		Sender::run();
		$this->assertSame( array( array( '{"deleted":10}' ), 1 ), array( Store::$taken, Outbox::count() ) );
	}

	public function test_nothing_more_is_said_of_an_order_that_was_sent_and_is_deleted(): void {
		Store::$options['orderbridge_taken_at'] = time();
		Sender::keep_deleted( 5 );

		$this->assertSame( array( false, false, 1 ), array( $this->change( 2, 5 ), $this->change( 3, 5 ), Outbox::count() ) );
	}

	public function test_a_whole_network_hands_over_what_waits_on_each_site(): void {
		$this->change( 1, 7 );
		Store::$sites = array( 2 => Store::$options, 3 => array() );
		unset( Store::$sites[2]['orderbridge_outbox'] );
		switch_to_blog( 2 );
		Outbox::install();
		$this->change( 2, 11 );
		restore_current_blog();
		Sender::stop( true );

		$this->assertSame( array( array( 1, 2 ), array( 'wp_', 'wp_2_' ) ), array( Store::$handed_over, Store::$unscheduled ) );
	}

	public function test_one_site_of_a_network_hands_over_what_waits_on_it(): void {
		$this->change( 1, 7 );
		Store::$sites = array( 2 => Store::$options );
		Sender::stop( false );

		$this->assertSame( array( array( 1 ), array( 'wp_' ) ), array( Store::$handed_over, Store::$unscheduled ) );
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
		if ( isset( Store::$options['orderbridge_retry'] ) ) {
			Store::$options['orderbridge_retry']['at'] -= $seconds;
		}
	}
}
