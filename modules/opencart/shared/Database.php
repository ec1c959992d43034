<?php

declare(strict_types=1);

namespace Orderbridge;

/** OpenCart's own database, with `{table}` for its prefixed name and `?` for a value. */
final class Database
{
    public function __construct(private readonly object $db, private readonly string $prefix)
    {
    }

    /**
     * @param list<int|float|string|null> $values
     * @return list<array<string, mixed>>
     */
    public function rows(string $sql, array $values = []): array
    {
        return $this->run($sql, $values)->rows ?? [];
    }

    /**
     * @param list<int|float|string|null> $values
     * @return array<string, mixed>|null
     */
    public function row(string $sql, array $values = []): ?array
    {
        return $this->rows($sql, $values)[0] ?? null;
    }

    /** @param list<int|float|string|null> $values */
    public function run(string $sql, array $values = []): object
    {
        $named = preg_replace_callback('/\{(\w+)\}/', fn (array $found): string => "`$this->prefix$found[1]`", $sql);
        $parts = explode('?', (string) $named);
        $whole = array_shift($parts);
        foreach ($parts as $at => $part) {
            $whole .= $this->literal($values[$at]) . $part;
        }
        $result = $this->db->query($whole);
        return is_object($result) ? $result : new \stdClass();
    }

    /** The name of a table with the shop's prefix. */
    public function named(string $table): string
    {
        return $this->prefix . $table;
    }

    /** A name for locks that other shops of the same server do not have. */
    public function lockName(): string
    {
        return 'orderbridge-' . substr(md5($this->row('SELECT DATABASE() AS name')['name'] . $this->prefix), 0, 16);
    }

    private function literal(int|float|string|null $value): string
    {
        if ($value === null) {
            return 'NULL';
        }
        return is_string($value) ? "'" . $this->db->escape($value) . "'" : (string) $value;
    }
}
