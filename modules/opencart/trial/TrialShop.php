<?php

declare(strict_types=1);

namespace Trial;

/**
 * Plays a shopper and a merchant through OpenCart's own cart, totals, checkout and order model, one step a request.
 * The class that uses it says what 3.0 and 4.1 call differently.
 */
trait TrialShop
{
    abstract protected function say(int $id, int $status): void;

    abstract protected function pay(string $code): void;

    abstract protected function edit(int $id, int $status): void;

    public function index(): void
    {
        $step = json_decode((string) file_get_contents('php://input'), true, 64, JSON_THROW_ON_ERROR);
        $this->load->model('checkout/order');
        $id = (int) ($step['id'] ?? 0);
        match ($step['do']) {
            'order' => $id = $this->place($step),
            'status' => $this->say($id, $step['status']),
            'edit' => $this->change($id, $step),
            'refund' => $this->giveBack($id, (float) $step['amount']),
            'delete' => $this->model_checkout_order->deleteOrder($id),
        };
        $this->response->addHeader('Content-Type: application/json');
        $this->response->setOutput(json_encode(['id' => $id], JSON_THROW_ON_ERROR));
    }

    /** @param array<string, mixed> $step */
    private function place(array $step): int
    {
        $this->fill($step);
        unset($this->session->data['order_id']);
        $this->load->controller('checkout/confirm');
        $id = (int) ($this->session->data['order_id'] ?? 0);
        if ($id === 0) {
            throw new \RuntimeException('the checkout took no order: ' . json_encode($step));
        }
        unset($this->session->data['order_id']);
        foreach ($step['statuses'] as $status) {
            $this->say($id, $status);
        }
        return $id;
    }

    /** @param array<string, mixed> $step */
    private function change(int $id, array $step): void
    {
        $this->fill($step);
        $this->edit($id, $step['status']);
    }

    /** An extension's hand: a negative total, and a total that is less by it. */
    private function giveBack(int $id, float $amount): void
    {
        $extension = VERSION >= '4' ? "`extension` = 'opencart', " : '';
        $this->db->query('INSERT INTO ' . DB_PREFIX . "order_total SET $extension order_id = $id, code = 'refund',
            title = 'Refund', value = -$amount, sort_order = 8");
        $this->db->query('UPDATE ' . DB_PREFIX . "order_total SET value = value - $amount
            WHERE order_id = $id AND code = 'total'");
        $this->db->query('UPDATE `' . DB_PREFIX . "order` SET total = total - $amount WHERE order_id = $id");
        $status = $this->model_checkout_order->getOrder($id)['order_status_id'];
        $this->say($id, (int) $status);
    }

    /** @param array<string, mixed> $step */
    private function fill(array $step): void
    {
        $buyer = [
            'customer_id' => 0, 'customer_group_id' => 1, 'firstname' => 'Иван', 'lastname' => 'Петров',
            'email' => 'ivan@example.com', 'telephone' => '', 'custom_field' => [],
        ];
        if ($step['customer'] ?? false) {
            $this->customer->login('maria@example.com', '', true);
            $name = ['firstname' => 'Мария', 'lastname' => 'O&#039;Neil', 'email' => 'maria@example.com'];
            $buyer = ['customer_id' => 1, 'telephone' => '+359888123456'] + $name + $buyer;
        }
        $address = [
            'address_id' => 1, 'firstname' => 'Иван', 'lastname' => 'Петров', 'company' => '', 'address_1' => 'Шипка 1',
            'address_2' => '', 'city' => 'София', 'postcode' => '1000', 'zone' => 'Sofia', 'zone_id' => 498,
            'country' => 'Bulgaria', 'country_id' => 33, 'address_format' => '', 'custom_field' => [],
        ];
        $this->session->data = [
            'customer' => $buyer, 'guest' => $buyer, 'payment_address' => $address, 'shipping_address' => $address,
            'currency' => $step['currency'] ?? 'EUR', 'comment' => '', 'language' => 'en-gb',
            'shipping_method' => [
                'code' => 'flat.flat', 'title' => 'Courier', 'name' => 'Courier', 'text' => '',
                'cost' => $step['shipping'] ?? 4.1583, 'tax_class_id' => $step['shippingClass'] ?? 901,
            ],
        ] + array_intersect_key($step, ['coupon' => 1, 'reward' => 1, 'voucher' => 1, 'vouchers' => 1])
            + array_intersect_key($this->session->data, ['customer_id' => 1, 'customer_token' => 1]);
        $this->pay($step['payment']);
        foreach (['handling', 'low_order_fee', 'credit'] as $total) {
            $this->config->set("total_{$total}_status", isset($step[$total]) ? '1' : '0');
        }
        if (isset($step['credit'])) {
            $this->db->query('DELETE FROM ' . DB_PREFIX . 'customer_transaction WHERE customer_id = 1');
            $this->db->query('INSERT INTO ' . DB_PREFIX . 'customer_transaction SET customer_id = 1, order_id = 0,
                description = "", amount = ' . (float) $step['credit'] . ', date_added = NOW()');
        }
        $this->cart->clear();
        foreach ($step['products'] as [$product, $quantity]) {
            $this->cart->add($product, $quantity);
        }
    }
}
