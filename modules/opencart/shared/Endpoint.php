<?php

declare(strict_types=1);

namespace Orderbridge;

/** Lists orders for orderbridge (docs/own-shop.md, “Letting orderbridge read orders”). */
final class Endpoint
{
    private const MOST = 100;

    public function __construct(
        private readonly ?ConnectionCode $connection,
        private readonly Outbox $outbox,
        private readonly OrderReader $orders,
    ) {
    }

    /**
     * @param array<string, mixed> $server
     * @param array<string, mixed> $query
     * @return array{status: int, body: array<string, mixed>}
     */
    public function answer(array $server, array $query): array
    {
        if ($this->connection === null || !$this->connection->hasSigned($server, time())) {
            return ['status' => 401, 'body' => ['error' => 'the signature is missing, wrong or older than 5 minutes']];
        }
        if (is_string($query['ids'] ?? null)) {
            return ['status' => 200, 'body' => ['orders' => $this->named($query['ids']), 'next' => null]];
        }
        $since = Clock::msOf((string) ($query['changed_since'] ?? ''));
        $after = isset($query['after']) ? self::place((string) $query['after']) : null;
        if ($since === null || (isset($query['after']) && $after === null)) {
            return ['status' => 400, 'body' => ['error' => 'changed_since or after is not as described']];
        }
        if ($after === null) {
            $this->outbox->adopt();
        }
        $limit = max(1, min(self::MOST, (int) ($query['limit'] ?? self::MOST)));
        return ['status' => 200, 'body' => $this->page($since, $after, $limit)];
    }

    /**
     * Only the last page may be empty.
     *
     * @param array{int, int}|null $after
     * @return array<string, mixed>
     */
    private function page(int $since, ?array $after, int $limit): array
    {
        do {
            $rows = $this->outbox->page($since, $after, $limit + 1);
            $isLast = count($rows) <= $limit;
            $rows = array_slice($rows, 0, $limit);
            $last = end($rows);
            $after = $isLast || $last === false ? null : [(int) $last['changed_at'], (int) $last['order_id']];
            $orders = $this->whole($rows);
        } while ($orders === [] && $after !== null);
        return ['orders' => $orders, 'next' => $after === null ? null : "$after[0]-$after[1]"];
    }

    /** @return list<array<string, mixed>> */
    private function named(string $ids): array
    {
        $rows = [];
        foreach (array_slice(explode(',', $ids), 0, self::MOST) as $id) {
            $row = preg_match('/^[1-9]\d{0,9}$/', $id) === 1 ? $this->outbox->of((int) $id) : null;
            if ($row !== null) {
                $rows[] = $row;
            }
        }
        return $this->whole($rows);
    }

    /**
     * An order that is being edited is left out: the end of the edit lists it anew. So is one that can't be read,
     * which is logged.
     *
     * @param list<array<string, mixed>> $rows
     * @return list<array<string, mixed>>
     */
    private function whole(array $rows): array
    {
        $orders = [];
        foreach ($rows as $row) {
            try {
                $orders[] = $this->orders->order($row);
            } catch (\Throwable $thrown) {
                error_log("orderbridge: order {$row['order_id']} is not listed: " . Problem::of($thrown));
            }
        }
        return array_values(array_filter($orders));
    }

    /** @return array{int, int}|null */
    private static function place(string $after): ?array
    {
        return preg_match('/^(\d{1,15})-(\d{1,10})$/', $after, $parts) === 1
            ? [(int) $parts[1], (int) $parts[2]]
            : null;
    }
}
