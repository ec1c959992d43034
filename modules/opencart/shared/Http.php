<?php

declare(strict_types=1);

namespace Orderbridge;

/** One POST to orderbridge. */
class Http
{
    /**
     * @param list<string> $headers
     * @return array{status: int, body: string, retryAfter: int|null} status 0: no answer, and `body` says why
     */
    public function post(string $address, array $headers, string $body, int $seconds): array
    {
        $retryAfter = null;
        $curl = curl_init($address);
        curl_setopt_array($curl, [
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT => min($seconds, 5),
            CURLOPT_TIMEOUT => $seconds,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_HEADERFUNCTION => static function (mixed $unused, string $line) use (&$retryAfter): int {
                if (preg_match('/^retry-after:\s*(\d+)/i', $line, $found) === 1) {
                    $retryAfter = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        $answer = curl_exec($curl);
        $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $isAnswered = is_string($answer);
        $text = $isAnswered ? $answer : curl_error($curl);
        return ['status' => $isAnswered ? $status : 0, 'body' => $text, 'retryAfter' => $retryAfter];
    }
}
