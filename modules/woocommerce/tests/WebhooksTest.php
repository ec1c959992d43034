<?php
/**
 * Which webhooks are those of orderbridge, and where a link leads.
 *
 * @package Orderbridge
 */

use Orderbridge\Webhooks;
use PHPUnit\Framework\TestCase;

final class WebhooksTest extends TestCase {
	private const ID = 'c_0123456789abcdef01234567';

	/** @dataProvider addresses */
	public function test_an_address_of_a_connection_leads_to_orderbridge( string $url, bool $leads ): void {
		$this->assertSame( $leads, Webhooks::leads_to_orderbridge( $url ) );
	}

	public function addresses(): array {
		$id = self::ID;
		return array(
			array( "https://tax.example/webhooks/woocommerce/{$id}", true ),
			array( "https://tax.example/webhooks/woocommerce/{$id}/", true ),
			array( "https://example.com:8080/tax/webhooks/woocommerce/{$id}", true ),
			array( "http://tax.example/webhooks/woocommerce/{$id}", true ),
			array( "https://tax.example/webhooks/woocommerce/{$id}/receipt-link", false ),
			array( "https://tax.example/webhooks/shopify/{$id}", false ),
			array( 'https://erp.example/webhooks/woocommerce/123', false ),
			array( "https://tax.example/?x=/webhooks/woocommerce/{$id}", false ),
			array( "ftp://tax.example/webhooks/woocommerce/{$id}", false ),
			array( '', false ),
		);
	}

	public function test_the_link_of_an_invitation_leads_to_its_step_store_with_this_stores_address(): void {
		$token = str_repeat( 'aB3-_', 9 );

		$this->assertSame(
			"https://tax.example/connect/{$token}/store?platform=woocommerce&address=https%3A%2F%2Fshop.example%2F%D0%BA%26a",
			Webhooks::connect_address( "https://tax.example/connect/{$token}/company?x=1", 'https://shop.example/к&a' )
		);
	}

	/** @dataProvider others */
	public function test_another_link_leads_nowhere( string $link ): void {
		$this->assertNull( Webhooks::connect_address( $link, 'https://shop.example' ) );
	}

	public function others(): array {
		return array(
			array( 'https://tax.example/connect' ),
			array( 'https://tax.example/connect/short' ),
			array( 'https://tax.example/?/connect/' . str_repeat( 'a', 40 ) ),
			array( 'javascript:/connect/' . str_repeat( 'a', 40 ) ),
			array( '' ),
		);
	}
}
