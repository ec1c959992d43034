<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\ConnectionCode;
use PHPUnit\Framework\TestCase;

final class ConnectionCodeTest extends TestCase
{
    private const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZS8+';

    public function testACodeIsTheAddressWithTheSecretAsItsUser(): void
    {
        $code = ConnectionCode::parse($this->code());
        self::assertSame('https://bridge.example/webhooks/standard/7', $code?->address);
    }

    public function testASecretIsTakenWithPercentSignsOrWithout(): void
    {
        $encoded = ConnectionCode::parse($this->code());
        $plain = ConnectionCode::parse('https://whsec_' . self::SECRET . '@bridge.example/webhooks/standard/7');
        self::assertSame($encoded?->headers('a', 1, 'b'), $plain?->headers('a', 1, 'b'));
    }

    public function testSignsAsStandardWebhooksSays(): void
    {
        $key = base64_decode(self::SECRET, true);
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', 'msg_1.1700000000.{}', (string) $key, true));
        $headers = ConnectionCode::parse($this->code())?->headers('msg_1', 1700000000, '{}');
        self::assertContains("webhook-signature: $wanted", $headers ?? []);
    }

    /** @dataProvider others */
    public function testAnythingElseIsNoCode(string $text): void
    {
        self::assertNull(ConnectionCode::parse($text));
    }

    /** @return list<list<string>> */
    public function others(): array
    {
        return [
            [''],
            ['https://bridge.example/webhooks/standard/7'],
            ['https://whsec_short@bridge.example/webhooks/standard/7'],
            ['https://secret:whsec_' . self::SECRET . '@bridge.example/'],
            ['ftp://whsec_' . self::SECRET . '@bridge.example/'],
            ['whsec_' . self::SECRET],
        ];
    }

    public function testARequestIsTrustedOnlyIfItIsSignedAndFresh(): void
    {
        $code = ConnectionCode::parse($this->code());
        $key = (string) base64_decode(self::SECRET, true);
        $uri = '/index.php?route=a%2Fb&ids=1%2C2';
        $server = [
            'HTTP_WEBHOOK_ID' => 'msg_1',
            'HTTP_WEBHOOK_TIMESTAMP' => '1700000000',
            'HTTP_WEBHOOK_SIGNATURE' => 'v1,' . base64_encode(hash_hmac('sha256', "msg_1.1700000000.$uri", $key, true)),
            'REQUEST_URI' => $uri,
        ];
        self::assertTrue($code?->hasSigned($server, 1700000300));
        self::assertFalse($code?->hasSigned($server, 1700000301));
        self::assertFalse($code?->hasSigned(['REQUEST_URI' => "$uri&ids=3"] + $server, 1700000000));
        self::assertFalse($code?->hasSigned([], 1700000000));
    }

    private function code(): string
    {
        return 'https://whsec_' . rawurlencode(self::SECRET) . '@bridge.example/webhooks/standard/7';
    }
}
