<?php

declare(strict_types=1);

namespace Orderbridge;

/** Reads orders from OpenCart's tables, and makes what orderbridge takes of them. */
final class OrderReader
{
    /** An edit ends within a request: later, the order is as it stays. */
    private const SECONDS_OF_EDIT = 60;

    private ?bool $hasVouchers = null;

    public function __construct(private readonly Database $database, private readonly Settings $settings)
    {
    }

    /**
     * @param array<string, mixed> $row of the outbox
     * @return array<string, mixed>|null null: the order is being edited at this moment
     */
    public function order(array $row): ?array
    {
        return !(bool) $row['deleted'] && $this->isEdited((int) $row['order_id']) ? null : $this->asItIs($row);
    }

    /**
     * @param array<string, mixed> $row of the outbox
     * @return array<string, mixed>
     */
    public function asItIs(array $row): array
    {
        $id = (int) $row['order_id'];
        $changedAt = (int) $row['changed_at'];
        $rows = (bool) $row['deleted'] ? null : $this->rows($id);
        if ($rows === null) {
            return ['id' => (string) $id, 'deleted' => true, 'updatedAt' => Clock::iso($changedAt)];
        }
        $lines = new OrderLines($rows, $this->rates($rows->order), $this->settings);
        $known = json_decode((string) ($row['refunds'] ?? ''), true) ?: [];
        $times = OrderMessage::refundTimes($lines, $known, $changedAt);
        if ($times !== $known) {
            $sql = 'UPDATE {orderbridge_order} SET `refunds` = ? WHERE `order_id` = ?';
            $this->database->run($sql, [json_encode($times, JSON_THROW_ON_ERROR), $id]);
        }
        return (new OrderMessage($rows, $lines, $this->settings, $times))->order($changedAt);
    }

    /**
     * While OpenCart edits an order, it is void: 3.0 takes its status away, 4.1 gives it the one for that, which
     * moves no `date_modified`.
     */
    private function isEdited(int $id): bool
    {
        $edit = 'NOW() - INTERVAL ' . self::SECONDS_OF_EDIT . ' SECOND';
        $sql = 'SELECT 1 FROM {order} o WHERE `order_id` = ? AND (`order_status_id` = 0 OR `order_status_id` IN'
            . " (SELECT `value` FROM {setting} WHERE `store_id` = 0 AND `key` = 'config_void_status_id'))"
            . " AND (`date_modified` > $edit OR EXISTS (SELECT 1 FROM {order_history} h"
            . " WHERE h.`order_id` = o.`order_id` AND h.`date_added` > $edit))";
        return $this->database->row($sql, [$id]) !== null;
    }

    /** Null: there is no such order. */
    public function rows(int $id): ?OrderRows
    {
        $order = $this->database->row('SELECT * FROM {order} WHERE `order_id` = ?', [$id]);
        if ($order === null) {
            return null;
        }
        $products = 'SELECT * FROM {order_product} WHERE `order_id` = ? ORDER BY `order_product_id`';
        $totals = 'SELECT * FROM {order_total} WHERE `order_id` = ? ORDER BY `sort_order`, `order_total_id`';
        $history = 'SELECT * FROM {order_history} WHERE `order_id` = ? ORDER BY `order_history_id`';
        $currency = 'SELECT `decimal_place` FROM {currency} WHERE `code` = ?';
        return new OrderRows(
            $order,
            $this->database->rows($products, [$id]),
            $this->vouchers($id),
            $this->database->rows($totals, [$id]),
            $this->database->rows($history, [$id]),
            (int) ($this->database->row($currency, [$order['currency_code']])['decimal_place'] ?? 2),
        );
    }

    /**
     * OpenCart 4.1 sells none any more.
     *
     * @return list<array<string, mixed>>
     */
    private function vouchers(int $id): array
    {
        $sql = 'SELECT COUNT(*) AS `tables` FROM information_schema.tables'
            . ' WHERE table_schema = DATABASE() AND table_name = ?';
        $name = $this->database->named('order_voucher');
        $this->hasVouchers ??= (int) $this->database->row($sql, [$name])['tables'] > 0;
        $vouchers = 'SELECT * FROM {order_voucher} WHERE `order_id` = ? ORDER BY `order_voucher_id`';
        return $this->hasVouchers ? $this->database->rows($vouchers, [$id]) : [];
    }

    /** @param array<string, mixed> $order */
    private function rates(array $order): Rates
    {
        $names = ['P' => [], 'F' => []];
        foreach ($this->database->rows('SELECT DISTINCT `name`, `rate`, `type` FROM {tax_rate}') as $row) {
            $names[(string) $row['type']][(string) $row['name']][] = (float) $row['rate'];
        }
        $likely = [];
        foreach ($this->taxClasses($order) as $code => $class) {
            $sql = 'SELECT DISTINCT r.`rate` FROM {tax_rule} u JOIN {tax_rate} r ON r.`tax_rate_id` = u.`tax_rate_id`'
                . " WHERE u.`tax_class_id` = ? AND r.`type` = 'P'";
            $found = array_column($this->database->rows($sql, [$class]), 'rate');
            $likely[$code] = $class === 0 ? [0.0] : array_map('floatval', $found);
        }
        return new Rates($names['P'], $likely, $names['F']);
    }

    /**
     * Tax classes that shipping and fees have by today's settings; 4.1 keeps that of shipping with the order.
     *
     * @param array<string, mixed> $order
     * @return array<string, int>
     */
    private function taxClasses(array $order): array
    {
        $classes = [];
        $shipping = json_decode((string) $order['shipping_method'], true);
        $method = explode('.', (string) ($order['shipping_code'] ?? ''))[0];
        $sql = 'SELECT `key`, `value` FROM {setting} WHERE `store_id` = 0'
            . " AND (`key` LIKE 'total\\_%\\_tax\\_class\\_id' OR `key` = ?)";
        foreach ($this->database->rows($sql, ["shipping_{$method}_tax_class_id"]) as $row) {
            $isShipping = str_starts_with((string) $row['key'], 'shipping_');
            $code = $isShipping ? 'shipping' : substr((string) $row['key'], 6, -13);
            $classes[$code] = (int) $row['value'];
        }
        if (is_array($shipping) && isset($shipping['tax_class_id'])) {
            $classes['shipping'] = (int) $shipping['tax_class_id'];
        }
        return $classes;
    }
}
