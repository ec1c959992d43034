<?php

declare(strict_types=1);

namespace Orderbridge;

/** Sends what waits in the outbox. */
final class Sender
{
    /** What is wrong with one message, and with no other. */
    private const OWN_FAULT = [400, 413, 415, 422];
    private const PAGE = 20;
    /** Seconds until an order that is being edited is looked at again. */
    private const EDITED = 30;
    /** Seconds until a message is tried again at which orderbridge could not be reached, perhaps because of it. */
    private const STEPS_BACK = 60;
    private const ASKED_AT_ONCE = 100;
    /** A page of the administration waits for it. */
    private const SECONDS_OF_A_PAGE = 3;

    public function __construct(
        private readonly ConnectionCode $connection,
        private readonly Outbox $outbox,
        private readonly OrderReader $orders,
        private readonly Http $http,
    ) {
    }

    /** Until nothing is due, orderbridge can't be reached, or the seconds are over; returns how many were sent. */
    public function send(int $seconds): int
    {
        return $this->outbox->alone(fn (): int => $this->sendAll(microtime(true) + $seconds)) ?? 0;
    }

    /** A trial order, which orderbridge takes and never records; null: it was taken. */
    public function test(): ?string
    {
        $now = Clock::now();
        $order = [
            'id' => "test-$now", 'number' => "test-$now", 'status' => 'paid', 'test' => true,
            'createdAt' => Clock::iso($now), 'updatedAt' => Clock::iso($now), 'paidAt' => Clock::iso($now),
            'currency' => 'EUR', 'total' => '1.20', 'refunds' => [],
            'lines' => [['id' => '1', 'name' => 'Test', 'quantity' => 1, 'amount' => '1.20', 'vatRate' => '20']],
            'payment' => ['method' => 'stripe', 'transactionId' => "test-$now"],
        ];
        $answer = $this->post("msg_test_$now", $order, 10);
        return $answer['status'] === 200 ? null : self::problem($answer);
    }

    /**
     * Where the receipt of an order can be read for a short time.
     *
     * @return array{url: string|null, problem: string}
     */
    public function receipt(int $id): array
    {
        $answer = $this->ask('/receipt-link', ['order' => (string) $id], 10);
        $given = json_decode($answer['body'], true);
        $url = is_array($given) && is_string($given['url'] ?? null) ? $given['url'] : '';
        $isLink = $answer['status'] === 200 && preg_match('~^https?://~i', $url) === 1;
        return ['url' => $isLink ? $url : null, 'problem' => self::problem($answer)];
    }

    /**
     * What became of orders, as orderbridge says; without those that it does not know. Empty while it can't be asked.
     *
     * @param list<int> $ids
     * @return array<int, array{state: string, document: string|null, why: string|null}> by order
     */
    public function states(array $ids, string $language): array
    {
        $told = [];
        foreach ($this->outbox->mayAsk() ? array_chunk($ids, self::ASKED_AT_ONCE) : [] as $some) {
            $asked = ['orders' => array_map('strval', $some), 'lang' => $language];
            $answer = $this->ask('/order-states', $asked, self::SECONDS_OF_A_PAGE);
            if ($answer['status'] === 0 || $answer['status'] >= 500) {
                $this->outbox->pauseAsking();
            }
            $given = json_decode($answer['body'], true);
            if ($answer['status'] !== 200 || !is_array($given['orders'] ?? null)) {
                break;
            }
            foreach ($given['orders'] as $one) {
                $texts = array_filter(is_array($one) ? $one : [], is_string(...));
                if (isset($texts['order'], $texts['state'])) {
                    $told[(int) $texts['order']] = $texts + ['document' => null, 'why' => null];
                }
            }
        }
        return $told;
    }

    /**
     * @param array<string, mixed> $question
     * @return array{status: int, body: string, retryAfter: int|null}
     */
    private function ask(string $path, array $question, int $seconds): array
    {
        $body = json_encode($question, JSON_THROW_ON_ERROR);
        $headers = $this->connection->headers('msg_' . bin2hex(random_bytes(12)), time(), $body);
        return $this->http->post($this->connection->address . $path, $headers, $body, $seconds);
    }

    private function sendAll(float $deadline): int
    {
        $count = 0;
        $sent = [];
        while (!$this->outbox->isPaused()) {
            $rows = array_filter($this->outbox->due(self::PAGE), fn (array $row): bool =>
                ($sent[$row['order_id']] ?? 0) < 3);
            if ($rows === []) {
                break;
            }
            foreach ($rows as $row) {
                if (microtime(true) > $deadline) {
                    return $count;
                }
                $sent[$row['order_id']] = ($sent[$row['order_id']] ?? 0) + 1;
                $isSent = $this->tryOne($row, (int) max(1, min(15, ceil($deadline - microtime(true)))));
                if ($isSent === null) {
                    return $count;
                }
                $count += $isSent ? 1 : 0;
            }
        }
        return $count;
    }

    /**
     * An order of which no message can be made holds no other up.
     *
     * @param array<string, mixed> $row
     */
    private function tryOne(array $row, int $seconds): ?bool
    {
        try {
            return $this->sendOne($row, $seconds);
        } catch (\Throwable $thrown) {
            $this->outbox->refused($row, Problem::of($thrown));
            return false;
        }
    }

    /**
     * Null: no other message would be taken either.
     *
     * @param array<string, mixed> $row
     */
    private function sendOne(array $row, int $seconds): ?bool
    {
        $last = json_decode((string) $row['last'], true);
        $order = is_array($last) ? $last : $this->orders->order($row);
        if ($order === null) {
            $this->outbox->later($row, self::EDITED, 'The order is being edited.');
            return false;
        }
        $changedAt = Clock::msOf((string) $order['updatedAt']);
        $answer = $this->post("msg_{$row['order_id']}_$changedAt", $order, $seconds);
        if ($answer['status'] >= 200 && $answer['status'] < 300) {
            $this->outbox->resume();
            is_array($last) ? $this->outbox->lastSent((int) $row['order_id']) : $this->outbox->sent($row);
            return true;
        }
        if (in_array($answer['status'], self::OWN_FAULT, true)) {
            $this->outbox->refused($row, self::problem($answer));
            return false;
        }
        $this->outbox->pause(self::problem($answer), $answer['retryAfter']);
        $this->outbox->later($row, self::STEPS_BACK, self::problem($answer), (int) $row['attempts'] + 1);
        return null;
    }

    /**
     * @param array<string, mixed> $order
     * @return array{status: int, body: string, retryAfter: int|null}
     */
    private function post(string $id, array $order, int $seconds): array
    {
        $type = isset($order['deleted']) ? 'deleted' : 'updated';
        $message = ['type' => "order.$type", 'timestamp' => Clock::iso(Clock::now()), 'data' => ['order' => $order]];
        $body = json_encode($message, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        $headers = $this->connection->headers($id, time(), $body);
        return $this->http->post($this->connection->address, $headers, $body, $seconds);
    }

    /** @param array{status: int, body: string, retryAfter: int|null} $answer */
    private static function problem(array $answer): string
    {
        $given = json_decode($answer['body'], true);
        $detail = is_array($given) ? $given['detail'] ?? $given['error'] ?? null : null;
        $text = trim(mb_substr(is_string($detail) ? $detail : $answer['body'], 0, 300));
        return $answer['status'] === 0 ? $text : trim("{$answer['status']} $text");
    }
}
