<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the settings page shows. */
final class SettingsPage
{
    private const LISTS = ['paid', 'cod_paid', 'refunded', 'cancelled'];

    public function __construct(
        private readonly Module $module,
        private readonly Texts $texts,
        private readonly Version $version,
    ) {
    }

    /**
     * @param list<array<string, mixed>> $statuses of OpenCart
     * @return array<string, mixed> for the template
     */
    public function data(array $statuses, string $shop): array
    {
        $settings = $this->module->settings;
        $address = rtrim($shop, '/') . '/index.php?route=';
        $lists = [];
        foreach (self::LISTS as $name) {
            $chosen = $settings->all($name);
            $lists[] = [
                'name' => $name,
                'label' => $this->texts->say($name),
                'statuses' => array_map(fn (array $status): array => [
                    'id' => $status['order_status_id'],
                    'name' => $status['name'],
                    'chosen' => in_array((string) $status['order_status_id'], $chosen, true),
                ], $statuses),
            ];
        }
        return [
            'text' => $this->texts->all(),
            'on' => $settings->text('status') === '1',
            'connected' => $settings->connection()?->address,
            'lists' => $lists,
            'cod' => implode(', ', $settings->all('cod')),
            'refund_codes' => implode(', ', $settings->all('refund_codes')),
            'vouchers_pay' => $settings->vouchersPay(),
            'orders_address' => $address . $this->version->action('orders'),
            'cron_address' => $address . $this->version->action('send') . '&key=' . $settings->text('key'),
            'waiting' => $this->module->outbox->waiting(),
            'waits_text' => $this->texts->say('waiting', (string) $this->module->outbox->waiting()),
            'paused' => $this->module->outbox->paused(),
        ];
    }
}
