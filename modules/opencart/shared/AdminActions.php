<?php

declare(strict_types=1);

namespace Orderbridge;

/**
 * The administration's side of both versions: settings, installing, and the tab of an order.
 * A class that uses it says what differs: `orderbridgeVersion()`.
 */
trait AdminActions
{
    use OrderEvents;

    abstract protected function orderbridgeVersion(): Version;

    /** The settings page; its buttons post to it. */
    public function index(): void
    {
        $module = new Module($this->db, DB_PREFIX);
        $done = ['problem' => '', 'success' => ''];
        if (($_SERVER['REQUEST_METHOD'] ?? '') === 'POST') {
            $done = $this->orderbridgeAct($module, is_string($_POST['act'] ?? null) ? $_POST['act'] : 'save') + $done;
            $module = new Module($this->db, DB_PREFIX);
        }
        $this->document->setTitle('Orderbridge');
        $page = new SettingsPage($module, $this->orderbridgeTexts(), $this->orderbridgeVersion());
        $this->load->model('localisation/order_status');
        // 3.0 has both, 4.1 the first.
        $shop = defined('HTTPS_CATALOG') ? HTTPS_CATALOG : HTTP_CATALOG;
        $data = $page->data($this->model_localisation_order_status->getOrderStatuses(), $shop) + $done + [
            'action' => $this->orderbridgeLink($this->orderbridgeVersion()->route),
            'back' => $this->orderbridgeLink('marketplace/extension', '&type=module'),
            'header' => $this->load->controller('common/header'),
            'column_left' => $this->load->controller('common/column_left'),
            'footer' => $this->load->controller('common/footer'),
        ];
        $this->response->setOutput($this->load->view($this->orderbridgeVersion()->view('orderbridge'), $data));
    }

    public function install(): void
    {
        if (!$this->orderbridgeMay($this->orderbridgeVersion()->extensions)) {
            return;
        }
        $module = new Module($this->db, DB_PREFIX);
        $module->outbox->create();
        $this->load->model('setting/event');
        $this->model_setting_event->deleteEventByCode('orderbridge');
        foreach ($this->orderbridgeVersion()->events() as $trigger => $method) {
            $this->orderbridgeVersion()->addEvent($this->model_setting_event, $trigger, $method);
        }
        $this->load->model('setting/setting');
        $rows = $module->settings->with(['key' => bin2hex(random_bytes(16))])->rows();
        $this->model_setting_setting->editSetting(Settings::CODE, $rows);
    }

    public function uninstall(): void
    {
        if (!$this->orderbridgeMay($this->orderbridgeVersion()->extensions)) {
            return;
        }
        $this->load->model('setting/event');
        $this->model_setting_event->deleteEventByCode('orderbridge');
        $this->load->model('setting/setting');
        $this->model_setting_setting->deleteSetting(Settings::CODE);
        (new Module($this->db, DB_PREFIX))->outbox->drop();
    }

    /** The event before an extension is uninstalled: orders that wait would be lost with the outbox. */
    public function beforeUninstall(mixed &$route = '', mixed &$args = []): void
    {
        $get = $this->request->get;
        $isOurs = ($get['code'] ?? $get['extension'] ?? '') === 'orderbridge';
        $module = $isOurs ? new Module($this->db, DB_PREFIX) : null;
        if ($module?->settings->connection() !== null && $module->outbox->waiting() > 0) {
            $route = $this->orderbridgeVersion()->action('refuseUninstall');
        }
    }

    public function refuseUninstall(): void
    {
        $waiting = (new Module($this->db, DB_PREFIX))->outbox->waiting();
        $warning = $this->orderbridgeTexts()->say('uninstall_waits', (string) $waiting);
        $this->orderbridgeVersion()->showWarning($this->load, $this->response, $warning);
    }

    /** The event before the page of an order is shown: one more tab. */
    public function orderTab(mixed &$route = '', mixed &$data = []): void
    {
        $id = (int) ($this->request->get['order_id'] ?? 0);
        if ($id === 0 || !is_array($data) || !$this->orderbridgeMay($this->orderbridgeVersion()->route, 'access')) {
            return;
        }
        $this->orderbridgeQuietly(function () use (&$data, $id): void {
            $module = new Module($this->db, DB_PREFIX);
            $states = new OrderStates($module, $this->orderbridgeTexts(), [$id]);
            $mayOpen = $module->settings->isOn() && $states->mayHaveReceipt($id);
            $content = $this->load->view($this->orderbridgeVersion()->view('orderbridge_order'), [
                'text' => $this->orderbridgeTexts()->all(),
                'state' => $states->sentence($id),
                'receipt' => $mayOpen ? $this->orderbridgeReceipt($id) : '',
            ]);
            $data['tabs'][] = ['code' => 'orderbridge', 'title' => 'Orderbridge', 'content' => $content];
        });
    }

    /** The event before the list of orders is shown: what became of each, below its status. */
    public function orderList(mixed &$route = '', mixed &$data = []): void
    {
        $orders = is_array($data) ? $data['orders'] ?? [] : [];
        if ($orders === [] || !$this->orderbridgeMay($this->orderbridgeVersion()->route, 'access')) {
            return;
        }
        $this->orderbridgeQuietly(function () use (&$data, $orders): void {
            $ids = array_map(static fn (array $order): int => (int) $order['order_id'], array_values($orders));
            $states = new OrderStates(new Module($this->db, DB_PREFIX), $this->orderbridgeTexts(), $ids);
            foreach ($orders as $at => $order) {
                $id = (int) $order['order_id'];
                $data['orders'][$at]['order_status'] .= $states->mark($id, $this->orderbridgeReceipt($id));
            }
        });
    }

    /** To the receipt of an order, by a link that orderbridge gives for a short time. */
    public function receipt(): void
    {
        $id = (int) ($this->request->get['order_id'] ?? 0);
        $sender = (new Module($this->db, DB_PREFIX))->sender();
        if ($id === 0 || $sender === null || !$this->orderbridgeMay($this->orderbridgeVersion()->route, 'access')) {
            $this->response->setOutput(htmlspecialchars($this->orderbridgeTexts()->say('no_permission')));
            return;
        }
        ['url' => $url, 'problem' => $problem] = $sender->receipt($id);
        if ($url !== null) {
            $this->response->redirect($url);
        }
        $text = $this->orderbridgeTexts()->say('no_receipt', $problem);
        $this->response->setOutput('<!doctype html><meta charset="utf-8"><p>' . htmlspecialchars($text));
    }

    /** @return array<string, string> */
    private function orderbridgeAct(Module $module, string $act): array
    {
        $texts = $this->orderbridgeTexts();
        if (!$this->orderbridgeMay($this->orderbridgeVersion()->route)) {
            return ['problem' => $texts->say('no_permission')];
        }
        if ($act === 'forget') {
            $module->outbox->forget();
            return ['success' => $texts->say('forgotten')];
        }
        if ($act === 'test' || $act === 'send') {
            return $this->orderbridgeCall($module, $act);
        }
        $form = new SettingsForm($_POST);
        if (!$form->isCodeRight()) {
            return ['problem' => $texts->say('code_wrong')];
        }
        $this->load->model('setting/setting');
        $settings = $form->settings($module->settings);
        $decidesAlike = $settings->decidesLike($module->settings);
        // Before they are saved: afterwards nothing would differ, if this request ended between.
        if (!$decidesAlike) {
            $module->outbox->again();
        }
        $this->model_setting_setting->editSetting(Settings::CODE, $settings->rows());
        $module->outbox->resume();
        return ['success' => $texts->say($decidesAlike ? 'saved' : 'saved_again')];
    }

    /** @return array<string, string> */
    private function orderbridgeCall(Module $module, string $act): array
    {
        $texts = $this->orderbridgeTexts();
        $sender = $module->sender();
        if ($sender === null) {
            return ['problem' => $texts->say('off')];
        }
        if ($act === 'test') {
            $problem = $sender->test();
            return $problem === null
                ? ['success' => $texts->say('test_taken')]
                : ['problem' => $texts->say('test_refused', $problem)];
        }
        $module->outbox->retryAll();
        $sent = $sender->send(20);
        return ['success' => $texts->say('sent', (string) $sent)];
    }

    private function orderbridgeMay(string $route, string $what = 'modify'): bool
    {
        return $this->user->hasPermission($what, $route);
    }

    private function orderbridgeReceipt(int $id): string
    {
        return $this->orderbridgeLink($this->orderbridgeVersion()->action('receipt'), "&order_id=$id");
    }

    private function orderbridgeLink(string $route, string $more = ''): string
    {
        $arguments = 'user_token=' . $this->session->data['user_token'] . $more;
        return $this->orderbridgeVersion()->link($this->url, $route, $arguments);
    }

    private function orderbridgeTexts(): Texts
    {
        return Texts::in((string) ($this->config->get('config_language_admin')
            ?: $this->config->get('config_admin_language')));
    }
}
