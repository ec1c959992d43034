<?php

declare(strict_types=1);

namespace Orderbridge;

/**
 * One row for each order: when it last changed, and whether that was sent. What is sent is the order as it is
 * then, so that nothing is sent out of turn, and several changes need one message.
 * The row of order 0 has how long nothing is sent, and why; that of order -1, how long no page asks for states; that
 * of order -2, in `changed_at`, the last row of OpenCart's history that was looked at, and in `last` those before it.
 */
final class Outbox
{
    private const SECONDS_OF_PAUSE = [5, 15, 30, 60, 60, 60, 60, 60, 300, 300, 900];
    private const SECONDS_OF_REFUSED = [60, 300, 1800, 7200, 86400];
    private const ADOPTED_AT_ONCE = 500;
    private const SECONDS_UNASKED = 60;
    /** A process may send by the settings that it began with for so long. */
    private const SECONDS_OF_SENDING = 60;
    /** Rows of the history that may be committed after a later one. */
    private const LATE_ROWS = 5000;

    public function __construct(private readonly Database $database)
    {
    }

    /**
     * Orders from before the module are in the list that orderbridge reads, and wait for nothing. A new status moves
     * `date_modified` in 3.0 only; both versions write it into the history.
     */
    public function create(): void
    {
        $this->database->run('CREATE TABLE IF NOT EXISTS {orderbridge_order} (
            `order_id` INT NOT NULL PRIMARY KEY,
            `changed_at` BIGINT NOT NULL,
            `deleted` TINYINT NOT NULL DEFAULT 0,
            `waits` TINYINT NOT NULL DEFAULT 1,
            `attempts` INT NOT NULL DEFAULT 0,
            `next_at` BIGINT NOT NULL DEFAULT 0,
            `sent_at` BIGINT NULL,
            `refunds` TEXT NULL,
            `last` MEDIUMTEXT NULL,
            `problem` VARCHAR(500) NULL,
            KEY `changed` (`changed_at`, `order_id`),
            KEY `due` (`waits`, `next_at`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4');
        $this->database->run('INSERT IGNORE INTO {orderbridge_order} (`order_id`, `changed_at`, `waits`)
            SELECT o.`order_id`,
                UNIX_TIMESTAMP(GREATEST(o.`date_modified`, COALESCE(h.`at`, o.`date_modified`))) * 1000, 0
            FROM {order} o LEFT JOIN
                (SELECT `order_id`, MAX(`date_added`) AS `at` FROM {order_history} GROUP BY `order_id`) h
                ON h.`order_id` = o.`order_id` WHERE o.`order_status_id` > 0');
        $this->lookAtHistory();
    }

    public function drop(): void
    {
        $this->database->run('DROP TABLE IF EXISTS {orderbridge_order}');
    }

    /** Each change has a later moment than the one before; an order without a status is no order yet. */
    public function changed(int $id): void
    {
        $this->database->run('INSERT INTO {orderbridge_order} (`order_id`, `changed_at`)
            SELECT `order_id`, ? FROM {order} WHERE `order_id` = ? AND `order_status_id` > 0
            ON DUPLICATE KEY UPDATE `changed_at` = GREATEST(VALUES(`changed_at`), {orderbridge_order}.`changed_at` + 1),
                `deleted` = 0, `waits` = 1, `attempts` = 0, `next_at` = 0', [Clock::now(), $id]);
        // With its event, a row of the history is not new any more. Read alone it waits for no other program's lock.
        $sql = 'SELECT `order_history_id` AS `last` FROM {order_history} WHERE `order_id` = ?
            ORDER BY `order_history_id` DESC LIMIT 1';
        $last = (int) ($this->database->row($sql, [$id])['last'] ?? 0);
        $sql = "UPDATE {orderbridge_order} SET `last` = CONCAT(`last`, ',', ?) WHERE `order_id` = -2";
        $this->database->run($sql, [$last]);
    }

    /**
     * An order that orderbridge has not yet as it is stays as it was, until it is sent: a sale must not go unseen.
     *
     * @param array<string, mixed> $order
     */
    public function deleting(int $id, array $order): void
    {
        $last = json_encode($order, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        $sql = 'UPDATE {orderbridge_order} SET `last` = ? WHERE `order_id` = ? AND `waits` = 1 AND `deleted` = 0';
        $this->database->run($sql, [$last, $id]);
    }

    /** What was sent is sent again, by settings that are saved by then; orders that change go before it. */
    public function again(): void
    {
        $now = Clock::now();
        $this->database->run('UPDATE {orderbridge_order} SET `changed_at` = GREATEST(?, `changed_at` + 1), `waits` = 1,
            `attempts` = 0, `next_at` = ? WHERE `order_id` > 0 AND `deleted` = 0
            AND (`waits` = 1 OR `sent_at` IS NOT NULL)', [$now, $now + self::SECONDS_OF_SENDING * 1000]);
    }

    public function lastSent(int $id): void
    {
        $this->database->run('UPDATE {orderbridge_order} SET `last` = NULL WHERE `order_id` = ?', [$id]);
    }

    public function deleted(int $id): void
    {
        $this->database->run('UPDATE {orderbridge_order} SET `changed_at` = GREATEST(?, `changed_at` + 1),
            `deleted` = 1, `waits` = 1, `attempts` = 0, `next_at` = 0, `refunds` = NULL
            WHERE `order_id` = ?', [Clock::now(), $id]);
    }

    /** Takes in orders and statuses that other programs wrote without OpenCart's events, and orders that they removed. */
    public function adopt(): void
    {
        $this->database->run('INSERT IGNORE INTO {orderbridge_order} (`order_id`, `changed_at`)
            SELECT o.`order_id`, ? FROM {order} o LEFT JOIN {orderbridge_order} b ON b.`order_id` = o.`order_id`
            WHERE o.`order_status_id` > 0 AND b.`order_id` IS NULL LIMIT ' . self::ADOPTED_AT_ONCE, [Clock::now()]);
        $gone = $this->database->rows('SELECT b.`order_id` FROM {orderbridge_order} b
            LEFT JOIN {order} o ON o.`order_id` = b.`order_id`
            WHERE b.`order_id` > 0 AND b.`deleted` = 0 AND o.`order_id` IS NULL LIMIT ' . self::ADOPTED_AT_ONCE);
        foreach ($gone as $row) {
            $this->deleted((int) $row['order_id']);
        }
        $this->lookAtHistory();
    }

    /** By id, not by time: a row may be committed after later ones, and another program may write in another zone. */
    private function lookAtHistory(): void
    {
        $before = $this->of(-2);
        $sql = 'SELECT MAX(`order_history_id`) AS `last` FROM {order_history}';
        $last = (int) ($this->database->row($sql)['last'] ?? 0);
        $sql = 'SELECT `order_history_id`, `order_id` FROM {order_history} WHERE `order_history_id` > ?';
        $rows = $this->database->rows($sql, [(int) min($before['changed_at'] ?? $last, $last) - self::LATE_ROWS]);
        $orders = array_column($rows, 'order_id', 'order_history_id');
        $known = isset($before['last']) ? array_flip(explode(',', (string) $before['last'])) : $orders;
        foreach (array_unique(array_diff_key($orders, $known)) as $id) {
            $this->changed((int) $id);
        }
        $this->database->run('REPLACE INTO {orderbridge_order} (`order_id`, `changed_at`, `waits`, `last`)
            VALUES (-2, ?, 0, ?)', [$last, '0,' . implode(',', array_keys($orders))]);
    }

    /** @return list<array<string, mixed>> those that failed are behind all others: none holds another up */
    public function due(int $size): array
    {
        return $this->database->rows('SELECT * FROM {orderbridge_order}
            WHERE `waits` = 1 AND `next_at` <= ? AND `order_id` > 0
            ORDER BY `next_at`, `changed_at`, `order_id` LIMIT ' . $size, [Clock::now()]);
    }

    /** @return array<string, mixed>|null */
    public function of(int $id): ?array
    {
        return $this->database->row('SELECT * FROM {orderbridge_order} WHERE `order_id` = ?', [$id]);
    }

    /**
     * @return list<array<string, mixed>> changed at `$since` or later, and after the last one of the page before
     * @param array{int, int}|null $after
     */
    public function page(int $since, ?array $after, int $size): array
    {
        return $this->database->rows('SELECT * FROM {orderbridge_order}
            WHERE `order_id` > 0 AND `changed_at` >= ? AND (`changed_at`, `order_id`) > (?, ?)
            ORDER BY `changed_at`, `order_id` LIMIT ' . $size, [$since, $after[0] ?? -1, $after[1] ?? -1]);
    }

    public function waiting(): int
    {
        $sql = 'SELECT COUNT(*) AS `rows` FROM {orderbridge_order} WHERE `waits` = 1 AND `order_id` > 0';
        return (int) ($this->database->row($sql)['rows'] ?? 0);
    }

    public function forget(): void
    {
        $this->database->run('UPDATE {orderbridge_order} SET `waits` = 0, `last` = NULL WHERE `waits` = 1');
    }

    /** @param array<string, mixed> $row as it was read: a change since then waits for its own message */
    public function sent(array $row): void
    {
        $this->database->run('UPDATE {orderbridge_order} SET `waits` = IF(`changed_at` = ?, 0, 1), `sent_at` = ?,
            `attempts` = 0, `problem` = NULL WHERE `order_id` = ?', [
            (int) $row['changed_at'], Clock::now(), (int) $row['order_id'],
        ]);
    }

    /** @param array<string, mixed> $row */
    public function refused(array $row, string $problem): void
    {
        $attempts = (int) $row['attempts'] + 1;
        $wait = self::SECONDS_OF_REFUSED[min($attempts, count(self::SECONDS_OF_REFUSED)) - 1];
        $this->later($row, $wait, $problem, $attempts);
    }

    /** @param array<string, mixed> $row */
    public function later(array $row, int $seconds, string $problem, ?int $attempts = null): void
    {
        $sql = 'UPDATE {orderbridge_order} SET `attempts` = ?, `next_at` = ?, `problem` = ?
            WHERE `order_id` = ? AND `changed_at` = ?';
        $this->database->run($sql, [
            $attempts ?? (int) $row['attempts'],
            Clock::now() + $seconds * 1000,
            mb_substr($problem, 0, 500),
            (int) $row['order_id'],
            (int) $row['changed_at'],
        ]);
    }

    public function pause(string $problem, ?int $retryAfter): void
    {
        $attempts = (int) ($this->of(0)['attempts'] ?? 0) + 1;
        $wait = self::SECONDS_OF_PAUSE[min($attempts, count(self::SECONDS_OF_PAUSE)) - 1];
        $this->database->run('REPLACE INTO {orderbridge_order} (`order_id`, `changed_at`, `waits`, `attempts`,
            `next_at`, `problem`) VALUES (0, 0, 0, ?, ?, ?)', [
            $attempts, Clock::now() + max($wait, min($retryAfter ?? 0, 3600)) * 1000, mb_substr($problem, 0, 500),
        ]);
    }

    public function resume(): void
    {
        $this->database->run('DELETE FROM {orderbridge_order} WHERE `order_id` = 0');
    }

    /** A person asks: all that waits is due. */
    public function retryAll(): void
    {
        $this->resume();
        $this->database->run('UPDATE {orderbridge_order} SET `next_at` = 0 WHERE `waits` = 1');
    }

    /** Why nothing is sent, and until when (ms since 1970); null: it is. */
    public function paused(): ?string
    {
        $row = $this->of(0);
        return $row === null ? null : (string) $row['problem'];
    }

    public function isPaused(): bool
    {
        return (int) ($this->of(0)['next_at'] ?? 0) > Clock::now();
    }

    /** Of states; what is sent does not wait for it. */
    public function pauseAsking(): void
    {
        $this->database->run('REPLACE INTO {orderbridge_order} (`order_id`, `changed_at`, `waits`, `next_at`)
            VALUES (-1, 0, 0, ?)', [Clock::now() + self::SECONDS_UNASKED * 1000]);
    }

    public function mayAsk(): bool
    {
        return !$this->isPaused() && (int) ($this->of(-1)['next_at'] ?? 0) <= Clock::now();
    }

    /** @template T @param callable(): T $work @return T|null null: another process is at it */
    public function alone(callable $work): mixed
    {
        $name = $this->database->lockName();
        if ((int) $this->database->row('SELECT GET_LOCK(?, 1) AS `has`', [$name])['has'] !== 1) {
            return null;
        }
        try {
            return $work();
        } finally {
            $this->database->run('DO RELEASE_LOCK(?)', [$name]);
        }
    }
}
