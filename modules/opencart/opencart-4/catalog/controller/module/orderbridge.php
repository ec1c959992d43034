<?php

declare(strict_types=1);

namespace Opencart\Catalog\Controller\Extension\Orderbridge\Module;

require_once DIR_EXTENSION . 'orderbridge/system/library/orderbridge/load.php';

class Orderbridge extends \Opencart\System\Engine\Controller
{
    use \Orderbridge\CatalogActions;
}
