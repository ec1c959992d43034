<?php

declare(strict_types=1);

require_once DIR_SYSTEM . 'TrialShop.php';

class ControllerTrial extends Controller
{
    use \Trial\TrialShop;

    protected function say(int $id, int $status): void
    {
        $this->model_checkout_order->addOrderHistory($id, $status);
    }

    protected function pay(string $code): void
    {
        $this->session->data['payment_method'] = ['code' => $code, 'title' => $code];
    }

    protected function edit(int $id, int $status): void
    {
        $cart = $this->cart->getProducts();
        $this->session->data['api_id'] = 1;
        foreach ($cart as $product) {
            $this->cart->add($product['product_id'], $product['quantity']);
        }
        $this->request->get['order_id'] = $id;
        $this->request->post['order_status_id'] = $status;
        $this->load->controller('api/order/edit');
    }
}
