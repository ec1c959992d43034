<?php

declare(strict_types=1);

namespace Opencart\Admin\Controller\Extension\Orderbridge\Module;

require_once DIR_EXTENSION . 'orderbridge/system/library/orderbridge/load.php';

class Orderbridge extends \Opencart\System\Engine\Controller
{
    use \Orderbridge\AdminActions;

    protected function orderbridgeVersion(): \Orderbridge\Version
    {
        return \Orderbridge\Version::four();
    }
}
