<?php

declare(strict_types=1);

namespace Orderbridge;

/** What was typed on the settings page. */
final class SettingsForm
{
    private const LISTS = ['paid', 'cod_paid', 'refunded', 'cancelled'];

    /** @param array<string, mixed> $post */
    public function __construct(private readonly array $post)
    {
    }

    /** An empty field keeps the code that is saved: it has the secret, and is not shown again. */
    public function isCodeRight(): bool
    {
        return $this->text('code') === '' || ConnectionCode::parse($this->text('code')) !== null;
    }

    public function settings(Settings $before): Settings
    {
        $values = [
            'status' => $this->text('status') === '1' ? '1' : '0',
            'cod' => $this->words('cod'),
            'refund_codes' => implode(', ', $this->words('refund_codes')),
            'vouchers' => $this->text('vouchers') === 'discount' ? 'discount' : 'payment',
        ];
        foreach (self::LISTS as $name) {
            $given = $this->post[$name] ?? [];
            $values[$name] = array_values(array_map('intval', is_array($given) ? $given : []));
        }
        if ($this->text('code') !== '') {
            $values['code'] = $this->text('code');
        }
        return $before->with($values);
    }

    /** @return list<string> */
    private function words(string $name): array
    {
        preg_match_all('/[\w.-]+/', $this->text($name), $found);
        return $found[0];
    }

    private function text(string $name): string
    {
        $given = $this->post[$name] ?? '';
        return is_string($given) ? trim($given) : '';
    }
}
