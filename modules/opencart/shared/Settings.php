<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the merchant chose. Rows of OpenCart's settings have these names behind `module_orderbridge_`. */
final class Settings
{
    public const CODE = 'module_orderbridge';

    /** Ids of statuses as OpenCart installs them. */
    private const DEFAULTS = [
        'status' => '0',
        'code' => '',
        'key' => '',
        'paid' => [2, 3, 5, 15],
        'cod' => ['cod'],
        'cod_paid' => [5],
        'refunded' => [11],
        'cancelled' => [7, 8, 10, 12, 13, 14, 16],
        'vouchers' => 'payment',
        'refund_codes' => 'refund',
    ];

    /** @param array<string, mixed> $values by name, without the prefix */
    private function __construct(private readonly array $values)
    {
    }

    /** @param array<string, mixed> $rows as OpenCart has them */
    public static function of(array $rows): self
    {
        $values = self::DEFAULTS;
        foreach (array_keys(self::DEFAULTS) as $name) {
            $values[$name] = $rows[self::CODE . '_' . $name] ?? $values[$name];
        }
        return new self($values);
    }

    public static function read(Database $database): self
    {
        $rows = [];
        $sql = 'SELECT `key`, `value`, `serialized` FROM {setting} WHERE `store_id` = 0 AND `code` = ?';
        foreach ($database->rows($sql, [self::CODE]) as $row) {
            $isList = (bool) $row['serialized'];
            $rows[$row['key']] = $isList ? json_decode((string) $row['value'], true) : $row['value'];
        }
        return self::of($rows);
    }

    /** @return array<string, mixed> as OpenCart stores them */
    public function rows(): array
    {
        $rows = [];
        foreach ($this->values as $name => $value) {
            $rows[self::CODE . '_' . $name] = $value;
        }
        return $rows;
    }

    /** @param array<string, mixed> $values by name, without the prefix */
    public function with(array $values): self
    {
        return new self(array_intersect_key($values, self::DEFAULTS) + $this->values);
    }

    public function isOn(): bool
    {
        return (bool) $this->values['status'] && $this->connection() !== null;
    }

    public function connection(): ?ConnectionCode
    {
        return ConnectionCode::parse($this->text('code'));
    }

    public function text(string $name): string
    {
        return is_string($this->values[$name]) ? $this->values[$name] : '';
    }

    /** @return list<string> of numbers or words, as text */
    public function all(string $name): array
    {
        $value = $this->values[$name];
        $list = is_array($value) ? $value : (preg_split('/[\s,]+/', (string) $value, -1, PREG_SPLIT_NO_EMPTY) ?: []);
        return array_values(array_map('strval', $list));
    }

    /** Whether orders are paid, refunded and cancelled by the other settings as by these. */
    public function decidesLike(self $other): bool
    {
        foreach (['paid', 'cod', 'cod_paid', 'refunded', 'cancelled'] as $name) {
            [$these, $those] = [$this->all($name), $other->all($name)];
            sort($these);
            sort($those);
            if ($these !== $those) {
                return false;
            }
        }
        return true;
    }

    /** Gift vouchers and store credit pay for what is bought; else they are a discount. */
    public function vouchersPay(): bool
    {
        return $this->values['vouchers'] !== 'discount';
    }
}
