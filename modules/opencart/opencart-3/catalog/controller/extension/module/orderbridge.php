<?php

declare(strict_types=1);

require_once DIR_SYSTEM . 'library/orderbridge/load.php';

class ControllerExtensionModuleOrderbridge extends Controller
{
    use \Orderbridge\CatalogActions;
}
