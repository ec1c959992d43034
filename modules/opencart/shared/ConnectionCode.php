<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the merchant pastes: the webhook address of a connection, with its secret as the user part. */
final class ConnectionCode
{
    private const TOLERANCE_SECONDS = 300;

    private function __construct(public readonly string $address, private readonly string $key)
    {
    }

    /** Null: the text is no connection code. */
    public static function parse(string $code): ?self
    {
        if (preg_match('~^(https?)://(?:whsec_|whsec%5F)([^@\s]+)@([^@\s]+)$~i', trim($code), $parts) !== 1) {
            return null;
        }
        $key = base64_decode(rawurldecode($parts[2]), true);
        if ($key === false || strlen($key) < 24 || strlen($key) > 64) {
            return null;
        }
        return new self(strtolower($parts[1]) . '://' . $parts[3], $key);
    }

    /**
     * The headers of a message, as Standard Webhooks 1.0 says.
     *
     * @return list<string>
     */
    public function headers(string $id, int $now, string $body): array
    {
        return [
            'Content-Type: application/json',
            "webhook-id: $id",
            "webhook-timestamp: $now",
            'webhook-signature: ' . $this->sign("$id.$now.$body"),
        ];
    }

    /**
     * Whether a request for orders is from orderbridge, and fresh.
     *
     * @param array<string, mixed> $server the variables of the request, with its path and query as they came
     */
    public function hasSigned(array $server, int $now): bool
    {
        $id = (string) ($server['HTTP_WEBHOOK_ID'] ?? '');
        $timestamp = (string) ($server['HTTP_WEBHOOK_TIMESTAMP'] ?? '');
        $signature = (string) ($server['HTTP_WEBHOOK_SIGNATURE'] ?? '');
        $wanted = $this->sign("$id.$timestamp." . ($server['REQUEST_URI'] ?? ''));
        return $id !== ''
            && preg_match('/^\d{1,12}$/', $timestamp) === 1
            && abs($now - (int) $timestamp) <= self::TOLERANCE_SECONDS
            && hash_equals($wanted, $signature);
    }

    private function sign(string $content): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', $content, $this->key, true));
    }
}
