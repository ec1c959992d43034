<?php

declare(strict_types=1);

namespace Orderbridge;

/** What differs between OpenCart 3.0 and 4.1: routes, triggers of events, and the list of extensions. */
final class Version
{
    private function __construct(
        private readonly bool $isFour,
        public readonly string $route,
        public readonly string $extensions,
    ) {
    }

    public static function three(): self
    {
        return new self(false, 'extension/module/orderbridge', 'extension/extension/module');
    }

    public static function four(): self
    {
        return new self(true, 'extension/orderbridge/module/orderbridge', 'extension/module');
    }

    /** The route of a method of our controller. */
    public function action(string $method): string
    {
        return $this->route . ($this->isFour ? '.' : '/') . $method;
    }

    public function view(string $name): string
    {
        return ($this->isFour ? 'extension/orderbridge/module/' : 'extension/module/') . $name;
    }

    /** An address for an attribute; the third argument means https in 3.0, and unescaped in 4.1. */
    public function link(object $url, string $route, string $arguments): string
    {
        return $this->isFour ? $url->link($route, $arguments) : $url->link($route, $arguments, true);
    }

    /** @return array<string, string> methods by trigger */
    public function events(): array
    {
        return $this->isFour
            ? [
                'catalog/model/checkout/order.addHistory/after' => 'changed',
                'catalog/model/checkout/order.editOrder/after' => 'changed',
                'catalog/model/checkout/order.deleteOrder/before' => 'deleting',
                'catalog/model/checkout/order.deleteOrder/after' => 'deleted',
                'admin/model/sale/order.deleteOrder/before' => 'deleting',
                'admin/model/sale/order.deleteOrder/after' => 'deleted',
                'admin/view/sale/order_info/before' => 'orderTab',
                'admin/view/sale/order_list/before' => 'orderList',
                'admin/controller/extension/module.uninstall/before' => 'beforeUninstall',
            ]
            : [
                'catalog/model/checkout/order/addOrderHistory/after' => 'changed',
                'catalog/model/checkout/order/editOrder/after' => 'changed',
                'catalog/model/checkout/order/deleteOrder/before' => 'deleting',
                'catalog/model/checkout/order/deleteOrder/after' => 'deleted',
                'admin/view/sale/order_info/before' => 'orderTab',
                'admin/view/sale/order_list/before' => 'orderList',
                'admin/controller/extension/extension/module/uninstall/before' => 'beforeUninstall',
            ];
    }

    public function addEvent(object $model, string $trigger, string $method): void
    {
        if (!$this->isFour) {
            $model->addEvent('orderbridge', $trigger, $this->action($method));
            return;
        }
        $model->addEvent([
            'code' => 'orderbridge',
            'description' => 'Orderbridge',
            'trigger' => $trigger,
            'action' => $this->action($method),
            'status' => true,
            'sort_order' => 1,
        ]);
    }

    /** In the list of extensions: 4.1 takes JSON, 3.0 the list itself. */
    public function showWarning(object $load, object $response, string $warning): void
    {
        if ($this->isFour) {
            $response->addHeader('Content-Type: application/json');
            $response->setOutput(json_encode(['error' => $warning], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
            return;
        }
        $load->controller($this->extensions);
        $alert = '<div class="alert alert-danger">' . htmlspecialchars($warning) . '</div>';
        $response->setOutput($alert . $response->getOutput());
    }
}
