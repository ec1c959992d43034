<?php

declare(strict_types=1);

require_once __DIR__ . '/../shared/load.php';
require_once __DIR__ . '/SampleOrder.php';
require_once __DIR__ . '/ShopCase.php';
require_once __DIR__ . '/ShopDatabase.php';
