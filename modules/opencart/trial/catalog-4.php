<?php

declare(strict_types=1);

namespace Opencart\Catalog\Controller;

require_once DIR_SYSTEM . 'TrialShop.php';

class Trial extends \Opencart\System\Engine\Controller
{
    use \Trial\TrialShop;

    protected function say(int $id, int $status): void
    {
        $this->model_checkout_order->addHistory($id, $status);
    }

    protected function pay(string $code): void
    {
        $this->session->data['payment_method'] = ['code' => "$code.$code", 'name' => $code];
    }

    protected function edit(int $id, int $status): void
    {
        $totals = [];
        $taxes = $this->cart->getTaxes();
        $total = 0.0;
        $this->load->model('checkout/cart');
        ($this->model_checkout_cart->getTotals)($totals, $taxes, $total);
        $products = array_map(fn (array $product): array => [
            'subscription' => [],
            'tax' => $this->tax->getTax($product['price'], (int) $product['tax_class_id']),
        ] + $product, $this->cart->getProducts());
        $this->model_checkout_order->editOrder($id, ['products' => $products, 'totals' => $totals, 'total' => $total]);
        $this->say($id, $status);
    }
}
