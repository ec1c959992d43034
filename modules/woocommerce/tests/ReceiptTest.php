<?php
/**
 * How a receipt is asked for.
 *
 * @package Orderbridge
 */

use Orderbridge\Receipt;
use PHPUnit\Framework\TestCase;

final class ReceiptTest extends TestCase {
	public function test_the_request_is_signed_as_standard_webhooks_says(): void {
		// The example of the specification.
		$secret  = base64_decode( 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true );
		$sign    = static fn( string $content ): string => base64_encode( hash_hmac( 'sha256', $content, $secret, true ) );
		$headers = Receipt::headers( 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}', $sign );

		$this->assertSame( 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', $headers['webhook-signature'] );
		$this->assertSame( array( 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330' ), array( $headers['webhook-id'], $headers['webhook-timestamp'] ) );
	}

	/** @dataProvider answers */
	public function test_only_a_link_of_the_web_is_opened( int $status, string $body, ?string $url ): void {
		$this->assertSame( $url, Receipt::link_in( $status, $body ) );
	}

	public function answers(): array {
		return array(
			array( 200, '{"url":"https://tax.example/receipts/abc?t=1"}', 'https://tax.example/receipts/abc?t=1' ),
			array( 404, '{"url":"https://tax.example/receipts/abc"}', null ),
			array( 200, '{"url":"javascript:alert(1)"}', null ),
			array( 200, '{"url":"https://tax.example/\r\nSet-Cookie: a=b"}', null ),
			array( 200, '{"url":["https://tax.example"]}', null ),
			array( 200, '"https://tax.example"', null ),
			array( 200, '<html>', null ),
			array( 0, '', null ),
		);
	}
}
